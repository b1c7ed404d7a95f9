"""From pictures and a prompt to one `ImageScore` per picture; one file per method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from alignment.loading import Models
from alignment.scorers.clip import Clip
from alignment.scorers.scorer import Asked, Scorer
from alignment.scorers.vnli import Vnli
from alignment.scorers.vq2 import Vq2

SCORERS: Mapping[str, Callable[[Models], Scorer]] = MappingProxyType(
    {
        "vq2": lambda models: Vq2(models.answerer),
        "vnli": lambda models: Vnli(models.entailment),
        "clip": lambda models: Clip(models.clip),
    }
)
"""Method -> what builds its scorer from the loaded models; the order is that of the stages."""

__all__ = ["SCORERS", "Asked", "Clip", "Scorer", "Vnli", "Vq2"]
