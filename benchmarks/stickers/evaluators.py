"""Pictures with captions, foils and questions come in; how well a bundle sees them goes out."""

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
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from alignment.evaluation import METHODS, read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import AnswerModel, ImageQuestion, Pictures
from alignment.questions.generation import normalised_words
from alignment.ranking import mean
from alignment.records import ImageScore
from alignment.scorers import GRID_METHODS, SCORERS, ScoringInput

TEST_SET = Path(__file__).parents[2] / "assets" / "benchmarks" / "stickers"
OVERALL = "all"
RESAMPLES = 2000


@dataclass(frozen=True)
class Question:
    """A question about a picture and an answer that someone claims."""

    kind: str
    question: str
    answer: str
    holds: bool
    seen: tuple[str, ...]
    """Every free answer that is right."""


@dataclass(frozen=True)
class Example:
    """A picture, its true caption, a foil, and questions."""

    image: Image
    caption: str
    foil: str
    kind: str
    """Of the claim that was changed."""
    changed: tuple[tuple[int, int], ...]
    """Start and end of the words of the foil that its caption does not have."""
    asks: tuple[Question, ...]


@dataclass(frozen=True)
class Answered:
    """What a model said to one question."""

    question: Question
    probability: float
    """P(yes) of the predicate, in [0, 1]."""
    seen: str
    """Its free answer."""


@dataclass(frozen=True)
class Pair:
    """One picture held against its true caption and against the foil."""

    kind: str
    caption: Mapping[str, float | None]
    """Method -> score of the true caption."""
    foil: Mapping[str, float | None]
    pointed: bool | None
    """Whether the foil's weakest pair overlaps the changed words; None without any pair."""


@dataclass(frozen=True)
class Answers:
    """How well questions of one kind are answered."""

    asks: int
    balanced_accuracy: float
    """Of yes and no to stated answers: the mean of both rates, 0.5 by chance."""
    exact: float
    """Part of the free answers that are right, letter case and articles aside."""


@dataclass(frozen=True)
class Separation:
    """How well one method tells true captions from foils, over the pictures it could judge."""

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
class Measured:
    """Everything this benchmark measures."""

    pictures: int
    answers: Mapping[str, Answers]
    """Kind of question, or `OVERALL` -> how well it is answered."""
    captions: Mapping[str, Separation]
    """Method -> how well it tells captions from foils."""
    pointed: float
    """Part of the foils whose weakest pair overlaps the changed words, where there was a pair."""
    unasked: int
    """Foils of which no question survived the round trip."""


def read_examples(folder: Path = TEST_SET, limit: int | None = None) -> list[Example]:
    """The first examples of a test set."""
    lines = (folder / "scenes.jsonl").read_text(encoding="utf-8").splitlines()[:limit]
    return [_example(folder, json.loads(line)) for line in lines]


def _example(folder: Path, line: dict[str, Any]) -> Example:
    return Example(
        image=PillowImage.open(folder / line["image"]).convert("RGB"),
        caption=line["caption"],
        foil=line["foil"],
        kind=line["changed"]["kind"],
        changed=tuple((start, end) for start, end in line["changed"]["ranges"]),
        asks=tuple(Question(**{**ask, "seen": tuple(ask["seen"])}) for ask in line["asks"]),
    )


def ask_all(examples: Sequence[Example], model: AnswerModel) -> list[Answered]:
    """Put every question of every picture to a model, once as a predicate and once freely."""
    features = model.encode([example.image for example in examples])
    asks = [(image, ask) for image, example in enumerate(examples) for ask in example.asks]
    predicates = [
        ImageQuestion(
            image, model.templates.predicate.format(answer=ask.answer, question=ask.question)
        )
        for image, ask in asks
    ]
    verdicts = model.p_yes(features, predicates)
    seen = model.answer(features, [ImageQuestion(image, ask.question) for image, ask in asks])
    return [
        Answered(ask, verdict.probability, answer)
        for (_, ask), verdict, answer in zip(asks, verdicts, seen, strict=True)
    ]


def judge(example: Example, models: Models) -> Pair:
    """Score the true caption and the foil by every method."""
    pictures = Pictures([example.image])
    caption, foil = (_scores(text, pictures, models) for text in (example.caption, example.foil))
    weakest = foil["vq2"].weakest
    pointed = None
    if weakest:
        span = weakest.pair.answer
        pointed = overlaps((span.start, span.end), example.changed)
    return Pair(example.kind, _values(caption), _values(foil), pointed)


