"""Turns: a job holds the models for a step at a time, and lets go of them between steps."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeAlias

Turn: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Makes what holds the models while it is open."""
