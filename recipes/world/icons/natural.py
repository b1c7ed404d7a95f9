"""Natural colours: what classes of the icon world look like when nobody asks for a colour."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

NATURAL: Mapping[str, str] = {
    "red": """apple backpack bicycle bird book bowl car fire_hydrant scissors stop_sign
        tennis_racket toothbrush balloon heart teapot telephone rose guitar strawberry
        watermelon motorcycle mushroom lighthouse chicken""",
    "yellow": "banana bus star bell key moon lemon sunflower crown",
    "green": """bottle broccoli turtle tree palm_tree cactus crocodile snake dinosaur dragon frog
        tent shirt""",
    "orange": "carrot orange cat fox tiger giraffe boat sun octopus padlock",
    "blue": "couch suitcase tie snowboard cap dress bucket dolphin whale frisbee",
    "brown": """baseball_bat baseball_glove bench chair dining_table horse violin monkey bear
        teddy_bear donut handbag owl vase kangaroo snail lion""",
    "white": "cup sheep snowman cloud ghost toilet egg candle rabbit astronaut",
    "gray": """elephant fork spoon knife refrigerator microwave toaster sink shark camera tv clock
        computer_keyboard computer_mouse""",
    "pink": "pig tulip hair_drier",
    "purple": "umbrella bed",
    "black": "tv_remote",
}
"""Colour -> the classes that have it when nobody asks for one; the others have their art's own."""


@cache
def natural_colours() -> Mapping[str, str]:
    """Class -> the colour that it has when nobody asks for one.

    >>> natural_colours()["fire hydrant"]
    'red'
    """
    return {
        name.replace("_", " "): colour
        for colour, names in NATURAL.items()
        for name in names.split()
    }
