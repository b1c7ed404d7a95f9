"""Fitting a calibration on labelled pairs of an image and a text.

By logistic regression on the logit of the score, or by centred isotonic regression, whichever has
the smaller cross-validated log loss; the expected calibration error is cross-validated too. How
much the number of questions counts is fitted first, by a logistic regression on both.

Sources: Niculescu-Mizil and Caruana, "Predicting Good Probabilities with Supervised Learning",
ICML 2005; Oron and Flournoy, "Centered Isotonic Regression", Statistics in Biopharmaceutical
Research 9(3), 2017: between the centres of its blocks the fit rises, so that no two scores share a
chance because they share a block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage

from alignment.abstention import risk_by_source, thresholds_by_source
from alignment.arrays import Floats
from alignment.calibration import (
    CALIBRATIONS,
    EDGE,
    Calibration,
    ReliabilityBin,
    adjusted_for_questions,
    asks_questions,
    logits,
    save_calibration,
)
from alignment.evaluation import needs_questions, read_prompt, scores_of
from alignment.judgements import complete
from alignment.labelled_pairs import names_of, read_labelled_pairs, units_of
from alignment.models.loading import Models
from alignment.models.revisions import versioned
from alignment.models.vlm import EncodedImages
from alignment.questions.records import QuestionAnswer
from alignment.questions.settings import Vq2Settings
from alignment.ranking import MEAN_OF, METHODS
from alignment.records import ImageScore
from alignment.scorers import models_of

if TYPE_CHECKING:
    import pandas as pd

QuestionsOf: TypeAlias = Callable[[str], tuple[QuestionAnswer, ...]]
"""The questions of a text."""

BINS = 10
FOLDS = 5
FEWEST = 50
"""Pairs of either kind, right and wrong, without which nothing is fitted."""
FEWEST_UNITS = 20
"""Groups of pairs of a source without which no promise of one in twenty can be kept on it."""
KNOTS = 41
PROMISE = 0.05
"""The share of pairs that get a wrong verdict at most, on each source apart."""
SEED = 7
"""Of intervals and of the halves that thresholds are tried on."""


def _scores_of_pairs(
    pairs: pd.DataFrame, method: str, models: Models, settings: Vq2Settings, read: QuestionsOf
) -> Iterator[ImageScore]:
    """The score of each pair, in order; pairs of one text that follow one another are read once."""
    for text, group in groupby(pairs.itertuples(), key=lambda pair: str(pair.text)):
        images = EncodedImages([PillowImage.open(pair.image).convert("RGB") for pair in group])
        questions = read(text) if needs_questions(method, models) else ()
        for _, scores in scores_of(text, images, [method], models, settings, questions):
            yield from scores


def calibrate(
    tables: Sequence[Path],
    models: Models,
    settings: Vq2Settings,
    *,
    methods: Sequence[str] = METHODS,
    date: str,
    folder: Path = CALIBRATIONS,
) -> Iterator[Calibration]:
    """Fit and store the calibration of each method on tables as `read_labelled_pairs` reads them.

    Raises:
        ValueError: a table cannot be read, is given twice, or has too few pairs.
        AlignmentError: a model cannot be loaded.
    """
    import pandas as pd

    names = names_of(tables)
    pairs = pd.concat([*map(read_labelled_pairs, tables, names)], ignore_index=True)
    pairs["unit"] = units_of(pairs)
    _check_units(pairs)
    scores, whole = pd.DataFrame(index=pairs.index), pd.DataFrame(index=pairs.index)
    questions = pd.DataFrame(0, index=pairs.index, columns=[*methods])
    read = cache(partial(read_prompt, models=models, settings=settings))  # once for all methods
    for method in methods:
        if method == "mean" and {*MEAN_OF} <= {*scores}:
            scores[method] = scores[[*MEAN_OF]].mean(axis="columns", skipna=False)
            whole[method] = whole[[*MEAN_OF]].all(axis="columns")
        else:
            found = [*_scores_of_pairs(pairs, method, models, settings, read)]
            scores[method] = pd.Series([score.value for score in found], dtype=float)
            whole[method] = [*map(complete, found)]
            if method != "mean":  # of two scores, of which one stands on questions
                questions[method] = [len(score.evidence) for score in found]
        of_method = {
            "score": scores[method],
            "whole": whole[method],
            "questions": questions[method],
        }
        known = pairs.assign(**of_method).dropna(subset="score")
        known = wholly_judged(known)
        fitted = fit_calibration(
            known,
            method=method,
            models=models,
            settings=settings,
            data=", ".join(names),
            date=date,
        )
        left = tuple(name for name in names if name not in {*known["source"]})
        fitted = replace(fitted, unscored=left)
        save_calibration(fitted, folder)
        yield fitted


def wholly_judged(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs of which every word was judged, where they are enough; else all.

    The page calls only such images right, and what is wrong with another pair may be in the words
    of which its score says nothing. They are enough where every source keeps its kinds, right and
    wrong.
    """
    whole = pairs[pairs["whole"]]
    units = whole.groupby("source")["unit"].nunique()
    before, after = (each.groupby("source")["right"].nunique() for each in (pairs, whole))
    right = whole["right"].sum()
    enough = min(right, len(whole) - right) >= FEWEST and units.min() >= FEWEST_UNITS
    return whole if enough and before.equals(after) else pairs


