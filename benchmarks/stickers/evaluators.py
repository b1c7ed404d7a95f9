"""How well a bundle of evaluators sees pictures with captions, foils and questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.evaluation import METHODS, read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import AnswerModel, ImageQuestion, Pictures
from alignment.questions.round_trip import normalised_words
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.ranking import mean
from alignment.records import ImageScore
from alignment.scorers import GRID_METHODS, SCORERS, ScoringInput
from benchmarks.progress import watched

ASSETS = Path(__file__).parents[2] / "assets" / "benchmarks"
SETS = {"development": ASSETS / "stickers", "test": ASSETS / "stickers_test"}
"""The development set was read for mistakes while training changed; the test set is only scored."""
DEVELOPMENT = SETS["development"]
OVERALL = "all"
RESAMPLES = 2000


@dataclass(frozen=True)
class StickerQuestion:
    """A question about a picture and an answer that someone claims."""

    kind: str
    question: str
    answer: str
    holds: bool
    accepted: tuple[str, ...]
    """Every free answer that is right."""


@dataclass(frozen=True)
class StickerExample:
    """A picture, its true caption, a foil, and questions."""

    image: Image
    caption: str
    foil: str
    kind: str
    """Of the claim that was changed."""
    changed: tuple[tuple[int, int], ...]
    """Start and end of the words of the foil that its caption does not have."""
    questions: tuple[StickerQuestion, ...]


@dataclass(frozen=True)
class JudgedQuestion:
    """What a model said to one question."""

    question: StickerQuestion
    probability: float
    """P(yes) of the predicate, in [0, 1]."""
    answer: str
    """Its free answer."""


@dataclass(frozen=True)
class CaptionAndFoil:
    """One picture held against its true caption and against the foil."""

    kind: str
    caption: Mapping[str, float | None]
    """Method -> score of the true caption."""
    foil: Mapping[str, float | None]
    pointed: bool | None
    """Whether the foil's weakest pair overlaps the changed words; None without any pair."""


@dataclass(frozen=True)
class AnswerQuality:
    """How well questions of one kind are answered."""

    questions: int
    balanced_accuracy: float
    """Of yes and no to stated answers: the mean of both rates, 0.5 by chance."""
    exact: float
    """Part of the free answers that are right, letter case and articles aside."""


@dataclass(frozen=True)
class Separation:
    """How well one method tells true captions from foils, over the pictures it could score."""

    pictures: int
    auc: float
    low: float
    """Of the 95 % interval, resampling pictures."""
    high: float
    paired: float
    """Part of the pictures whose true caption scores above its foil; ties count half."""
    by_kind: Mapping[str, float]
    """ROC AUC over the pictures whose foil was changed in this kind of claim."""


@dataclass(frozen=True)
class EvaluatorResults:
    """Everything this benchmark measures."""

    pictures: int
    answers: Mapping[str, AnswerQuality]
    """Kind of question, or `OVERALL` -> how well it is answered."""
    captions: Mapping[str, Separation]
    """Method -> how well it tells captions from foils."""
    pointed: float
    """Part of the foils whose weakest pair overlaps the changed words, where there was a pair."""
    unasked: int
    """Foils of which no question survived the round trip."""


def read_examples(folder: Path = DEVELOPMENT, limit: int | None = None) -> list[StickerExample]:
    """The first examples of a set."""
    lines = (folder / "scenes.jsonl").read_text(encoding="utf-8").splitlines()[:limit]
    return [_example(folder, json.loads(line)) for line in lines]


def _example(folder: Path, line: dict[str, Any]) -> StickerExample:
    return StickerExample(
        image=PillowImage.open(folder / line["image"]).convert("RGB"),
        caption=line["caption"],
        foil=line["foil"],
        kind=line["changed"]["kind"],
        changed=tuple((start, end) for start, end in line["changed"]["ranges"]),
        questions=tuple(
            StickerQuestion(**{**each, "accepted": tuple(each["accepted"])})
            for each in line["questions"]
        ),
    )


def answer_questions(
    examples: Sequence[StickerExample], model: AnswerModel
) -> list[JudgedQuestion]:
    """Put every question of every picture to a model, once as a predicate and once freely."""
    features = model.encode([example.image for example in examples])
    asked = [(image, each) for image, example in enumerate(examples) for each in example.questions]
    predicates = [
        ImageQuestion(
            image, model.templates.predicate.format(answer=each.answer, question=each.question)
        )
        for image, each in asked
    ]
    judged = model.p_yes(features, predicates)
    answers = model.answer(features, [ImageQuestion(image, each.question) for image, each in asked])
    return [
        JudgedQuestion(each, yes.probability, answer)
        for (_, each), yes, answer in zip(asked, judged, answers, strict=True)
    ]


