"""What can go wrong on the way from a prompt to images: one tree, raised by the public functions.

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
