"""What a world is: its things, colours, backgrounds, sizes and relations, and their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from recipes.world.drawings import Drawing
from recipes.world.plural import pluralise
from recipes.world.splits import Composition, Split, sticker_split


@dataclass(frozen=True)
class Thing:
    """A class of thing."""

    name: str
    category: str = "object"
    """What a question calls it when it must not name it: "what animal is there?"."""
    drawings: Mapping[str, tuple[Drawing, ...]] = field(default_factory=lambda: {"": ()})
    """State -> the ways to draw it; the state of a thing that has none is ""."""
    synonyms: tuple[str, ...] = ()
    natural: str = ""
    """The colour that it has when nobody asks for one; "" for its art's own colours."""
    recolourable: bool = True
    """Whether it comes in every colour."""

    @property
    def plural_name(self) -> str:
        """More than one of it."""
        return pluralise(self.name)

    @property
    def states(self) -> tuple[str, ...]:
        """Its visible states; empty when it has one look."""
        return tuple(state for state in self.drawings if state)


COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "brown")

BACKGROUNDS: Mapping[str, tuple[str, ...]] = {
    "plain": (),
    "grass": ("on the grass", "in the grass"),
    "beach": ("on the beach", "on the sand"),
    "night": ("at night", "in the night"),
    "snow": ("in the snow", "on the snow"),
    "sunset": ("at sunset", "in the sunset"),
}
"""Background -> how captions speak of it; a plain one goes without saying."""

SIZES: Mapping[str, int] = {"large": 64, "small": 32}
"""Size of a sticker, where one or two of them have room for it -> pixels of its box."""

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "small": ("tiny", "little"),
    "large": ("big", "huge"),
    "gray": ("grey",),
    "some": ("several",),
}
"""Word of a size, a colour or a number -> what people say for it."""

READ_AS: Mapping[str, tuple[str, ...]] = {
    "with": (
        *"holding carrying eating drinking chasing following hugging kissing".split(),
        *"playing reading watching pulling pushing kicking catching feeding driving".split(),
        *("playing with", "looking at"),
    ),
    "by": (
        *("near", "close to", "behind", "in front of", "against", "leaning against", "outside"),
        *("around", "between", "flying to", "going to", "running to", "walking to"),
    ),
    "on": ("riding", "atop"),
    "under": ("beneath",),
    "indoors": ("in a room",),
    "two": ("some",),
    "three": ("several", "many"),
    "person": tuple("man woman boy girl child kid".split()),
    "people": tuple("men women boys girls children kids".split()),
}
"""Word of a prompt -> what else a text-to-image model reads as it, though it means more: for "a cat
wearing a hat" it draws a cat with a hat, and not the hat alone.
"""

RELATIONS: Mapping[str, tuple[str, ...]] = {
    "left": ("to the left of", "left of", "on the left of"),
    "right": ("to the right of", "right of", "on the right of"),
    "above": ("above", "over"),
    "below": ("below", "under", "underneath"),
}

RELATION_WORDS: Mapping[str, tuple[str, ...]] = {
    **RELATIONS,
    "beside": ("next to", "next to", "beside"),
}
"""Relation -> how captions speak of it; beside is to the left or to the right."""

OPPOSITE: Mapping[str, str] = {
    "left": "right",
    "right": "left",
    "above": "below",
    "below": "above",
}

NUMBERS: Mapping[int, str] = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
MOST = max(NUMBERS)
"""Most objects in one image."""
LEARNED_LATER: Mapping[str, tuple[str, ...]] = {"four": ("five", "six")}
"""Word of the first trainings -> further ones that begin as it."""
JUDGED_LATER: Mapping[str, tuple[str, ...]] = {
    **LEARNED_LATER,
    "in": ("inside",),
    "with": ("wearing",),
}
"""The same of the evaluators."""
SEVERAL = 0
"""The count of things of which a caption says only that there are more than one: "owls"."""


@dataclass(frozen=True, eq=False)
class World:
    """How large the world is, and how its scenes come about; every recipe takes one."""

    things: tuple[Thing, ...]
    colours: tuple[str, ...] = COLOURS
    backgrounds: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: BACKGROUNDS)
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Background -> what captions call it where nothing is before it."""
    relations: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: RELATION_WORDS)
    """Relation -> how captions speak of it."""
    split_of: Callable[[Composition], Split] = sticker_split
    most: int = 4
    """Most objects in one image."""
    natural_share: float = 0.0
    """How many groups have the colour that their class has when nobody asks for one."""
    twin_share: float = 0.0
    """How many images of two single things show one class twice, in different colours."""

    @cached_property
    def states(self) -> tuple[str, ...]:
        """Of all things, as labels: the first is "", for none."""
        return ("", *sorted({state for thing in self.things for state in thing.states}))

    @cached_property
    def said_colours(self) -> tuple[str, ...]:
        """As labels: the first is "", for what has no named colour."""
        return ("", *self.colours)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The words for as many things as an image may show, from one."""
        return tuple(NUMBERS.values())[: self.most]

    @cached_property
    def looks(self) -> tuple[tuple[str, str], ...]:
        """Every thing in each of its states, as labels: (name, state)."""
        return tuple((thing.name, state) for thing in self.things for state in thing.drawings)

    @cached_property
    def _named(self) -> Mapping[str, Thing]:
        return {thing.name: thing for thing in self.things}

    def thing(self, name: str) -> Thing:
        """The thing of that name."""
        return self._named[name]
