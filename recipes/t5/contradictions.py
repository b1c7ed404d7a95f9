"""Captions that contradict a caption in one word.

What `alignment.questions.contradictions` asks of a language model, sticker-t5 learns for captions:
one colour, state, number, thing, relation or place is another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from recipes.world.captions import SceneCaption, Span
from recipes.world.things import BACKGROUNDS, NUMBERS, OPPOSITE, RELATIONS, SIZES, World


def contradiction(rng: np.random.Generator, caption: SceneCaption, world: World) -> str:
    """One of the captions that contradict it, each kind of change as likely as the others."""
    found = list(contradicting(caption, world).values())
    texts = found[int(rng.integers(len(found)))]
    return texts[int(rng.integers(len(texts)))]


def contradicting(caption: SceneCaption, world: World) -> Mapping[str, list[str]]:
    """Kind of change -> every caption that it leads to; there is always another thing.

    >>> from recipes.world.captions import Description
    >>> from recipes.world.scenes import Group
    >>> from recipes.world.worlds import WORLD
    >>> claim = Description((Group("owl", count=2),))
    >>> caption = SceneCaption("two owls", claim, (Span("count", 0, 0, 3), Span("object", 0, 4, 8)))
    >>> found = contradicting(caption, WORLD)
    >>> found["count"], found["object"][:2]
    (['three owls', 'four owls'], ['two apples', 'two backpacks'])
    """
    found = defaultdict[str, list[str]](list)
    for span in caption.spans:
        for start, end, word in _others(caption, span, world):
            found[span.kind].append(_exchange(caption.text, start, end, word))
    return found


def _others(caption: SceneCaption, span: Span, world: World) -> Iterator[tuple[int, int, str]]:
    """What else could be said, and in which place."""
    here = span.start, span.end
    if span.kind == "background":  # of a place alone, too
        places = (p for name, p in BACKGROUNDS.items() if name != caption.claim.background)
        yield from ((*here, phrases[0]) for phrases in places if phrases)
        return
    group = caption.claim.groups[span.group]
    said = caption.quote(span).lower()
    if span.kind == "colour":
        colours = [each for each in world.colours if each not in said and each != group.colour]
        yield from ((*here, colour) for colour in colours)
    elif span.kind == "size":
        yield from ((*here, size) for size in SIZES if size != group.size)
    elif span.kind == "state":
        states = next((t.states for t in world.things if said in t.states), ())
        yield from ((*here, state) for state in states if state != said)
    elif span.kind == "count" and group.count > 1:
        yield from (
            (*here, number) for number in world.numbers[1:] if number != NUMBERS[group.count]
        )
    elif span.kind == "object":
        names = {each.name for each in caption.claim.groups}
        others = [t for t in world.things if names.isdisjoint((t.name, *t.synonyms))]
        yield from ((*here, t.name if group.count == 1 else t.plural_name) for t in others)
    elif span.kind == "relation":
        yield from _opposite(caption, span)


def _opposite(caption: SceneCaption, span: Span) -> Iterator[tuple[int, int, str]]:
    relation = caption.claim.relation
    for phrase in sorted(RELATIONS.get(relation, ()), key=len, reverse=True):
        if caption.quote(span).lower().startswith(phrase):
            yield span.start, span.start + len(phrase), RELATIONS[OPPOSITE[relation]][0]
            return


def _exchange(text: str, start: int, end: int, word: str) -> str:
    """Another word in its place, the article before it fitted, in lower case.

    >>> _exchange("a red apple", 2, 5, "orange")
    'an orange apple'
    """
    article = r"\1n " if word[0] in "aeiou" else r"\1 "
    before = re.sub(r"\b(a)n? $", article, text[:start].lower())
    return f"{before}{word}{text[end:].lower()}"