def fit_calibration(
    pairs: pd.DataFrame,
    *,
    method: str,
    models: Models,
    settings: Vq2Settings,
    data: str,
    date: str,
) -> Calibration:
    """The calibration of a method on labelled pairs.

    The pairs have columns `score`, in [0, 1]; `questions`, how many it is a mean over, 0 if none;
    `right`; `source`, on each of which the promise is kept; and `unit`, what is drawn, e.g. the
    prompt of each pair. `data` names them for people.

    Raises:
        ValueError: there are fewer than `FEWEST` pairs that are right, or that are wrong, or
            a source has fewer than `FEWEST_UNITS` units.
    """
    x, y, units, questions = (
        pairs[name].to_numpy() for name in ("score", "right", "unit", "questions")
    )
    if min(y.sum(), (~y).sum()) < FEWEST:
        raise ValueError(
            f"{y.sum()} right and {(~y).sum()} wrong pairs; give at least {FEWEST} of each"
        )
    _check_units(pairs)
    kinds = ("logistic", "isotonic")
    held_out = {kind: _cross_validated(kind, x, questions, y, units) for kind in kinds}
    kind = min(held_out, key=lambda name: _log_loss(held_out[name], y))
    per_question = round(_per_question(x, questions, y), 4)
    weighed = adjusted_for_questions(x, questions, per_question)
    knots = np.unique(np.quantile(weighed, np.linspace(0, 1, KNOTS)))
    chances = _fitted(kind, weighed, y)(knots)
    labelled = pairs.assign(chance=held_out[kind])
    before, after = reliability(x, y), reliability(held_out[kind], y)
    threshold = _rounded_up(max(thresholds_by_source(labelled, PROMISE).values()))
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
        error=round(expected_calibration_error(after), 4),
        error_before=round(expected_calibration_error(before), 4),
        reliability=after,
        reliability_before=before,
        promise=PROMISE,
        threshold=threshold,
        per_question=per_question,
        by_source=risk_by_source(labelled, threshold, PROMISE, np.random.default_rng(SEED)),
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


def _check_units(pairs: pd.DataFrame) -> None:
    """Refuse a source of too few units: its threshold, and so that of all, would be "never"."""
    for source, count in pairs.groupby("source", sort=False)["unit"].nunique().items():
        if count < FEWEST_UNITS:
            raise ValueError(
                f"{source} has {count} groups of pairs that share an image or a text; "
                f"give at least {FEWEST_UNITS} in each table"
            )


def _fitted(kind: str, x: Floats, y: npt.NDArray[np.bool_]) -> Callable[[Floats], Floats]:
    """From scores to chances."""
    from sklearn.isotonic import IsotonicRegression
    from sklearn.linear_model import LogisticRegression

    if kind == "isotonic":
        levels = IsotonicRegression(y_min=0, y_max=1).fit_transform(x, y)
        chances, block = np.unique(levels, return_inverse=True)
        centres = np.bincount(block, weights=x) / np.bincount(block)
        return lambda scores: np.interp(scores, centres, chances)
    logistic: Any = LogisticRegression().fit(logits(x)[:, None], y)
    return lambda scores: np.asarray(
        logistic.predict_proba(logits(scores)[:, None])[:, 1], dtype=float
    )


def _rounded_up(threshold: float) -> float:
    """A threshold with four digits that is no smaller: a smaller one might not keep the promise."""
    return math.ceil(threshold * 1e4) / 1e4


def _per_question(x: Floats, questions: npt.NDArray[np.int_], y: npt.NDArray[np.bool_]) -> float:
    """How much of a score's logit each question behind it is worth."""
    from sklearn.linear_model import LogisticRegression

    if len({*questions}) < 2:
        return 0.0
    both: Any = LogisticRegression().fit(np.column_stack([logits(x), questions]), y)
    return float(both.coef_[0, 1] / both.coef_[0, 0])


def _cross_validated(
    kind: str,
    x: Floats,
    questions: npt.NDArray[np.int_],
    y: npt.NDArray[np.bool_],
    units: npt.NDArray[np.int_],
) -> Floats:
    """The chance of each pair by a fit on the other folds; a unit is in one fold."""
    from sklearn.model_selection import GroupKFold

    chances = np.empty_like(x)
    folds = GroupKFold(FOLDS, shuffle=True, random_state=0)
    for others, fold in folds.split(x, y, units):
        per_question = _per_question(x[others], questions[others], y[others])
        weighed = adjusted_for_questions(x, questions, per_question)
        chances[fold] = _fitted(kind, weighed[others], y[others])(weighed[fold])
    return chances


def _log_loss(chances: Floats, y: npt.NDArray[np.bool_]) -> float:
    from sklearn.metrics import log_loss

    return float(log_loss(y, chances.clip(EDGE, 1 - EDGE)))
