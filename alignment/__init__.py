"""From pictures and a prompt to scores, a ranking and the numbers of the whole grid."""

from __future__ import annotations
