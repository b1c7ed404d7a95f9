"""What can go wrong on the way from a prompt to images: one tree, raised by the public functions.

GenerationError
├── InvalidRequestError       the request cannot be generated; the person can mend it
│   └── UnknownModelError     the model is not in MODELS
└── ModelUnavailableError     the request is fine, the model cannot be used here
    └── CheckpointMissingError    an embedded checkpoint is not in assets/checkpoints

What goes wrong between the hub and a loaded model is told in `hub.errors`.
"""

from __future__ import annotations


class GenerationError(Exception):
    """Anything that keeps a prompt from becoming images."""


class InvalidRequestError(GenerationError):
    """The request cannot be generated; the message says what came and what is accepted."""


class UnknownModelError(InvalidRequestError):
    """The model is not in MODELS; the message lists those that are."""


class ModelUnavailableError(GenerationError):
    """The request is fine, the model cannot be used here."""


class CheckpointMissingError(ModelUnavailableError):
    """An embedded checkpoint is not there; the message names the recipe that makes it."""
