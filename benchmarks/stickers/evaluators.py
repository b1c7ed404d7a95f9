"""How well a bundle of evaluators sees images with captions, foils and questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.evaluation import scores_of
from alignment.models.loading import Models
from alignment.models.vlm import EncodedImages, ImageQuestion, VisionLanguageModel
from alignment.questions.settings import Vq2Settings
from alignment.records import ImageScore
from alignment.scorers import GRID_METHODS
from alignment.scorers.aggregation import aggregated
from alignment.scorers.mean import mean
from session.tables import objects

ASSETS = Path(__file__).parents[2] / "assets" / "benchmarks"
SETS = {"development": ASSETS / "stickers", "test": ASSETS / "stickers_test"}
"""The development set was read for mistakes while training changed; the test set is only scored."""
DEVELOPMENT = SETS["development"]
NEEDED = ("image", "caption", "foil")
"""What every example has."""
MEAN_OF_PAIRS = "vq2, mean of pairs"
"""VQ2's pairs aggregated as published, where the settings aggregate them otherwise."""


@dataclass(frozen=True)
class StickerQuestion:
    """A question about an image and an answer that someone claims."""

    kind: str
    question: str
    answer: str
    holds: bool
    accepted: tuple[str, ...]
    """Every free answer that is right."""


@dataclass(frozen=True)
class StickerExample:
    """An image, its true caption, a foil, and questions."""

    image: Image
    caption: str
    foil: str
    kind: str
    """Of the claim that was changed, "" where nobody says."""
    changed: tuple[tuple[int, int], ...]
    """Start and end of the words of the foil that its caption does not have."""
    questions: tuple[StickerQuestion, ...]


@dataclass(frozen=True)
class JudgedQuestion:
    """What a model said to one question."""

    question: StickerQuestion
    image: int
    """Its place among the examples."""
    probability: float
    """P(yes) of the predicate, in [0, 1]."""
    answer: str
    """Its free answer."""


@dataclass(frozen=True)
class CaptionAndFoil:
    """One image held against its true caption and against the foil."""

    kind: str
    caption: Mapping[str, float | None]
    """Method -> score of the true caption."""
    foil: Mapping[str, float | None]
    pointed: bool | None
    """Whether the foil's weakest pair overlaps the changed words; None without any pair."""
    chance: float = 0.0
    """Part of the foil's pairs that overlap them."""


def read_examples(folder: Path = DEVELOPMENT, limit: int | None = None) -> list[StickerExample]:
    """The first examples of a set."""
    lines = objects(folder / "scenes.jsonl", *NEEDED)[:limit]
    return [example_of(line, lambda name: PillowImage.open(folder / name)) for line in lines]


def example_of(line: Mapping[str, Any], image: Callable[[str], Image]) -> StickerExample:
    """One example.

    Args:
        line: `NEEDED` and, if known, changed (its kind, and the ranges of the foil's characters
            that are wrong; else the words that the caption does not have) and questions.
        image: opens one by its name.
    """
    changed = line.get("changed", {})
    ranges = changed.get("ranges") or changed_ranges(line["caption"], line["foil"])
    return StickerExample(
        image=image(line["image"]).convert("RGB"),
        caption=line["caption"],
        foil=line["foil"],
        kind=changed.get("kind", ""),
        changed=tuple((start, end) for start, end in ranges),
        questions=tuple(
            StickerQuestion(**{**each, "accepted": tuple(each["accepted"])})
            for each in line.get("questions", ())
        ),
    )


def changed_ranges(caption: str, foil: str) -> list[tuple[int, int]]:
    """The words of a foil that its caption does not have in that place, letter case aside.

    Where words are only left out, the words on both sides of the gap.

    >>> changed_ranges("a black cat on a mat", "a white cat on a mat")
    [(2, 7)]
    >>> changed_ranges("a black cat", "a cat")
    [(0, 1), (2, 5)]
    """
    told, words = (list(re.finditer(r"\w+", text.lower())) for text in (caption, foil))
    same = SequenceMatcher(None, [w[0] for w in told], [w[0] for w in words], autojunk=False)
    places = [
        place
        for change, _, _, start, end in same.get_opcodes()
        if change != "equal"
        for place in (range(start, end) or (start - 1, start))
    ]
    return [words[place].span() for place in places if 0 <= place < len(words)]


def answer_questions(
    examples: Sequence[StickerExample], model: VisionLanguageModel
) -> list[JudgedQuestion]:
    """Put every question of every image to a model, once as a predicate and once freely."""
    asked = [(image, each) for image, example in enumerate(examples) for each in example.questions]
    if not asked:
        return []
    features = model.encode([example.image for example in examples])
    predicates = [
        ImageQuestion(
            image, model.templates.predicate.format(answer=each.answer, question=each.question)
        )
        for image, each in asked
    ]
    judged = model.p_yes(features, predicates)
    answers = model.answer(features, [ImageQuestion(image, each.question) for image, each in asked])
    return [
        JudgedQuestion(each, image, yes.probability, answer)
        for (image, each), yes, answer in zip(asked, judged, answers, strict=True)
    ]


def score_captions(
    example: StickerExample, models: Models, settings: Vq2Settings
) -> CaptionAndFoil:
    """Score the true caption and the foil by every method."""
    images = EncodedImages([example.image])
    caption, foil = (
        {
            name: score
            for name, scores in scores_of(text, images, GRID_METHODS, models, settings)
            for score in scores
        }
        for text in (example.caption, example.foil)
    )
    values = _values(caption, settings), _values(foil, settings)
    return CaptionAndFoil(example.kind, *values, *pointing_at(foil["vq2"], example.changed))


def pointing_at(score: ImageScore, changed: Sequence[tuple[int, int]]) -> tuple[bool | None, float]:
    """Whether the weakest pair is about changed words, and the part of all pairs that are.

    None and 0 when no question could be asked.
    """
    if not score.weakest:
        return None, 0.0
    spans = [entry.pair.answer for entry in (score.weakest, *score.evidence)]
    first, *every = [overlaps((span.start, span.end), changed) for span in spans]
    return first, sum(every) / len(every)


def _values(scores: Mapping[str, ImageScore], settings: Vq2Settings) -> dict[str, float | None]:
    values = {name: score.value for name, score in scores.items()}
    found = {**values, "mean": mean((values["vq2"], values["vnli"]))}
    if settings.aggregation != "mean":
        known = values["vq2"] is not None
        found[MEAN_OF_PAIRS] = aggregated(scores["vq2"].evidence) if known else None
    return found


def overlaps(span: tuple[int, int], ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether a span shares a character with one of the ranges.

    >>> overlaps((2, 5), [(0, 2), (4, 9)]), overlaps((2, 4), [(0, 2), (4, 9)])
    (True, False)
    """
    return any(span[0] < end and start < span[1] for start, end in ranges)
