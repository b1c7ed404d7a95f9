"""From pictures and a prompt to one `ImageScore` per picture; one file per method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from alignment.errors import UnknownMethodError
from alignment.models.loading import Models
from alignment.scorers.clip import Clip
from alignment.scorers.itm import Itm
from alignment.scorers.mean import Mean
from alignment.scorers.scorer import Scorer, ScoringInput
from alignment.scorers.tifa import Tifa
from alignment.scorers.vnli import Vnli
from alignment.scorers.vq2 import Vq2
from alignment.scorers.vqascore import VqaScore

SCORERS: Mapping[str, Callable[[Models], Scorer]] = MappingProxyType(
    {
        "vq2": lambda models: Vq2(models.answerer, lambda: models.inference),
        "vnli": lambda models: Vnli(models.entailment, models.bundle.entailment.fine_tuned),
        "clip": lambda models: Clip(models.clip),
        "mean": lambda models: Mean((SCORERS["vq2"](models), SCORERS["vnli"](models))),
        "vqascore": lambda models: VqaScore(models.entailment),
        "itm": lambda models: Itm(models.matcher),
        "tifa": lambda models: Tifa(models.answerer, models.clip),
    }
)
"""Method -> what builds its scorer from the loaded models."""

GRID_METHODS = ("vq2", "vnli", "clip")
"""What a grid is judged by, in the order of the stages: every bundle has the models for these."""

UNAVAILABLE: Mapping[str, str] = MappingProxyType(
    {
        "ofa": "OFA has no class in transformers and its own code needs a fork of fairseq that no "
        "longer installs; 'itm' and 'vqascore' are its nearest kin"
    }
)
"""Methods of the papers that cannot be had, and why."""


def build_scorer(method: str, models: Models) -> Scorer:
    """The scorer of that name, its models loaded.

    Raises:
        UnknownMethodError: there is none, or it cannot be had; the error says which.
        UnsuitableModelError: the bundle has no model for it.
    """
    if method in UNAVAILABLE:
        raise UnknownMethodError(f"no scorer {method!r}: {UNAVAILABLE[method]}")
    if method not in SCORERS:
        raise UnknownMethodError(f"no scorer {method!r}; known: {', '.join(SCORERS)}")
    return SCORERS[method](models)


__all__ = [
    "GRID_METHODS",
    "SCORERS",
    "UNAVAILABLE",
    "Clip",
    "Itm",
    "Mean",
    "Scorer",
    "ScoringInput",
    "Tifa",
    "Vnli",
    "Vq2",
    "VqaScore",
    "build_scorer",
]
