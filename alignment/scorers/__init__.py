"""The scoring methods: from images and a prompt to one `ImageScore` per image, a file each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from alignment.errors import UnknownMethodError
from alignment.models.loading import Models
from alignment.models.revisions import identity
from alignment.models.spec import ScoringModel
from alignment.questions.knowledge import Knowledge, read_knowledge
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.scorers.clip import Clip
from alignment.scorers.itm import Itm
from alignment.scorers.mean import Mean
from alignment.scorers.scorer import Scorer
from alignment.scorers.tifa import Tifa
from alignment.scorers.vnli import Vnli
from alignment.scorers.vq2 import Vq2
from alignment.scorers.vqascore import VqaScore

READING = ("parser", "question_writer", "reader")
"""Roles that read a prompt into questions."""


@dataclass(frozen=True)
class Method:
    """A scoring method."""

    build: Callable[[Models], Scorer]
    """Makes its scorer from the loaded models."""
    roles: tuple[str, ...]
    """The roles of a bundle that its score depends on."""
    name: str
    """What the page and tables call it."""
    meaning: str = ""
    """What its number says, and the range; the page shows it beside the number."""
    on_grids: bool = False
    """Whether it scores, ranks and calibrates every grid: each bundle has the models for it."""


SCORERS: Mapping[str, Method] = MappingProxyType(
    {
        "vq2": Method(
            lambda models: Vq2(
                models.answerer, lambda: models.inference, knowledge_of(models, "answerer")
            ),
            (*READING, "answerer"),
            "VQ2",
            "VQ2: questions are written from the prompt and put to the image; the average "
            "probability, from 0 to 1, that the expected answers hold: the geometric mean over "
            "what the prompt claims, with the bundle paper the plain mean over the questions.",
            on_grids=True,
        ),
        "vnli": Method(
            lambda models: Vnli(
                models.entailment,
                knowledge_of(models, "entailment"),
                models.bundle.entailment.fine_tuned,
            ),
            ("entailment",),
            "VNLI",
            "VNLI: the probability, from 0 to 1, that the image as a whole entails the prompt.",
            on_grids=True,
        ),
        "clip": Method(
            lambda models: Clip(models.clip, knowledge_of(models, "clip")),
            ("clip",),
            "CLIP",
            "CLIP: similarity of image and prompt in one embedding space; (1 + cosine) / 2, from "
            "0 to 1.",
            on_grids=True,
        ),
        "mean": Method(
            lambda models: Mean((build_scorer("vq2", models), build_scorer("vnli", models))),
            (*READING, "answerer", "entailment"),
            "mean",
            "The mean of VQ2 and VNLI, from 0 to 1.",
        ),
        "vqascore": Method(
            lambda models: VqaScore(models.entailment, knowledge_of(models, "entailment")),
            ("entailment",),
            "VQAScore",
        ),
        "itm": Method(
            lambda models: Itm(models.matcher, knowledge_of(models, "matcher")),
            ("matcher",),
            "ITM",
        ),
        "tifa": Method(
            lambda models: Tifa(models.answerer, knowledge_of(models, "answerer")),
            (*READING, "answerer"),
            "TIFA",
        ),
    }
)
"""Every method by name."""

GRID_METHODS = tuple(name for name, each in SCORERS.items() if each.on_grids)
"""What a grid is scored by, in the order of the stages."""


def build_scorer(method: str, models: Models) -> Scorer:
    """The scorer of that name, its models loaded.

    Raises:
        UnknownMethodError: there is none; the error lists those there are.
        UnsuitableModelError: the bundle has no model for it.
    """
    if method not in SCORERS:
        raise UnknownMethodError(f"no scorer {method!r}; known: {', '.join(SCORERS)}")
    return SCORERS[method].build(models)


def models_of(
    method: str,
    models: Models,
    settings: Vq2Settings = AS_PUBLISHED,
    named: Callable[[ScoringModel], str] = identity,
) -> str:
    """The models that a method's score depends on, e.g. "icon-clip@3f2a91c0"."""
    roles = SCORERS[method].roles
    if "answerer" in roles and settings.assessment == "A":
        roles = (*roles, "inference")
    specs = (getattr(models.bundle, role) for role in roles)
    return ",".join(dict.fromkeys(named(spec) for spec in specs if spec))


def knowledge_of(models: Models, role: str) -> Knowledge | None:
    """What the model of a role knows; None for a model without such a limit."""
    file = getattr(getattr(models.bundle, role), "knows", None)
    return read_knowledge(file) if file else None
