"""The sticker world as data: things, colours, states, backgrounds and relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property


@dataclass(frozen=True)
class Thing:
    """A class of sticker."""

    name: str
    icons: Mapping[str, str]
    """State -> icon of the art package; the state of a thing that has none is ""."""
    category: str = "object"
    """What a question calls it when it must not name it: "what animal is there?"."""
    hue: float | None = None
    """Base hue of the art in degrees when the thing comes in every colour, else None."""
    plural: str = ""
    synonyms: tuple[str, ...] = ()

    @property
    def plural_name(self) -> str:
        """More than one of it."""
        return self.plural or self.name + "s"

    def variants(self, state: str) -> int:
        """In how many ways it is drawn in a state."""
        return 1

    @property
    def recolourable(self) -> bool:
        """Whether it comes in every colour."""
        return self.hue is not None

    @property
    def states(self) -> tuple[str, ...]:
        """Its visible states; empty when it has one look."""
        return tuple(state for state in self.icons if state)


def _plain(name: str, category: str = "object", icon: str = "", plural: str = "") -> Thing:
    return Thing(name, {"": icon or name}, category, plural=plural)


def _coloured(
    name: str, hue: float, category: str = "object", icon: str = "", plural: str = ""
) -> Thing:
    return Thing(name, {"": icon or name}, category, hue, plural)


THINGS: tuple[Thing, ...] = (
    _coloured("apple", 350, "fruit", "red-apple"),
    _coloured("backpack", 335),
    _coloured("balloon", 345),
    Thing("umbrella", {"open": "umbrella", "closed": "closed-umbrella"}, hue=265),
    _coloured("star", 45, "shape"),
    _coloured("car", 355, "vehicle", "automobile"),
    _coloured("book", 345, icon="closed-book"),
    _coloured("shirt", 130, icon="t-shirt"),
    _coloured("heart", 345, "shape", "red-heart"),
    _coloured("teapot", 345),
    _coloured("bucket", 205),
    _coloured("bell", 40),
    _plain("owl", "animal"),
    _plain("penguin", "animal"),
    _plain("cat", "animal"),
    _plain("cow", "animal"),
    _plain("elephant", "animal"),
    _plain("frog", "animal"),
    _plain("turtle", "animal"),
    _plain("pizza", "food"),
    _plain("cake", "food", "birthday-cake"),
    _plain("snowman", plural="snowmen"),
    _plain("rocket", "vehicle"),
    _plain("guitar"),
    Thing("candle", {"lit": "candle", "unlit": "candle"}),
    Thing("egg", {"whole": "egg", "hatched": "hatching-chick"}, "food"),
    Thing("padlock", {"locked": "locked", "unlocked": "unlocked"}),
    Thing("rose", {"fresh": "rose", "wilted": "wilted-flower"}, "flower"),
)

MORE_THINGS: tuple[Thing, ...] = (
    _coloured("cap", 225, icon="billed-cap"),
    _coloured("dress", 215, plural="dresses"),
    _coloured("crown", 25),
    _coloured("key", 45),
    _coloured("chair", 5),
    _coloured("bird", 335, "animal"),
    _coloured("telephone", 335),
    _coloured("suitcase", 215, icon="luggage"),
    _plain("dog", "animal"),
    _plain("rabbit", "animal"),
    _plain("duck", "animal"),
    _plain("fish", "animal", "tropical-fish", plural="fish"),
    _plain("tree", icon="deciduous-tree"),
    _plain("house"),
    _plain("banana", "fruit"),
    _plain("mushroom", "food"),
    _plain("cupcake", "food"),
    _plain("airplane", "vehicle"),
    _plain("robot"),
    Thing("moon", {"full": "full-moon", "crescent": "crescent-moon"}),
)

COLOURS: tuple[str, ...] = (
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
    "black",
)

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

RELATIONS: Mapping[str, tuple[str, ...]] = {
    "left": ("to the left of", "left of", "on the left of"),
    "right": ("to the right of", "right of", "on the right of"),
    "above": ("above", "over"),
    "below": ("below", "under", "underneath"),
}

OPPOSITE: Mapping[str, str] = {
    "left": "right",
    "right": "left",
    "above": "below",
    "below": "above",
}

NUMBERS: Mapping[int, str] = {1: "one", 2: "two", 3: "three", 4: "four"}


def _first(backgrounds: int) -> Mapping[str, tuple[str, ...]]:
    return dict(list(BACKGROUNDS.items())[:backgrounds])


@dataclass(frozen=True, eq=False)
class World:
    """How large the world is; every recipe takes one."""

    things: tuple[Thing, ...] = THINGS
    colours: tuple[str, ...] = COLOURS
    backgrounds: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _first(4))
    sizes: tuple[str, ...] = ()
    """Empty when stickers fill the room there is."""
    most: int = 4
    """Most objects in one picture."""
    relations: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: RELATIONS)
    """Relation -> how captions speak of it."""

    @cached_property
    def states(self) -> tuple[str, ...]:
        """Of all things, as labels: the first is "", for none."""
        return ("", *sorted({state for thing in self.things for state in thing.states}))

    @cached_property
    def said_colours(self) -> tuple[str, ...]:
        """As labels: the first is "", for what has no named colour."""
        return ("", *self.colours)

    def thing(self, name: str) -> Thing:
        """The thing of that name.

        >>> World().thing("snowman").plural_name
        'snowmen'
        """
        return next(thing for thing in self.things if thing.name == name)


SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "backpack": ("rucksack",),
    "car": ("automobile",),
    "shirt": ("tee",),
    "bucket": ("pail",),
    "cat": ("kitten", "kitty"),
    "turtle": ("tortoise",),
    "rocket": ("spaceship",),
    "padlock": ("lock",),
    "cap": ("hat",),
    "dress": ("gown",),
    "bird": ("birdie",),
    "telephone": ("phone",),
    "suitcase": ("luggage",),
    "dog": ("puppy",),
    "rabbit": ("bunny",),
    "mushroom": ("toadstool",),
    "airplane": ("plane",),
}
"""What people also call a thing."""

SECOND_WORLD = World(
    tuple(replace(t, synonyms=SYNONYMS.get(t.name, ())) for t in (*THINGS, *MORE_THINGS)),
    (*COLOURS, "brown"),
    BACKGROUNDS,
    sizes=tuple(SIZES),
)

RECOLOURED: Mapping[str, float] = {
    "owl": 16,
    "cat": 24,
    "turtle": 167,
    "pizza": 31,
    "cake": 24,
    "rocket": 344,
    "guitar": 342,
    "candle": 24,
    "egg": 24,
    "padlock": 30,
    "rose": 359,
    "dog": 24,
    "fish": 217,
    "tree": 107,
    "house": 24,
    "banana": 37,
    "mushroom": 353,
    "cupcake": 319,
    "airplane": 215,
    "moon": 38,
}
"""Things of one look whose art can be recoloured, and the hue that most of it has."""

PRACTICE_WORLD = replace(
    SECOND_WORLD,
    things=tuple(
        replace(thing, hue=RECOLOURED.get(thing.name, thing.hue)) for thing in SECOND_WORLD.things
    ),
    colours=(*SECOND_WORLD.colours, "teal", "gray"),
)
"""The second world with more colours on more things: a model learns here that any thing may have
any colour, also those that it is never shown."""

FREE_WORLD = replace(PRACTICE_WORLD, colours=SECOND_WORLD.colours)
"""The practice world in the colours that people name: what the text-to-image model practises on."""

WORLD = SECOND_WORLD
"""The world that the recipes teach."""
