"""How well questions are answered, and captions told from foils: shares with their intervals.

Every interval is of 95 % and draws pictures, with all that is asked about each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from alignment.models.loading import Models
from alignment.questions.round_trip import normalised_words
from alignment.questions.settings import Vq2Settings
from alignment.statistics.intervals import (
    Measured,
    measured_mean,
    measured_ratio,
    proportion_interval,
)
from benchmarks.progress import watched
from benchmarks.statistics.classification import measured_auc, roc_auc
from benchmarks.stickers.evaluators import (
    CaptionAndFoil,
    JudgedQuestion,
    StickerExample,
    answer_questions,
    score_captions,
)

OVERALL = "all"


@dataclass(frozen=True)
class AnswerQuality:
    """How well questions of one kind are answered."""

    questions: int
    balanced_accuracy: Measured
    """Of yes and no to stated answers: the mean of both rates, 0.5 by chance."""
    exact: Measured
    """Part of the free answers that are right, letter case and articles aside."""
    exact_by_chance: float
    """The same of an answerer that gives each kind of question its commonest right answer."""


@dataclass(frozen=True)
class Separation:
    """How well one method tells true captions from foils, over the pictures it could score."""

    auc: Measured
    """ROC AUC of true captions against foils of all pictures; 0.5 by chance."""
    paired: Measured
    """Part of the pictures whose true caption scores above its foil; ties count half."""
    by_kind: Mapping[str, float]
    """ROC AUC over the pictures whose foil was changed in this kind of claim."""


@dataclass(frozen=True)
class Pointing:
    """Whether the weakest pair of a foil overlaps the words that were changed."""

    share: Measured
    """Of the foils of which some question survived the round trip."""
    unasked: int
    """All others."""
    chance: float
    """What a pair chosen at random reaches, in expectation."""


@dataclass(frozen=True)
class EvaluatorResults:
    """Everything this benchmark measures of evaluators."""

    pictures: int
    settings: str
    """Signature of those of VQ2."""
    answers: Mapping[str, AnswerQuality]
    """Kind of question, or `OVERALL` -> how well it is answered."""
    captions: Mapping[str, Separation]
    """Method -> how well it tells captions from foils."""
    pointed: Pointing


def by_kind(answered: Sequence[JudgedQuestion]) -> Iterator[tuple[str, list[JudgedQuestion]]]:
    """The answers of each kind in alphabetical order, then all of them as `OVERALL`."""
    for kind in sorted({each.question.kind for each in answered}):
        yield kind, [each for each in answered if each.question.kind == kind]
    yield OVERALL, [*answered]


def answer_quality(
    answered: Sequence[JudgedQuestion], generator: np.random.Generator
) -> AnswerQuality:
    """Measure some answers; a question that was put twice to a picture counts twice."""
    pictures = np.array([each.picture for each in answered])
    truth = np.array([each.question.holds for each in answered])
    correct = np.array([each.probability >= 0.5 for each in answered]) == truth
    weights = np.array([1 / np.sum(truth == holds) for holds in truth]) / len({*truth.tolist()})
    exact = [float(is_right(each.answer, each.question.accepted)) for each in answered]
    right = measured_mean(exact, generator, pictures)
    balanced = _weighted_mean(correct, weights, pictures, generator)
    return AnswerQuality(len(answered), balanced, right, _by_chance(answered))


def _weighted_mean(
    correct: np.ndarray, weights: np.ndarray, pictures: np.ndarray, generator: np.random.Generator
) -> Measured:
    """The weighted share of what is correct; with Wilson's interval where all is, or nothing."""
    _, units = np.unique(pictures, return_inverse=True)
    drawn, value = int(units.max()) + 1, float(weights @ correct)
    if correct.all() or not correct.any():
        return Measured(value, *proportion_interval(drawn * float(correct[0]), drawn), drawn)
    right = np.bincount(units, weights * correct)
    return replace(measured_ratio(right, np.bincount(units, weights), generator), value=value)


def _by_chance(answered: Sequence[JudgedQuestion]) -> float:
    """How often the commonest right answer to the questions of a kind is right."""
    right = 0
    for kind in {each.question.kind for each in answered}:
        accepted = [{*each.question.accepted} for each in answered if each.question.kind == kind]
        right += max(sum(one in some for some in accepted) for one in set.union(*accepted))
    return right / len(answered)


def is_right(answer: str, accepted: Sequence[str]) -> bool:
    """Whether a free answer is one of those accepted, letter case, marks and articles aside.

    >>> is_right("The apple", ["apple", "apples"]), is_right("green", ["black"])
    (True, False)
    """
    return normalised_words(answer) in [normalised_words(each) for each in accepted]


def separation(
    pairs: Sequence[CaptionAndFoil], method: str, generator: np.random.Generator
) -> Separation:
    """Measure how well a method tells true captions from foils."""
    scored = [pair for pair in pairs if None not in (pair.caption[method], pair.foil[method])]
    scores = np.array([(pair.caption[method], pair.foil[method]) for pair in scored], dtype=float)
    ahead = (1 + np.sign(scores[:, 0] - scores[:, 1])) / 2
    labels, pictures = np.tile([1, 0], len(scored)), np.repeat(np.arange(len(scored)), 2)
    whole = measured_auc(labels, scores.ravel(), pictures, generator)
    kinds = {
        name: auc(scores[[pair.kind == name for pair in scored]])
        for name in sorted({pair.kind for pair in scored})
    }
    return Separation(cast("Measured", whole), measured_mean(ahead, generator), kinds)


def auc(scores: np.ndarray) -> float:
    """ROC AUC of true captions against foils: how often a caption scores higher; ties count half.

    Args:
        scores: shape (pictures, 2): of the caption, of the foil.

    >>> auc(np.array([[0.9, 0.1], [0.8, 0.85]]))
    0.75
    """
    return roc_auc(np.tile([1, 0], len(scores)), scores.ravel())


def pointing(pairs: Sequence[CaptionAndFoil], generator: np.random.Generator) -> Pointing:
    """Measure how often the weakest pair of a foil is about what was changed.

    >>> pairs = [CaptionAndFoil("size", {}, {}, pointed=hit, chance=0.25) for hit in (True, None)]
    >>> found = pointing(pairs, np.random.default_rng(7))
    >>> found.share.n, found.unasked, found.share.value, found.chance
    (1, 1, 1.0, 0.25)
    """
    asked = [(float(each.pointed), each.chance) for each in pairs if each.pointed is not None]
    hits, chances = np.array(asked).T
    return Pointing(measured_mean(hits, generator), len(pairs) - len(hits), float(chances.mean()))


def measure(
    examples: Sequence[StickerExample],
    models: Models,
    generator: np.random.Generator,
    settings: Vq2Settings,
) -> EvaluatorResults:
    """Ask every question and score every caption."""
    answered = answer_questions(examples, models.answerer)
    shown = watched(examples, "captions and foils")
    pairs = [score_captions(example, models, settings) for example in shown]
    return EvaluatorResults(
        len(examples),
        str(settings.signature),
        {name: answer_quality(some, generator) for name, some in by_kind(answered)},
        {method: separation(pairs, method, generator) for method in pairs[0].caption},
        pointing(pairs, generator),
    )
