"""How well questions are answered, and captions told from foils, in numbers with their intervals.

Every interval is of 95 % and draws images, with all that is asked about each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from benchmarks.data.numbers import Number, auc
from benchmarks.progress import watched
from benchmarks.statistics.classification import roc_auc
from benchmarks.stickers.evaluators import (
    CaptionAndFoil,
    JudgedQuestion,
    StickerExample,
    answer_questions,
    score_captions,
)

ALL = "all"
YES_OR_NO, FREE, POINTED = "yes or no, balanced", "free answer right", "pointed"


def answer_numbers(
    answered: Sequence[JudgedQuestion], generator: np.random.Generator
) -> Iterator[Number]:
    """How well questions are answered, of each kind in alphabetical order and of `ALL`.

    Yes or no to stated answers, the mean of both rates; free answers, letter case and articles
    aside, whose chance is that each kind of question gets its commonest right answer. A question
    that was put twice to an image counts twice.
    """
    kinds = sorted({each.question.kind for each in answered})
    for kind in (*kinds, ALL) if answered else ():
        some = [each for each in answered if kind in (each.question.kind, ALL)]
        about = {"kind": kind, "asked": len(some)}
        images = np.array([each.image for each in some])
        exact = [float(is_right(each.answer, each.question.accepted)) for each in some]
        right = measured_mean(exact, generator, images)
        yield Number.of(YES_OR_NO, about, _balanced(some, images, generator), chance=0.5)
        yield Number.of(FREE, about, right, chance=_by_chance(some))


def _balanced(
    answered: Sequence[JudgedQuestion], images: np.ndarray, generator: np.random.Generator
) -> Measured:
    """The balanced accuracy; with Wilson's interval where all is right, or nothing."""
    truth = np.array([each.question.holds for each in answered])
    correct = np.array([each.probability >= 0.5 for each in answered]) == truth
    weights = np.array([1 / np.sum(truth == holds) for holds in truth]) / len({*truth.tolist()})
    _, units = np.unique(images, return_inverse=True)
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
) -> Iterator[Number]:
    """How well a method tells true captions from foils, over the images that it could score.

    The ROC AUC of all images, the part whose caption scores above its foil (ties count half), and
    the AUC over the images whose foil was changed in each kind of claim.
    """
    scored = [pair for pair in pairs if None not in (pair.caption[method], pair.foil[method])]
    scores = np.array([(pair.caption[method], pair.foil[method]) for pair in scored], dtype=float)
    ahead = (1 + np.sign(scores[:, 0] - scores[:, 1])) / 2
    about = {"method": method, "changed": ALL, "n": len(scored)}
    labels, images = np.tile([1, 0], len(scored)), np.repeat(np.arange(len(scored)), 2)
    yield auc(labels, scores.ravel(), images, generator, about)
    yield Number.of("caption above foil", about, measured_mean(ahead, generator), chance=0.5)
    for kind in sorted({pair.kind for pair in scored}):
        own = scores[[pair.kind == kind for pair in scored]]
        value = roc_auc(np.tile([1, 0], len(own)), own.ravel())
        said = {"method": method, "changed": kind, "n": len(own)}
        yield Number("AUC", said, value, chance=0.5)


def pointing(pairs: Sequence[CaptionAndFoil], generator: np.random.Generator) -> Iterator[Number]:
    """How often the weakest pair of a foil is about what was changed: of all, then of each kind.

    By chance, as a pair chosen at random would, in exact expectation. Foils of which nothing could
    be asked are left out.
    """
    asked = [each for each in pairs if each.pointed is not None]
    kinds = sorted({each.kind for each in asked} - {""})
    for kind in (ALL, *kinds) if asked else ():
        own = [each for each in asked if kind in (each.kind, ALL)]
        right = measured_mean([bool(each.pointed) for each in own], generator)
        about = {"changed": kind, "n": len(own)}
        if kind == ALL:
            about["unasked"] = len(pairs) - len(asked)
        chance = float(np.mean([each.chance for each in own]))
        yield Number.of(POINTED, about, right, chance=chance)


def measure(
    examples: Sequence[StickerExample],
    models: Models,
    generator: np.random.Generator,
    settings: Vq2Settings,
) -> list[Number]:
    """Ask every question and score every caption."""
    answered = answer_questions(examples, models.answerer)
    shown = watched(examples, "captions and foils")
    pairs = [score_captions(example, models, settings) for example in shown]
    return [
        *answer_numbers(answered, generator),
        *(each for method in pairs[0].caption for each in separation(pairs, method, generator)),
        *pointing(pairs, generator),
    ]
