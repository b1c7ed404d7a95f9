"""What can go wrong between a prompt and its report, for whoever calls `alignment` to show.

What goes wrong between the hub and a model is a `hub.HubError`.
"""

from __future__ import annotations


class AlignmentError(Exception):
    """The root of every error that `alignment` raises on purpose."""


class UnknownBundleError(AlignmentError):
    """No bundle of that name in `alignment.BUNDLES`."""


class UnknownMethodError(AlignmentError):
    """No scorer or ranking of that name."""


class UnknownScoringModelError(AlignmentError):
    """No scoring model of that name in `alignment.models.catalogue.MODELS`."""


class InvalidSettingsError(AlignmentError):
    """A setting of a method is outside its range."""


class MissingCheckpointError(AlignmentError):
    """A local model folder is not there."""


class UnreadableReportError(AlignmentError):
    """A stored report is damaged, or of a later format than this version reads."""


class UnreadablePairsError(AlignmentError):
    """A file of prompt pairs is not there, or is not of the format of Commonsense-T2I."""


class UnsuitableModelError(AlignmentError):
    """A bundle has no model for a role, or the model was loaded but cannot play it."""
