"""What can go wrong between the hub and a loaded model: one tree for generation and alignment."""

from __future__ import annotations


class HubError(Exception):
    """A model of the hub is not at hand; the message says why and what to do."""


class HubUnreachableError(HubError):
    """The hub does not answer, and this machine has no copy of the model."""


class RepositoryMissingError(HubError):
    """The hub answers and has no such repository, or hides it from this token."""


class ConsentNeededError(HubError):
    """The repository is gated; the message says where its licence is and how to sign in."""


class DiskFullError(HubError):
    """The download does not fit; the message has both numbers."""


class MemoryShortError(HubError):
    """The model does not fit into memory; the message has both numbers."""


class BrokenCopyError(HubError):
    """The copy on this machine cannot be read; the message says how to fetch it again."""
