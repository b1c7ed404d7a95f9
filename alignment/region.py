"""Where in an image an answer is seen: the parts that are enough for it by themselves.

A window of a quarter of the image's side goes over the image in steps of an eighth. Each place gets
the mean P(yes), over the windows that show it, to "is {answer} true for {question}" about an image
of which only the window is there. Covering the window instead, and reading what is lost, finds the
thing less often and tells its extent worse (`python -m benchmarks pointing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
from PIL import Image as Images
from PIL.Image import Image

from alignment.answers import AnswerTable
from alignment.arrays import Floats
from alignment.models.partial_view import Region, scaled, seen_in_part
from alignment.models.vlm import Features, ImageQuestion, VisionLanguageModel
from alignment.questions.records import QuestionAnswer
from alignment.records import AS_LIKELY_AS_NOT
from alignment.scorers.vq2 import predicate

SIDE = 8
"""Places of an image in each direction."""
WINDOW = 2
"""Places of a window in each direction."""
QUESTIONS = 1 + (SIDE - WINDOW + 1) ** 2
"""That one region costs: about the image as a whole, and about each window."""
INSIDE = 0.15
"""The share of the most, from which a place is part of the region."""


@dataclass(frozen=True)
class FaultRegion:
    """Where the one thing is that a fault of an image is about."""

    claim: int
    """That fails, by its index in the answer table."""
    shows: str
    """What is seen there, in the words of the prompt or of the evaluator."""
    places: frozenset[tuple[int, int]]
    """Row and column, of `SIDE` x `SIDE`; empty where nothing is seen in the place of what is
    missing."""


@cache
def windows(side: int = WINDOW, step: int = 1) -> tuple[Region, ...]:
    """Squares of `side` places that go over an image row by row; each of `SIDE` x `SIDE` places."""
    found, starts = [], range(0, SIDE - side + 1, step)
    for row, column in product(starts, starts):
        window = np.zeros((SIDE, SIDE), dtype=bool)
        window[row : row + side, column : column + side] = True
        found.append(window)
    return tuple(found)


def fault_regions(
    table: AnswerTable, index: int, image: Image, model: VisionLanguageModel
) -> Iterator[FaultRegion]:
    """Where each fault of an image is, in the order of the prompt; `index` is its row."""
    seen = model.encode([image])
    for claim in table.failing(index):
        pair = shown_instead(table, index, claim)
        region = None if pair is None else region_of(pair, image, model, seen)
        places = [] if region is None else np.argwhere(region).tolist()
        inside = frozenset((row, column) for row, column in places)
        yield FaultRegion(claim, pair.answer.text if pair else "", inside)


def region_of(
    pair: QuestionAnswer, image: Image, model: VisionLanguageModel, seen: Features
) -> Region | None:
    """Where an image shows what a pair claims, whether or not the prompt rules it out.

    `seen` is what `model.encode` makes of the image alone.

    Returns:
        `SIDE` x `SIDE` places; None where the image as a whole does not show it.
    """
    shown = seen_at(pair, image, model, seen)
    return None if shown is None else np.asarray(shown >= INSIDE * shown.max())


def seen_at(
    pair: QuestionAnswer, image: Image, model: VisionLanguageModel, seen: Features
) -> Floats | None:
    """How much each of `SIDE` x `SIDE` places shows what a pair claims.

    `seen` and None as of `region_of`.
    """
    ask = predicate(pair, model.templates)
    (whole,) = model.p_yes(seen, [ImageQuestion(0, ask)])
    if whole.probability < AS_LIKELY_AS_NOT:
        return None
    parts = seen_in_part(seen[0], windows()) or model.encode(
        [uncovered(image, window) for window in windows()]
    )
    replies = model.p_yes(parts, [ImageQuestion(index, ask) for index in range(len(parts))])
    return mean_by_place([each.probability for each in replies])


def mean_by_place(values: Sequence[float]) -> Floats:
    """Of each place, the mean over the windows that show it; a value for each of `windows()`."""
    stack = np.stack(windows()).astype(float)
    return np.asarray(np.tensordot(values, stack, 1) / stack.sum(0))


def shown_instead(table: AnswerTable, image: int, claim: int) -> QuestionAnswer | None:
    """What to look for in an image that fails a claim.

    The thing that the claim is about, where it is there (a green apple that should be red); what
    the prompt rules out; else what the evaluator sees in the place of what is missing.

    Returns:
        None where it sees nothing in its place, or what the prompt asks for anyway.
    """
    thing, (pair, *_) = thing_of(table, image, claim), table.claims[claim].pairs
    if thing is not None:
        return table.claims[thing].pairs[0]
    answer = (table.rows[image] or ())[claim]
    if pair.negated:
        return pair
    if answer is None or not answer.seen or _says(table.prompt, answer.seen):
        return None
    return replace(pair, answer=replace(pair.answer, text=answer.seen))


def _says(prompt: str, words: str) -> bool:
    """Whether a prompt has these words, maybe in the plural; "car" is not in "a carpet"."""
    return bool(re.search(rf"\b{re.escape(words)}(?:e?s)?\b", prompt, re.IGNORECASE))


def thing_of(table: AnswerTable, image: int, claim: int) -> int | None:
    """What a claim rests on and an image shows; None where that is missing.

    Where it is said of a thing elsewhere in the prompt, as "in a bowl" is of a banana, that thing.
    """
    row, own = table.rows[image] or (), table.claims[claim]
    there = [each for each in own.rests_on if (said := row[each]) and said.holds]
    spans = {each: table.claims[each].span for each in there}
    return min(
        there, key=lambda each: (spans[each].meets(own.span), len(spans[each].text)), default=None
    )


def uncovered(image: Image, region: Region) -> Image:
    """An image that has its mean colour outside a region."""
    pixels = np.asarray(image.convert("RGB")).copy()
    pixels[~scaled(region, pixels.shape[:2])] = pixels.mean((0, 1)).astype(np.uint8)
    return Images.fromarray(pixels)
