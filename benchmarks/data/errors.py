"""What can go wrong with data that a person gives; each message says what to do."""

from __future__ import annotations

from session.errors import DataError

__all__ = ["DataError"]