def _scores(text: str, pictures: Pictures, models: Models) -> dict[str, ImageScore]:
    asked = ScoringInput(text, read_prompt(text, models))
    return {
        name: score
        for name in GRID_METHODS
        for score in SCORERS[name](models).score(asked, pictures)
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


def by_kind(answered: Sequence[Answered]) -> Iterator[tuple[str, list[Answered]]]:
    """The answers of each kind in alphabetical order, then all of them as `OVERALL`."""
    for kind in sorted({each.question.kind for each in answered}):
        yield kind, [each for each in answered if each.question.kind == kind]
    yield OVERALL, [*answered]


def answers(answered: Sequence[Answered]) -> Answers:
    """Measure some answers; a question that was put twice to a picture counts twice."""
    truth = [each.question.holds for each in answered]
    said = [each.probability >= 0.5 for each in answered]
    exact = [is_right(each.seen, each.question.seen) for each in answered]
    return Answers(
        len(answered), float(balanced_accuracy_score(truth, said)), float(np.mean(exact))
    )


def is_right(answer: str, accepted: Sequence[str]) -> bool:
    """Whether a free answer is one of those accepted, letter case, marks and articles aside.

    >>> is_right("The apple", ["apple", "apples"]), is_right("green", ["black"])
    (True, False)
    """
    return normalised_words(answer) in [normalised_words(each) for each in accepted]


def separation(pairs: Sequence[Pair], method: str, rng: np.random.Generator) -> Separation:
    """Measure how well a method tells true captions from foils."""
    judged = [pair for pair in pairs if None not in (pair.caption[method], pair.foil[method])]
    scores = np.array([(pair.caption[method], pair.foil[method]) for pair in judged], dtype=float)
    ahead = np.sign(scores[:, 0] - scores[:, 1])
    low, high = interval(scores, rng)
    kinds = {
        name: auc(scores[[pair.kind == name for pair in judged]])
        for name in sorted({pair.kind for pair in judged})
    }
    return Separation(len(judged), auc(scores), low, high, float((1 + ahead).mean() / 2), kinds)


def auc(scores: NDArray[np.float64]) -> float:
    """ROC AUC of true captions against foils.

    Args:
        scores: shape (pictures, 2): of the caption, of the foil.

    >>> auc(np.array([[0.9, 0.1], [0.8, 0.85]]))
    0.75
    """
    truth = np.broadcast_to([True, False], scores.shape)
    return float(roc_auc_score(truth.ravel(), scores.ravel()))


def interval(scores: NDArray[np.float64], rng: np.random.Generator) -> tuple[float, float]:
    """95 % bootstrap interval of the ROC AUC; a picture is drawn with both its captions.

    Drawn w_i times each, pictures have AUC = sum of w_i w_j above[i, j] / n^2, where above[i, j]
    is 1 when caption i scores higher than foil j and 1/2 when they tie.
    """
    n = len(scores)
    above = (1 + np.sign(scores[:, :1] - scores[:, 1])) / 2
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES)
    low, high = np.quantile(((drawn @ above) * drawn).sum(axis=1) / n**2, (0.025, 0.975))
    return float(low), float(high)


def measure(examples: Sequence[Example], models: Models, rng: np.random.Generator) -> Measured:
    """ImageQuestion and judge everything."""
    answered = ask_all(examples, models.answerer)
    watched = track(examples, "captions and foils", console=Console(stderr=True))
    pairs = [judge(example, models) for example in watched]
    pointed = [pair.pointed for pair in pairs if pair.pointed is not None]
    return Measured(
        len(examples),
        {name: answers(some) for name, some in by_kind(answered)},
        {method: separation(pairs, method, rng) for method in METHODS},
        float(np.mean(pointed)),
        len(pairs) - len(pointed),
    )


def tables(measured: Measured) -> tuple[Table, Table]:
    """What was measured of questions, and of captions."""
    questions = Table(title=f"Questions about {measured.pictures} held-out pictures")
    _columns(questions, "kind", "asked", "yes/no, balanced", "free answer right")
    for kind, each in measured.answers.items():
        numbers = (f"{each.balanced_accuracy:.3f}", f"{each.exact:.3f}")
        questions.add_row(kind, str(each.asks), *numbers)
    captions = Table(title="True captions against foils: ROC AUC, by the claim that was changed")
    kinds = sorted(measured.captions["vnli"].by_kind)
    _columns(captions, "method", "n", "AUC", "95 %", "caption above foil", *kinds)
    for method, found in measured.captions.items():
        captions.add_row(method, *_cells(found, kinds))
    return questions, captions


def _columns(table: Table, first: str, *others: str) -> None:
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")


def _cells(found: Separation, kinds: Sequence[str]) -> tuple[str, ...]:
    known = (f"{found.auc:.3f}", f"{found.low:.3f} .. {found.high:.3f}", f"{found.paired:.3f}")
    each = (f"{found.by_kind[kind]:.2f}" if kind in found.by_kind else "" for kind in kinds)
    return (str(found.pictures), *known, *each)


def sentence(measured: Measured) -> str:
    """How often the weakest pair is where the mistake is."""
    return (
        f"Of the foils, the weakest pair points at the changed words in {measured.pointed:.1%}; "
        f"{measured.unasked} more had no question."
    )
