"""What went wrong comes in; the sentence that whoever asked may read goes out."""

from __future__ import annotations

import logging

from alignment.errors import (
    AlignmentError,
    MissingCheckpointError,
    UnknownBundleError,
    UnknownMethodError,
)
from generation.errors import CheckpointMissingError, GenerationError, InvalidRequestError
from hub import HubError


class UnusableFileError(Exception):
    """A file that was brought is not a picture that can be shown; the message names it."""


USER_ERRORS = (InvalidRequestError, UnknownBundleError, UnknownMethodError, UnusableFileError)
"""What the person who asked can mend."""
SERVICE_ERRORS = (GenerationError, AlignmentError, HubError)
"""What only whoever runs this can mend."""
MISSING = (CheckpointMissingError, MissingCheckpointError)
"""Failures whose message names a folder of the server: nothing for visitors."""

NOT_HERE = "a model of this choice is missing on the server, and its log says which; choose another"
BROKEN = "something broke here; what was done stays, and the log of the server says what happened"


def user_message(error: Exception) -> str:
    """What a visitor of the page reads of an error; the log keeps what is not for visitors.

    >>> user_message(InvalidRequestError("the prompt is empty"))
    'the prompt is empty'
    """
    if isinstance(error, MISSING):
        logging.error("a checkpoint is missing: %s", error)
        return NOT_HERE
    if isinstance(error, (*USER_ERRORS, *SERVICE_ERRORS)):
        return str(error)
    logging.error("the work on a grid broke off", exc_info=error)
    return BROKEN
