"""From which coverage on does VQ2's score tell a true caption from a false one?

A score that speaks about few words of its prompt may leave out the very word that an image gets
wrong, which is why there is none below a floor (`alignment.scorers.coverage.FLOOR`). Here words of
the captions and foils of the sticker set are hidden from VQ2 at random, again and again, as if its
models did not know them, so that pairs about them cannot be judged; the share of words that is
hidden is itself drawn between none and all. For each floor: the share of draws in which caption and
foil are both scored, and among these how often the caption scores higher (ties count half) and the
ROC AUC, 0.5 by chance; and how often the caption scores higher between that floor and the next
one. 95 % intervals draw pictures.

Each picture is looked at once: about seven minutes on a CPU for all 420, `--limit 20` gives a first
look.

For example:

    python -m benchmarks coverage_floor
    python -m benchmarks coverage_floor --limit 20 --draws 5
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from alignment.evaluation import read_prompt
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.spec import STICKER_WORLD
from alignment.models.vlm import Pictures
from alignment.questions.knowledge import Knowledge, read_knowledge
from alignment.questions.settings import Vq2Settings, default_settings
from alignment.questions.words import NUMBERS, words_of
from alignment.records import ImageScore
from alignment.scorers import ScoringInput, Vq2
from alignment.scorers.aggregation import aggregated
from alignment.scorers.coverage import FLOOR
from alignment.scorers.scorer import known_answers
from alignment.statistics.intervals import mean_interval
from benchmarks import options as given
from benchmarks.data.numbers import Number, blank_table, publish, signature
from benchmarks.progress import watched
from benchmarks.statistics.classification import roc_auc, roc_auc_interval
from benchmarks.stickers.evaluators import SETS, StickerExample, read_examples

FLOORS = (0.01, 0.3, 0.4, 0.5, 0.6, FLOOR, 0.75, 0.8, 0.9, 1.0)
BUNDLE = "embedded"


@dataclass(frozen=True)
class Draw:
    """A picture with its caption and its foil, from both of which the same words are hidden."""

    picture: int
    coverage: float
    """The smaller of the two, in [0, 1]; 0 where no pair is left of one of them."""
    caption: float
    foil: float


@dataclass(frozen=True)
class FloorResult:
    """What scores with a coverage from a floor on are worth."""

    floor: float
    scored: Number
    right: Number
    auc: Number
    between: Number
    """Like `right`, of draws below the next floor."""


def main(
    draws: Annotated[
        int, typer.Option(min=1, help="How often words of a picture are hidden.")
    ] = 20,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first pictures.")] = None,
    vq2: given.Vq2Flags = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    settings = given.vq2_settings(vq2) if vq2 else default_settings(BUNDLE)
    examples, models = read_examples(SETS["development"], limit), Models(find_bundle(BUNDLE))
    generator = np.random.default_rng(seed)
    found = [
        draw
        for picture, example in enumerate(watched(examples, "pictures"))
        for draw in hide_words(picture, example, models, settings, generator, draws)
    ]
    results = measure(found, str(settings.signature), generator)
    numbers = [n for each in results for n in (each.scored, each.right, each.auc, each.between)]
    publish("coverage_floor", [table_of(results), str(settings.signature)], numbers)


def hide_words(
    picture: int,
    example: StickerExample,
    models: Models,
    settings: Vq2Settings,
    generator: np.random.Generator,
    draws: int,
) -> Iterator[Draw]:
    """Score a picture against its caption and its foil with some words hidden, again and again."""
    knows, pictures = read_knowledge(STICKER_WORLD), Pictures([example.image])
    scorer = Vq2(models.answerer, None, knows)
    texts = [
        ScoringInput(text, read_prompt(text, models, settings), settings)
        for text in (example.caption, example.foil)
    ]
    whole = [score for asked in texts for score in scorer.score(asked, pictures)]
    answered = [
        replace(asked, known=(known_answers(score.evidence),))
        for asked, score in zip(texts, whole, strict=True)
    ]
    words = sorted({word for asked in texts for word, _ in words_of(asked.text)})
    for _ in range(draws):
        share = generator.random()
        hidden = [word for word in words if generator.random() < share]
        limited = replace(scorer, knows=without(knows, hidden))
        caption, foil = (score for asked in answered for score in limited.score(asked, pictures))
        yield draw_of(picture, caption, foil, settings)


def without(knows: Knowledge, hidden: Sequence[str]) -> Knowledge:
    """What a model knows but for some words, in the singular and in the plural.

    >>> world = Knowledge(frozenset({"red", "apple", "apples"}), most=2)
    >>> sorted(without(world, ["apples"]).words)
    ['red']
    """
    spelled = {NUMBERS.get(word, word) for word in hidden}
    stems = {word.removesuffix("s") for word in spelled}
    return replace(
        knows, words=frozenset(w for w in knows.words if w.removesuffix("s") not in stems)
    )


def draw_of(picture: int, caption: ImageScore, foil: ImageScore, settings: Vq2Settings) -> Draw:
    """The two scores, below the floor, too; equal and without coverage where one has no pair."""
    if not (caption.evidence and foil.evidence and caption.coverage and foil.coverage):
        return Draw(picture, 0.0, 0.0, 0.0)
    values = [aggregated(each.evidence, settings.aggregation) for each in (caption, foil)]
    return Draw(picture, min(caption.coverage.share, foil.coverage.share), *values)


def measure(
    draws: Sequence[Draw], settings: str, generator: np.random.Generator
) -> list[FloorResult]:
    """What scores from each floor on are worth; floors that no draw reaches are left out."""
    found = []
    for floor, following in pairwise((*FLOORS, 2.0)):
        about = {"vq2": settings, "floor": floor, "n": len(draws)}
        kept = [draw for draw in draws if draw.coverage >= floor]
        between = [draw for draw in kept if draw.coverage < following]
        if not kept:
            continue
        reached = [float(draw.coverage >= floor) for draw in draws]
        pictures = [draw.picture for draw in draws]
        scored = Number(
            signature("scored", **about),
            float(np.mean(reached)),
            *mean_interval(reached, generator, pictures),
        )
        right = [
            _right(some, generator, signature(name, **about))
            for name, some in (("right", kept), ("right, below the next floor", between))
        ]
        found.append(FloorResult(floor, scored, right[0], _auc(kept, generator, about), right[1]))
    return found


def _right(draws: Sequence[Draw], generator: np.random.Generator, about: str) -> Number:
    """How often the caption scores above the foil; a tie is half."""
    if not draws:
        return Number(about, float("nan"))
    ahead = [(1 + np.sign(draw.caption - draw.foil)) / 2 for draw in draws]
    interval = mean_interval(ahead, generator, [draw.picture for draw in draws])
    return Number(about, float(np.mean(ahead)), *interval, chance=0.5)


def _auc(
    draws: Sequence[Draw], generator: np.random.Generator, about: Mapping[str, object]
) -> Number:
    labels = np.tile([1, 0], len(draws))
    scores = np.array([(draw.caption, draw.foil) for draw in draws]).ravel()
    pictures = np.repeat([draw.picture for draw in draws], 2)
    interval = roc_auc_interval(labels, scores, pictures, generator)
    return Number(signature("AUC", **about), roc_auc(labels, scores), *interval, chance=0.5)


def table_of(results: Sequence[FloorResult]) -> Table:
    """A row for each floor."""
    title = "VQ2 with words hidden at random, by the least coverage (95 %, pictures drawn)"
    told = ("draws scored", "95 %", "pictures", "caption above foil", "95 %", "AUC", "95 %")
    table = blank_table(title, "floor", *told, "below the next floor", "95 %")
    for each in results:
        table.add_row(
            f"{each.floor:g}" + (" (in use)" if each.floor == FLOOR else ""),
            *(f"{each.scored.value:.1%}", each.scored.interval, str(each.right.units)),
            *(str(each.right), each.right.interval, str(each.auc), each.auc.interval),
            *(str(each.between), each.between.interval),
        )
    table.caption = "The caption is above the foil in 0.5 by chance, and the AUC is 0.5."
    return table
