"""Prompts that the embedded model gets right now and then: parts of held-out prompts, joined."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from benchmarks.stickers.detector import Detector
from benchmarks.stickers.generated import LoadedGenerator, right_images
from benchmarks.stickers.prompts import EvaluationPrompt, RequestedGroup, read_prompts

SEED = 100_000
"""Of the images that say how often a prompt comes out right; no other image has these seeds."""
IMAGES = 16
HOPELESS = 6
"""Images of which none is right, after which a prompt is given up."""
BAND = (0.1, 0.6)
"""The shares of right images between which a prompt is kept."""


def composed_prompts(generator: random.Random) -> Iterator[EvaluationPrompt]:
    """Without end: two or three single things of held-out prompts, each with what it is said to be.

    >>> next(composed_prompts(random.Random(3))).prompt
    'a black suitcase and a purple book'
    """
    groups = single_groups(
        [each for split in ("development", "test") for each in read_prompts(split=split)]
    )
    seen: set[str] = set()
    while True:
        chosen = generator.sample(groups, generator.choice((2, 3, 3)))
        *most, last = [phrase(group) for group in chosen]
        text = f"{', '.join(most)} and {last}"
        if len({group.name for group in chosen}) == len(chosen) and text not in seen:
            seen.add(text)
            yield EvaluationPrompt(text, "many", tuple(chosen))


def single_groups(prompts: Sequence[EvaluationPrompt]) -> list[RequestedGroup]:
    """Every single thing with a colour or a state of some prompts, once, in their order."""
    every = itertools.chain.from_iterable(prompt.groups for prompt in prompts)
    plain = [group for group in every if group.count == 1 and not group.size and not group.at_least]
    return [*dict.fromkeys(group for group in plain if bool(group.colour) != bool(group.state))]


def phrase(group: RequestedGroup) -> str:
    """A single thing in words.

    >>> phrase(RequestedGroup("apple", 1, "orange"))
    'an orange apple'
    """
    words = f"{group.colour or group.state} {group.name}"
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def now_and_then(
    prompts: Iterator[EvaluationPrompt], painter: LoadedGenerator, detector: Detector, wanted: int
) -> Iterator[tuple[EvaluationPrompt, float]]:
    """The first prompts whose share of right images is in `BAND`, each with that share.

    Most candidates come out right always or never, which a few images show.
    """
    kept = 0
    for number, prompt in enumerate(prompts):
        right = [*_first_images(prompt, painter, detector, SEED + number * IMAGES)]
        share = sum(right) / len(right)
        if len(right) == IMAGES and BAND[0] <= share <= BAND[1]:
            kept += 1
            yield prompt, share
        if kept == wanted:
            return


def _first_images(
    prompt: EvaluationPrompt, painter: LoadedGenerator, detector: Detector, seed: int
) -> Iterator[bool]:
    """Whether images are right, two by two: all `IMAGES`, or until that is as good as known."""
    right: list[bool] = []
    for first in range(seed, seed + IMAGES, 2):
        images = painter.grid(prompt.prompt, (1, 2), first, completion=True)
        found = right_images(images, prompt, detector)
        yield from found
        right += found
        if all(right) or (not any(right) and len(right) >= HOPELESS):
            return
