"""Fitting a calibration on labelled pairs of an image and a text.

By logistic regression on the logit of the score, or by isotonic regression, whichever has the
smaller cross-validated log loss; the expected calibration error is cross-validated too.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage

from alignment.abstention import conformal_threshold, risk_by_source, risk_coverage
from alignment.calibration import (
    CALIBRATIONS,
    Calibration,
    ReliabilityBin,
    asks_questions,
    save_calibration,
)
from alignment.evaluation import read_prompt
from alignment.models.loading import Models
from alignment.models.revisions import versioned
from alignment.models.vlm import Pictures
from alignment.questions.settings import Vq2Settings
from alignment.ranking import MEAN_OF, METHODS, mean
from alignment.scorers import SCORERS, ScoringInput, models_of

Floats: TypeAlias = npt.NDArray[np.float64]

BINS = 10
FOLDS = 5
FEWEST = 50
"""Pairs of either kind, right and wrong, without which nothing is fitted."""
KNOTS = 41
PROMISE = 0.05
"""The share of images that a verdict gets wrong at most."""
EDGE = 1e-4
"""Scores are kept this far from 0 and 1 before their logit is taken."""
COLUMNS = ("image", "text", "label")


@dataclass(frozen=True)
class LabelledPair:
    """An image, a text, and whether the image shows what the text says."""

    image: Path
    text: str
    right: bool
    source: str
    """Its table, with the folder."""


def read_labelled_pairs(table: Path) -> tuple[LabelledPair, ...]:
    """The pairs of a CSV file in the format of SeeTRUE.

    Args:
        table: with columns image (a file, relative to the table's folder), text and label (0 or 1).

    Raises:
        ValueError: a column is missing, or a label is neither 0 nor 1.
    """
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    missing = [name for name in COLUMNS if not rows or name not in rows[0]]
    if missing:
        raise ValueError(f"{table.name} has no {', '.join(missing)}; give {', '.join(COLUMNS)}")
    if strange := [row["label"] for row in rows if row["label"] not in ("0", "1")]:
        raise ValueError(f"{table.name} has the label {strange[0]!r}; give 0 or 1")
    return tuple(
        LabelledPair(table.parent / row["image"], row["text"], row["label"] == "1", _name(table))
        for row in rows
    )


def _name(table: Path) -> str:
    """What a table is called in a calibration."""
    return f"{table.parent.name}/{table.name}"


def _scores_of_pairs(
    pairs: Sequence[LabelledPair], method: str, models: Models, settings: Vq2Settings
) -> Iterator[float | None]:
    """The score of each pair, in order; None where the method gives none.

    Pairs of one text that follow one another are read once.
    """
    scorer = SCORERS[method].build(models)
    for text, group in groupby(pairs, key=lambda pair: pair.text):
        questions = read_prompt(text, models, settings) if asks_questions(method) else ()
        images = [PillowImage.open(pair.image).convert("RGB") for pair in group]
        asked = ScoringInput(text, questions, settings)
        for score in scorer.score(asked, Pictures(images)):
            yield score.value


def calibrate(
    tables: Sequence[Path],
    models: Models,
    settings: Vq2Settings,
    *,
    methods: Sequence[str] = METHODS,
    date: str,
    folder: Path = CALIBRATIONS,
) -> Iterator[Calibration]:
    """Fit and store the calibration of each method on the pairs of some tables.

    Args:
        tables: files in the format of SeeTRUE, see `read_labelled_pairs`.
        models: those of the bundle.
        settings: of VQ2.
        methods: in `alignment.scorers.SCORERS`.
        date: of today, as 2026-11-22.
        folder: where the files go.

    Raises:
        ValueError: a table cannot be read, or has too few pairs.
        AlignmentError: a model cannot be loaded.
    """
    pairs = [pair for table in tables for pair in read_labelled_pairs(table)]
    data = ", ".join(map(_name, tables))
    scores: dict[str, list[float | None]] = {}
    for method in methods:
        if method == "mean" and {*MEAN_OF} <= {*scores}:
            scores[method] = [*map(mean, zip(*(scores[each] for each in MEAN_OF), strict=True))]
        else:
            scores[method] = [*_scores_of_pairs(pairs, method, models, settings)]
        each_with_label = zip(scores[method], pairs, strict=True)
        known = [(score, pair) for score, pair in each_with_label if score is not None]
        fitted = fit_calibration(
            [score for score, _ in known],
            [pair.right for _, pair in known],
            sources=[pair.source for _, pair in known],
            method=method,
            models=models,
            settings=settings,
            data=data,
            date=date,
        )
        save_calibration(fitted, folder)
        yield fitted


def fit_calibration(
    scores: Sequence[float],
    right: Sequence[bool],
    *,
    sources: Sequence[str] = (),
    method: str,
    models: Models,
    settings: Vq2Settings,
    data: str,
    date: str,
) -> Calibration:
    """The calibration of a method on labelled pairs.

    Args:
        scores: of each pair, in [0, 1].
        right: whether its image shows what its text says.
        sources: where each pair comes from; without them no risk is known by source.
        method: in `alignment.scorers.SCORERS`.
        models: what the scores were computed with.
        settings: of VQ2.
        data: a name for the pairs, for people.
        date: of today, as 2026-11-22.

    Raises:
        ValueError: there are fewer than `FEWEST` pairs that are right, or that are wrong.
    """
    x, y = np.asarray(scores, dtype=float), np.asarray(right, dtype=bool)
    if min(y.sum(), (~y).sum()) < FEWEST:
        raise ValueError(
            f"{y.sum()} right and {(~y).sum()} wrong pairs; give at least {FEWEST} of each"
        )
    held_out = {kind: _cross_validated(kind, x, y) for kind in ("logistic", "isotonic")}
    kind = min(held_out, key=lambda name: _log_loss(held_out[name], y))
    knots = np.unique(np.quantile(x, np.linspace(0, 1, KNOTS)))
    chances = _fitted(kind, x, y)(knots)
    threshold = round(conformal_threshold(held_out[kind], y, PROMISE), 4)
    return Calibration(
        method=method,
        bundle=models.bundle.name,
        models=models_of(method, models, settings, versioned),
        settings=str(settings.signature) if asks_questions(method) else "",
        kind="logistic" if kind == "logistic" else "isotonic",
        scores=tuple(knots.round(6).tolist()),
        chances=tuple(chances.round(6).tolist()),
        data=data,
        pairs=len(x),
        right=int(y.sum()),
        date=date,
        error=round(expected_calibration_error(reliability(held_out[kind], y)), 4),
        error_before=round(expected_calibration_error(reliability(x, y)), 4),
        reliability=reliability(held_out[kind], y),
        reliability_before=reliability(x, y),
        promise=PROMISE,
        threshold=threshold,
        risk_coverage=risk_coverage(held_out[kind], y),
        by_source=risk_by_source(held_out[kind], y, sources, threshold) if sources else (),
    )


def reliability(
    chances: Sequence[float] | Floats, right: Sequence[bool] | npt.NDArray[np.bool_]
) -> tuple[ReliabilityBin, ...]:
    """Chances in ten bins of equal width, empty ones left out, and how often each was right.

    >>> reliability([0.1, 0.95, 0.91], [False, True, True])[1]
    ReliabilityBin(chance=0.93, right=1.0, count=2)
    """
    given, truth = np.asarray(chances, dtype=float), np.asarray(right, dtype=float)
    bins = np.minimum((given * BINS).astype(int), BINS - 1)
    return tuple(
        ReliabilityBin(
            round(float(given[bins == each].mean()), 4),
            round(float(truth[bins == each].mean()), 4),
            int((bins == each).sum()),
        )
        for each in np.unique(bins)
    )


def expected_calibration_error(bins: Sequence[ReliabilityBin]) -> float:
    """The mean distance of chance and frequency over bins, weighted by their counts.

    >>> expected_calibration_error([ReliabilityBin(1.0, 0.5, 3), ReliabilityBin(0.5, 0.5, 1)])
    0.375
    """
    total = sum(each.count for each in bins)
    return float(sum(abs(each.chance - each.right) * each.count for each in bins) / total)


def _fitted(kind: str, x: Floats, y: npt.NDArray[np.bool_]) -> Callable[[Floats], Floats]:
    """From scores to chances."""
    from sklearn.isotonic import IsotonicRegression
    from sklearn.linear_model import LogisticRegression

    if kind == "isotonic":
        isotonic: Any = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(x, y)
        return lambda scores: np.asarray(isotonic.predict(scores), dtype=float)
    logistic: Any = LogisticRegression().fit(_logit(x), y)
    return lambda scores: np.asarray(logistic.predict_proba(_logit(scores))[:, 1], dtype=float)


def _cross_validated(kind: str, x: Floats, y: npt.NDArray[np.bool_]) -> Floats:
    """The chance of each pair by a fit on the other folds."""
    from sklearn.model_selection import StratifiedKFold

    chances = np.empty_like(x)
    for others, fold in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, y):
        chances[fold] = _fitted(kind, x[others], y[others])(x[fold])
    return chances


def _log_loss(chances: Floats, y: npt.NDArray[np.bool_]) -> float:
    safe = chances.clip(EDGE, 1 - EDGE)
    return float(-np.where(y, np.log(safe), np.log(1 - safe)).mean())


def _logit(scores: Floats) -> Floats:
    safe = np.asarray(scores, dtype=float).clip(EDGE, 1 - EDGE)
    return np.asarray(np.log(safe / (1 - safe)))[:, None]
