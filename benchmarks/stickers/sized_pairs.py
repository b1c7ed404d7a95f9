"""Prompts of two things whose look, size and place are all said: many come out now and then."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.stickers.prompts import EvaluationPrompt, RequestedGroup, read_prompts

WHERE = {"left": "to the left of", "right": "to the right of", "above": "above", "below": "below"}
PLACES = {
    "": "",
    "grass": " on the grass",
    "snow": " in the snow",
    "night": " at night",
    "beach": " on the sand",
    "sunset": " at sunset",
}


def sized_pairs(generator: random.Random) -> Iterator[EvaluationPrompt]:
    """Without end, of the single things of held-out prompts, each large or small.

    >>> next(sized_pairs(random.Random(5))).prompt
    'a small green chair below a large purple bucket on the grass'
    """
    ones = single_things(
        [each for split in ("development", "test") for each in read_prompts(split=split)]
    )
    seen: set[str] = set()
    while True:
        pair = zip(generator.sample(ones, 2), generator.sample(("large", "small"), 2), strict=True)
        first, second = (replace(group, size=size) for group, size in pair)
        relation, background = generator.choice([*WHERE]), generator.choice([*PLACES])
        text = f"{phrase(first)} {WHERE[relation]} {phrase(second)}{PLACES[background]}"
        if first.name != second.name and text not in seen:
            seen.add(text)
            yield EvaluationPrompt(text, "relation", (first, second), relation, background)


def single_things(prompts: Sequence[EvaluationPrompt]) -> list[RequestedGroup]:
    """Every single thing with a colour or a state of some prompts, once, in their order."""
    groups = [replace(group, size="") for each in prompts for group in each.groups]
    plain = [group for group in groups if bool(group.colour) != bool(group.state)]
    return [*dict.fromkeys(group for group in plain if group.count == 1 and not group.at_least)]


def phrase(group: RequestedGroup) -> str:
    """A single thing in words.

    >>> phrase(RequestedGroup("apple", 1, "orange", size="large"))
    'a large orange apple'
    """
    return f"a {group.size} {group.colour or group.state} {group.name}"
