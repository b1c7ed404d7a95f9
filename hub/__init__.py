"""The Hugging Face hub, as those who load models from it see it: within reach, or not."""

from __future__ import annotations

from hub.reach import hub_answers, hub_in_use

__all__ = ["hub_answers", "hub_in_use"]
