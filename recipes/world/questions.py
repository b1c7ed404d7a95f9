"""The question that a span of a caption answers."""

from __future__ import annotations

from recipes.world.captions import Description, SceneCaption, Span
from recipes.world.scenes import Group
from recipes.world.things import SIZES, World
from recipes.world.worlds import WORLD

UNCOUNTED = ("food", "fruit")
"""Categories that are asked for in the singular, however many things of them there are."""


def ask(caption: SceneCaption, span: Span, world: World = WORLD) -> str:
    """The question whose answer is this span."""
    return ask_about(caption.claim, span.kind, span.group, world)


def ask_about(claim: Description, kind: str, index: int, world: World = WORLD) -> str:
    """The question about one claim of a description.

    >>> from recipes.world.scenes import Group
    >>> claim = Description((Group("apple", "black"), Group("backpack", "green")))
    >>> ask_about(claim, "colour", 1)
    'what color is the backpack?'
    >>> ask_about(claim, "object", 0)
    'what fruit is there?'
    >>> ask_about(Description((Group("duck"), Group("cap")), "wearing"), "relation", 0)
    'what is the duck wearing?'
    """
    if kind == "background":
        night = claim.background == "night"
        return "what time of day is it?" if night else "where does this take place?"
    group = claim.groups[index]
    if kind in ("phrase", "object"):
        return _what(claim, index, world)
    if kind == "relation" and claim.relation == "wearing":
        return ask_object_of(group, "wearing", world)
    return _about(group, kind, world)


def ask_object_of(group: Group, act: str, world: World) -> str:
    """What a group of things does something to: "what is the cat holding?"."""
    thing = world.thing(group.name)
    one = group.count == 1
    return f"what {f'is the {thing.name}' if one else f'are the {thing.plural_name}'} {act}?"


def _about(group: Group, kind: str, world: World) -> str:
    thing = world.thing(group.name)
    noun = thing.name if group.count == 1 else thing.plural_name
    verb = "is" if group.count == 1 else "are"
    return {
        "colour": f"what color {verb} the {noun}?",
        "size": f"{verb} the {noun} {' or '.join(SIZES)}?",
        "state": f"{verb} the {noun} {' or '.join(thing.states)}?",
        "count": f"how many {thing.plural_name} are there?",
        "relation": f"where {verb} the {noun}?",
    }[kind]


def _what(claim: Description, index: int, world: World) -> str:
    group = claim.groups[index]
    categories = [world.thing(g.name).category for g in claim.groups]
    category = categories[index]
    if categories.count(category) == 1:
        one = group.count == 1 or category in UNCOUNTED
        return f"what {category} is there?" if one else f"what {category}s are there?"
    other = claim.groups[index - 1]
    noun = world.thing(other.name)
    name = noun.name if other.count == 1 else noun.plural_name
    return f"what {'is' if group.count == 1 else 'are'} next to the {name}?"
