"""The sentences that visitors read when something goes wrong; what is not for them is logged."""

from __future__ import annotations

import logging
from errno import EDQUOT, ENOSPC

from session.errors import MISSING_CHECKPOINTS, SERVICE_ERRORS, USER_ERRORS
from session.run import RunEnded

NOT_HERE = "a model of this choice is missing on the server, and its log says which; choose another"
BROKEN = (
    "something failed on the server, whose log says what; the results so far stay, and you can "
    "try again"
)
FULL_DISK = (
    "the disk of the server is full, so that this could not be stored; the results so far stay, "
    "and you can try again once its owner has made room"
)


def user_message(error: Exception) -> str:
    """The message of an error as a visitor may read it.

    >>> from generation import InvalidRequestError
    >>> user_message(InvalidRequestError("the prompt is empty"))
    'the prompt is empty'
    """
    if isinstance(error, MISSING_CHECKPOINTS):
        logging.error("a checkpoint is missing: %s", error)
        return NOT_HERE
    if isinstance(error, (*USER_ERRORS, *SERVICE_ERRORS, RunEnded)):
        return str(error)
    if isinstance(error, OSError) and error.errno in {ENOSPC, EDQUOT}:
        logging.error("the disk is full: %s", error)
        return FULL_DISK
    logging.error("a job on a grid failed", exc_info=error)
    return BROKEN
