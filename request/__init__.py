"""What a person asks for, as one record; links, commands, endpoints and files are made from it."""

from __future__ import annotations

from request.record import Request, plain, read_plain

__all__ = ["Request", "plain", "read_plain"]
