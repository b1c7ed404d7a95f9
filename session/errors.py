"""Errors that reach a person: which of them that person can mend, and which only the operator."""

from __future__ import annotations

from alignment.errors import (
    AlignmentError,
    InvalidSettingsError,
    MissingCheckpointError,
    UnknownBundleError,
    UnknownMethodError,
    UnknownScoringModelError,
    UnreadableReportError,
)
from generation.errors import CheckpointMissingError, GenerationError, InvalidRequestError
from hub import HubError


class UnusableFileError(Exception):
    """An uploaded file is not an image that can be shown; the message names it."""


class DataError(Exception):
    """A file or folder of data is not there, or is not of the format that is read."""


USER_ERRORS = (
    DataError,
    InvalidRequestError,
    InvalidSettingsError,
    UnknownBundleError,
    UnknownMethodError,
    UnknownScoringModelError,
    UnreadableReportError,
    UnusableFileError,
)
"""Errors that whoever made the request can mend."""
SERVICE_ERRORS = (GenerationError, AlignmentError, HubError)
"""Errors that only the operator can mend."""
MISSING_CHECKPOINTS = (CheckpointMissingError, MissingCheckpointError)
"""Errors whose message names a folder of the server: for the log, not for visitors."""
