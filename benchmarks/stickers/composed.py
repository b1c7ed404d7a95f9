"""Prompts of several things, some of which the embedded model never gets right."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from benchmarks.stickers.prompts import EvaluationPrompt, RequestedGroup, read_prompts

THINGS = (3, 4)
"""How many a prompt asks for: fewer come out right nearly always, more are beyond the world."""


def composed_prompts(generator: random.Random) -> Iterator[EvaluationPrompt]:
    """Without end: two or three groups of held-out prompts, `THINGS` things in all.

    >>> next(composed_prompts(random.Random(3))).prompt
    'a purple car, a blue cap and an orange star'
    """
    groups = spoken_groups(
        [each for split in ("development", "test") for each in read_prompts(split=split)]
    )
    seen: set[str] = set()
    while True:
        chosen = generator.sample([*groups], generator.choice((2, 3, 3)))
        *most, last = [groups[group] for group in chosen]
        text = f"{', '.join(most)} and {last}"
        names = {group.name for group in chosen}
        things = sum(group.count for group in chosen)
        if len(names) == len(chosen) and things in THINGS and text not in seen:
            seen.add(text)
            yield EvaluationPrompt(text, "many", tuple(chosen))


def spoken_groups(prompts: Sequence[EvaluationPrompt]) -> dict[RequestedGroup, str]:
    """Every single thing with a colour or a state of some prompts, and every number of things.

    Returns:
        Each once, with its words, in the order of the prompts.
    """
    spoken: dict[RequestedGroup, str] = {}
    for prompt in prompts:
        for group in prompt.groups:
            if group.size or group.at_least:
                continue
            if group.count == 1 and bool(group.colour) != bool(group.state):
                spoken.setdefault(group, phrase(group))
        said = prompt.prompt.rstrip(".").casefold().split()
        if prompt.kind == "count" and len(said) == 2 + bool(prompt.groups[0].colour):
            spoken.setdefault(prompt.groups[0], " ".join(said))
    return spoken


def phrase(group: RequestedGroup) -> str:
    """A single thing in words.

    >>> phrase(RequestedGroup("apple", 1, "orange"))
    'an orange apple'
    """
    words = f"{group.colour or group.state} {group.name}"
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
