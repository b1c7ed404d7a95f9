"""Calibration: from a method's score to the chance that an image shows what its prompt asks for.

A score orders images; RBP and ERR need a chance. A calibration belongs to one method of one bundle,
with its models and settings, and is stored with the data it was fitted on: see
`alignment.calibration_fit`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from alignment.abstention import NEVER, SourceRisk
from alignment.arrays import Floats
from alignment.models.loading import Models
from alignment.models.revisions import versioned
from alignment.questions.settings import Vq2Settings
from alignment.scorers import SCORERS, models_of

EDGE = 1e-4
"""Scores are kept this far from 0 and 1 before their logit is taken."""
CALIBRATIONS = Path(__file__).resolve().parents[1] / "assets" / "calibration"
"""Bundle -> method -> a file of it."""


@dataclass(frozen=True)
class ReliabilityBin:
    """Scores that are given a similar chance, and how often their images were right."""

    chance: float
    """Mean of what they are given, cross-validated."""
    right: float
    """Share of them that is right."""
    count: int


@dataclass(frozen=True)
class Calibration:
    """The chance that an image is right, given its score by one method."""

    method: str
    bundle: str
    models: str
    """The models that the score depends on, with their revisions, in whatever precision they run:
    it moves a score by less than calibrations are off."""
    settings: str
    """Signature of the settings of VQ2."""
    kind: Literal["logistic", "isotonic"]
    scores: tuple[float, ...]
    """Knots, ascending; between them the chance is interpolated, beyond them it is constant. See
    `chance` for what is nearest to certainty."""
    chances: tuple[float, ...]
    data: str
    """What it was fitted on."""
    pairs: int
    right: int
    """Of these, the pairs whose image shows what the text says."""
    date: str
    error: float
    """Expected calibration error, cross-validated."""
    error_before: float
    """The same of the bare score taken for a chance."""
    reliability: tuple[ReliabilityBin, ...]
    reliability_before: tuple[ReliabilityBin, ...]
    promise: float = 0.05
    """The share of pairs that `verdict` gets wrong at most, on each table of the data apart."""
    threshold: float = NEVER
    """How clear a chance must be for a verdict: the largest of the thresholds of the tables, see
    `alignment.abstention`."""
    by_source: tuple[SourceRisk, ...] = ()
    """What `threshold` gives on the pairs of each table of the data, cross-validated. Files that
    earlier versions wrote have none: their promise is for all pairs together."""
    per_question: float = 0.0
    """What each question behind a score adds to its logit before its chance is looked up. A score
    is a mean: of two equal ones that of fewer questions is right more often."""
    unscored: tuple[str, ...] = ()
    """The tables of the data of which the method could score no pair: nothing is fitted on them,
    and on images like theirs nothing is promised."""

    @property
    def name(self) -> str:
        """What signatures call it: its date, and a hash of what was fitted and on what.

        Two fits of one day differ in it where they give other chances or verdicts.
        """
        fitted = (self.kind, self.scores, self.chances, self.threshold, self.per_question)
        source = (self.method, self.bundle, self.models, self.settings, self.data)
        content = json.dumps([*fitted, *source, self.pairs, self.right])
        return f"{self.date}@{hashlib.sha256(content.encode()).hexdigest()[:8]}"

    def chance(self, score: float, questions: int = 0) -> float:
        """The chance in (0, 1) that an image with this score is right.

        Args:
            score: in [0, 1].
            questions: how many it is a mean over; 0 of a method that asks none.

        It is no nearer to certainty than half a pair in all that were fitted: an isotonic fit
        alone gives 0 and 1 at its ends.
        """
        least = 0.5 / (self.pairs + 1)
        weighed = adjusted_for_questions(
            np.array([score]), np.array([questions]), self.per_question
        )
        return float(np.interp(weighed[0], self.scores, self.chances).clip(least, 1 - least))


def adjusted_for_questions(
    scores: Floats, questions: npt.NDArray[np.int_], per_question: float
) -> Floats:
    """Scores whose logits are moved by so much for each question behind them.

    >>> adjusted_for_questions(np.array([0.5, 0.5]), np.array([0, 4]), -0.25).round(3).tolist()
    [0.5, 0.269]
    """
    from scipy.special import expit

    return np.asarray(expit(logits(scores) + per_question * questions), dtype=float)


def logits(scores: Floats) -> Floats:
    """The logits of scores, which are kept `EDGE` from 0 and 1."""
    from scipy.special import logit

    return np.asarray(logit(np.clip(scores, EDGE, 1 - EDGE)), dtype=float)


def save_calibration(calibration: Calibration, folder: Path = CALIBRATIONS) -> Path:
    """Write it as `folder/BUNDLE/METHOD.json`."""
    from pydantic import TypeAdapter

    file = folder / calibration.bundle / f"{calibration.method}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(TypeAdapter(Calibration).dump_json(calibration, indent=1) + b"\n")
    return file


def calibrations_of(
    models: Models, settings: Vq2Settings, folder: Path | None = None
) -> dict[str, Calibration]:
    """Method -> its calibration, where there is one for just these models and settings.

    Args:
        models: those of a bundle.
        settings: of VQ2.
        folder: where the files are; `CALIBRATIONS` when None.
    """
    from pydantic import TypeAdapter

    files = sorted(((folder or CALIBRATIONS) / models.bundle.name).glob("*.json"))
    stored = [TypeAdapter(Calibration).validate_json(file.read_bytes()) for file in files]
    return {each.method: each for each in stored if _fits(each, models, settings)}


def relevance_of(
    values: Mapping[str, Sequence[float | None]],
    calibrations: Mapping[str, Calibration],
    questions: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> dict[str, tuple[float | None, ...]]:
    """Method -> the chance of each cell that has a score, for the methods that are calibrated.

    Args:
        values: method -> the score of each cell.
        calibrations: by method.
        questions: method -> how many are behind the score of each cell; without them, none.
    """
    return {
        method: tuple(
            None if value is None else each.chance(value, count)
            for value, count in zip(values[method], questions.get(method, repeat(0)), strict=False)
        )
        for method, each in calibrations.items()
        if method in values
    }


def _fits(stored: Calibration, models: Models, settings: Vq2Settings) -> bool:
    expected = str(settings.signature) if asks_questions(stored.method) else ""
    return (stored.models, stored.settings) == (
        models_of(stored.method, models, settings, versioned),
        expected,
    )


def asks_questions(method: str) -> bool:
    """Whether a method's score depends on questions, and so on the settings of VQ2."""
    return method in SCORERS and "question_writer" in SCORERS[method].roles