def score_captions(
    example: StickerExample, models: Models, settings: Vq2Settings | None = None
) -> CaptionAndFoil:
    """Score the true caption and the foil by every method.

    Args:
        example: a picture with its texts.
        models: those of a bundle.
        settings: of VQ2; when None questions as the bundle's settings have them and their mean.
    """
    pictures, texts = Pictures([example.image]), (example.caption, example.foil)
    caption, foil = (_scores(text, pictures, models, settings) for text in texts)
    weakest = foil["vq2"].weakest
    pointed = None
    if weakest:
        span = weakest.pair.answer
        pointed = overlaps((span.start, span.end), example.changed)
    return CaptionAndFoil(example.kind, _values(caption), _values(foil), pointed)


def _scores(
    text: str, pictures: Pictures, models: Models, settings: Vq2Settings | None
) -> dict[str, ImageScore]:
    scored = ScoringInput(text, read_prompt(text, models, settings), settings or AS_PUBLISHED)
    return {
        name: score
        for name in GRID_METHODS
        for score in SCORERS[name].build(models).score(scored, pictures)
    }


def _values(scores: Mapping[str, ImageScore]) -> dict[str, float | None]:
    values = {name: score.value for name, score in scores.items()}
    return {**values, "mean": mean((values["vq2"], values["vnli"]))}


def overlaps(span: tuple[int, int], ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether a span shares a character with one of the ranges.

    >>> overlaps((2, 5), [(0, 2), (4, 9)]), overlaps((2, 4), [(0, 2), (4, 9)])
    (True, False)
    """
    return any(span[0] < end and start < span[1] for start, end in ranges)


def by_kind(answered: Sequence[JudgedQuestion]) -> Iterator[tuple[str, list[JudgedQuestion]]]:
    """The answers of each kind in alphabetical order, then all of them as `OVERALL`."""
    for kind in sorted({each.question.kind for each in answered}):
        yield kind, [each for each in answered if each.question.kind == kind]
    yield OVERALL, [*answered]


def summarise(answered: Sequence[JudgedQuestion]) -> AnswerQuality:
    """Measure some answers; a question that was put twice to a picture counts twice."""
    truth = np.array([each.question.holds for each in answered])
    said = np.array([each.probability >= 0.5 for each in answered])
    exact = [is_right(each.answer, each.question.accepted) for each in answered]
    rates = [np.mean((said == truth)[truth == holds]) for holds in {*truth.tolist()}]
    return AnswerQuality(len(answered), float(np.mean(rates)), float(np.mean(exact)))


def is_right(answer: str, accepted: Sequence[str]) -> bool:
    """Whether a free answer is one of those accepted, letter case, marks and articles aside.

    >>> is_right("The apple", ["apple", "apples"]), is_right("green", ["black"])
    (True, False)
    """
    return normalised_words(answer) in [normalised_words(each) for each in accepted]


def separation(
    pairs: Sequence[CaptionAndFoil], method: str, rng: np.random.Generator
) -> Separation:
    """Measure how well a method tells true captions from foils."""
    scored = [pair for pair in pairs if None not in (pair.caption[method], pair.foil[method])]
    scores = np.array([(pair.caption[method], pair.foil[method]) for pair in scored], dtype=float)
    ahead = np.sign(scores[:, 0] - scores[:, 1])
    low, high = interval(scores, rng)
    kinds = {
        name: auc(scores[[pair.kind == name for pair in scored]])
        for name in sorted({pair.kind for pair in scored})
    }
    return Separation(len(scored), auc(scores), low, high, float((1 + ahead).mean() / 2), kinds)


def auc(scores: NDArray[np.float64]) -> float:
    """ROC AUC of true captions against foils: how often a caption scores higher; ties count half.

    Args:
        scores: shape (pictures, 2): of the caption, of the foil.

    >>> auc(np.array([[0.9, 0.1], [0.8, 0.85]]))
    0.75
    """
    return float(_above(scores).mean())


def _above(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 where caption i scores higher than foil j, 1/2 where they tie: shape (pictures,) * 2."""
    above: NDArray[np.float64] = (1 + np.sign(scores[:, :1] - scores[:, 1])) / 2
    return above


def interval(scores: NDArray[np.float64], rng: np.random.Generator) -> tuple[float, float]:
    """95 % bootstrap interval of the ROC AUC; a picture is drawn with both its captions.

    Drawn w_i times each, pictures have AUC = sum of w_i w_j above[i, j] / n^2.
    """
    n, above = len(scores), _above(scores)
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES)
    low, high = np.quantile(((drawn @ above) * drawn).sum(axis=1) / n**2, (0.025, 0.975))
    return float(low), float(high)


def measure(
    examples: Sequence[StickerExample],
    models: Models,
    rng: np.random.Generator,
    settings: Vq2Settings | None = None,
) -> EvaluatorResults:
    """Ask every question and score every caption."""
    answered = answer_questions(examples, models.answerer)
    shown = watched(examples, "captions and foils")
    pairs = [score_captions(example, models, settings) for example in shown]
    pointed = [pair.pointed for pair in pairs if pair.pointed is not None]
    return EvaluatorResults(
        len(examples),
        {name: summarise(some) for name, some in by_kind(answered)},
        {method: separation(pairs, method, rng) for method in METHODS},
        float(np.mean(pointed)),
        len(pairs) - len(pointed),
    )
