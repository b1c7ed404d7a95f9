"""The worlds: that of the stickers, which the published checkpoints know, and that of icons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from recipes.world.classes import CLASSES
from recipes.world.palette import TARGETS
from recipes.world.splits import icon_split
from recipes.world.things import BACKGROUNDS, COLOURS, RELATION_WORDS, Thing, World

ICON_BACKGROUNDS: Mapping[str, tuple[str, ...]] = {
    **BACKGROUNDS,
    "room": ("in a room", "indoors"),
    "street": ("on the street", "on the road"),
    "water": ("in the water", "on the water"),
}

ICON_PLACES: Mapping[str, tuple[str, ...]] = {
    "grass": ("a meadow", "grass", "a field", "a park"),
    "beach": ("a beach", "an empty beach", "sand", "the desert"),
    "night": ("a night", "the night sky", "a dark night"),
    "snow": ("snow", "a snowy field", "a winter landscape"),
    "sunset": ("a sunset", "the sunset", "a sunrise"),
    "room": ("a room", "an empty room"),
    "street": ("a street", "a road", "an empty street"),
    "water": ("water", "the sea", "a lake", "the ocean", "a river"),
}
"""Background -> how it is called where nothing is before it."""

TOUCHING_RELATIONS = {"in": ("in", "inside"), "wearing": ("wearing",)}
ICON_RELATIONS = {
    **RELATION_WORDS,
    "above": (*RELATION_WORDS["above"], "on", "on top of"),
    "beside": (*RELATION_WORDS["beside"], "by"),
    **TOUCHING_RELATIONS,
}
"""As the evaluators understand them: what is on a thing is above it."""
TEXT_TO_IMAGE_RELATIONS = {
    **RELATION_WORDS,
    "beside": ICON_RELATIONS["beside"],
    "on": ("on", "on", "on top of"),
    **TOUCHING_RELATIONS,
}
"""As the text-to-image model does: what is on, in or worn by another touches it."""

ICON_WORLD = World(
    CLASSES,
    tuple(TARGETS),
    ICON_BACKGROUNDS,
    relations=ICON_RELATIONS,
    split_of=icon_split,
    most=6,
    natural_share=0.3,
    twin_share=0.07,
)

STICKERS = """
apple backpack balloon umbrella star car book shirt heart teapot bucket bell owl penguin cat cow
elephant frog turtle pizza cake snowman rocket guitar candle egg padlock rose cap dress crown key
chair bird telephone suitcase dog rabbit duck fish tree house banana mushroom cupcake airplane robot
moon
""".split()
"""In the order of their labels."""

HUES: Mapping[str, float] = {
    "apple": 350, "backpack": 335, "balloon": 345, "umbrella": 265, "star": 45, "car": 355,
    "book": 345, "shirt": 130, "heart": 345, "teapot": 345, "bucket": 205, "bell": 40, "cap": 225,
    "dress": 215, "crown": 25, "key": 45, "chair": 5, "bird": 335, "telephone": 335,
    "suitcase": 215,
}  # fmt: skip
"""Stickers that come in every colour, and the base hue of their art in degrees."""

RECOLOURED: Mapping[str, float] = {
    "owl": 16, "cat": 24, "turtle": 167, "pizza": 31, "cake": 24, "rocket": 344, "guitar": 342,
    "candle": 24, "egg": 24, "padlock": 30, "rose": 359, "dog": 24, "fish": 217, "tree": 107,
    "house": 24, "banana": 37, "mushroom": 353, "cupcake": 319, "airplane": 215, "moon": 38,
}  # fmt: skip
"""Stickers of one look whose art can be recoloured, and the hue that most of it has."""


def _stickers(coloured: Iterable[str]) -> tuple[Thing, ...]:
    """The things of the sticker world, each in one drawing, some of them in every colour."""
    return tuple(
        replace(
            thing,
            category="object" if thing.category in ("furniture", "instrument") else thing.category,
            drawings={state: ways[:1] for state, ways in thing.drawings.items()},
            natural="",
            recolourable=name in coloured,
        )
        for name in STICKERS
        for thing in [ICON_WORLD.thing(name)]
    )


WORLD = World(_stickers(HUES))
"""The world that the recipes teach."""

PRACTICE_WORLD = replace(
    WORLD, things=_stickers([*HUES, *RECOLOURED]), colours=(*COLOURS, "teal", "gray")
)
"""The same with more colours on more things: a model learns here that any thing may have any
colour, also those that it is never shown."""

FREE_WORLD = replace(PRACTICE_WORLD, colours=COLOURS)
"""The practice world in the colours that people name: what the text-to-image model practises on."""
