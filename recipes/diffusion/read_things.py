"""What readers saw in generated images, thing by thing: recognisable, or a smear.

What looks much like its drawing is mostly recognisable, and what hardly does is a smear
(`recognition`). In between, crops of the recipes' own images were read by language models, each by
its name alone, without a score: would a person who was not told name it so? 9,535 are of
`stickers`, read by one; 1,741 of labelled pairs of `icons` by two, and a third settled what they
did not. Of images of two things that may touch, two readers saw the whole and the names: what both
recognised is here, and whether it touches ("touching-00"). What was read in images of weights
before (commits 4809a1f1, c7495eab), and in images of `icons` that nothing learns from any more
(87d0304b), stays in the history.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

FILE = Path(__file__).with_name("read_things.csv")
RECOGNISED, UNSETTLED = "r", "u"
TOUCHING = "touching"
"""In place of a name, where readers said whether two things touch: r where they do, s where not."""
ReadAs: TypeAlias = Literal["stickers", "icons", "touching"]
"""As what images were read: thing by thing in either world, or as pairs that may touch."""
NEAR = 4
"""Pixels that a thing may be away from where it was read, on another processor."""


@dataclass(frozen=True)
class ReadThing:
    """A thing of an image, and what a reader saw."""

    name: str
    x: int
    """Of the upper left corner of its box, as `y`."""
    y: int
    letter: str
    """r for recognisable, s for a smear, u where two looks, or two readers, did not settle it."""

    def is_at(self, name: str, x: int, y: int) -> bool:
        """Whether it is the thing of that name with its corner there."""
        return name == self.name and max(abs(x - self.x), abs(y - self.y)) <= NEAR


def read_things(images: str) -> Mapping[int, tuple[ReadThing, ...]]:
    """Number of an image -> what was read in it.

    Args:
        images: a shard of `generated_images`, e.g. "stickers-00", or those of labelled pairs, e.g.
            "stickers-labelled".

    >>> read_things("stickers-00")[0][0].letter
    'r'
    """
    return _all().get(images, {})


@cache
def _all() -> Mapping[str, Mapping[int, tuple[ReadThing, ...]]]:
    found: defaultdict[str, dict[int, tuple[ReadThing, ...]]] = defaultdict(dict)
    with FILE.open(encoding="utf-8", newline="") as lines:
        for images, image, name, x, y, letter in csv.reader(lines):
            own = found[images]
            thing = ReadThing(name, int(x), int(y), letter)
            own[int(image)] = (*own.get(int(image), ()), thing)
    return found
