"""What can go wrong with data that a person gives; each message says what to do."""

from __future__ import annotations


class DataError(Exception):
    """A file or folder of data is not there, or is not of the format that is read."""
