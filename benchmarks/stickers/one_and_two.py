"""Prompts that say where one thing is from two others, which the embedded models never learned."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from benchmarks.stickers.prompts import EvaluationPrompt, RequestedGroup, read_prompts

WHERE = {"left": "to the left of", "right": "to the right of", "above": "above", "below": "below"}


def one_and_two(generator: random.Random) -> Iterator[EvaluationPrompt]:
    """Without end, from the groups of held-out prompts.

    >>> next(one_and_two(random.Random(3))).prompt
    'a green backpack above two brown crowns'
    """
    groups = spoken_groups(
        [each for split in ("development", "test") for each in read_prompts(split=split)]
    )
    ones = [group for group in groups if group.count == 1]
    twos = [group for group in groups if group.count == 2]
    seen: set[str] = set()
    while True:
        one, two = generator.choice(ones), generator.choice(twos)
        relation = generator.choice([*WHERE])
        text = f"{groups[one]} {WHERE[relation]} {groups[two]}"
        if one.name != two.name and text not in seen:
            seen.add(text)
            yield EvaluationPrompt(text, "relation", (one, two), relation)


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
