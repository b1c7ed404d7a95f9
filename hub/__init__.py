"""Where models come from: whether the hub is within reach, and how each of them is loaded once."""

from __future__ import annotations

from hub.loading import once
from hub.reach import hub_answers, hub_in_use

__all__ = ["hub_answers", "hub_in_use", "once"]
