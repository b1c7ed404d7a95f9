"""Which kinds of prompt does a score judge well: counts, colours, materials, shapes, sizes?

    python -m benchmarks editbench --table SeeTRUE.csv --images FOLDER [--scores FOLDER]

ROC AUC on the EditBench part of SeeTRUE, by the attribute that the prompt is about, by object and
by scene. The public table says these in its file names alone, `7_a=few_o=cat_s=indoor.png`: the
value of the attribute, the object (a letter is text to be written), the scene. The kind of
attribute is not said, but pictures are numbered kind by kind, and within a kind values come in
alphabetical order, so that each kind begins where the alphabet starts anew.

Source of the categories: S. Wang et al., "Imagen Editor and EditBench", 2023.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from rich.table import Table

from benchmarks.data.errors import DataError
from benchmarks.data.judged import by, options_of, read
from benchmarks.data.numbers import Number, blank_table, publish
from benchmarks.data.seetrue import Labelled
from benchmarks.seetrue import auc

DATA_SET = "editbench"
NAME = re.compile(
    r"(?P<number>\d+)_a=(?P<value>.+?)_o=(?P<object>.+?)_(?:s|style|o)=(?P<scene>\w+)\.\w+"
)
ATTRIBUTES = ("count", "colour", "material", "shape", "size")
FIRST = (0, 785, 1602, 2291, 3075)
"""The number of the first picture of each kind of attribute."""


def attribute(pair: Labelled) -> str:
    """The kind of attribute, in `ATTRIBUTES`.

    >>> attribute(Labelled("1827_a=metal_o=cat_s=outdoor.png", "a metal cat", True, "editbench"))
    'material'
    """
    return ATTRIBUTES[bisect_right(FIRST, int(_named(pair)["number"])) - 1]


def thing(pair: Labelled) -> str:
    """Whether text is to be written, or an object to be generated."""
    return "text" if _named(pair)["object"] in {"letter", "letters"} else "object"


def scene(pair: Labelled) -> str:
    """Indoor, outdoor, painting or real, as the file name says.

    >>> scene(Labelled("7_a=few_o=cat_s=indoor.png", "a few cats", True, "editbench"))
    'indoor'
    """
    return _named(pair)["scene"]


CATEGORIES: Mapping[str, Callable[[Labelled], str]] = MappingProxyType(
    {"attribute": attribute, "object": thing, "scene": scene}
)


def _named(pair: Labelled) -> re.Match[str]:
    found = NAME.fullmatch(pair.image)
    if not found:
        raise DataError(f"{pair.image} is not called like a picture of EditBench")
    return found


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    options = options_of("editbench", __doc__, arguments)
    judged, generator = (
        read(options, lambda pair: pair.data_set == DATA_SET),
        np.random.default_rng(options.seed),
    )
    found = {
        (category, name): [
            auc(part, f"{DATA_SET}/{name}", method, options.bundle, generator)
            for method in options.methods
        ]
        for category, of in CATEGORIES.items()
        for name, part in sorted(by(judged, of).items())
    }
    numbers = [number for each in found.values() for number in each]
    publish("editbench", [table_of(found, options.methods)], numbers)


def table_of(found: Mapping[tuple[str, str], Sequence[Number]], methods: Sequence[str]) -> Table:
    """A row for each category, a column for each method."""
    table = blank_table("EditBench: ROC AUC (95 %)", "by", "category", *methods)
    for (category, name), numbers in found.items():
        table.add_row(category, name, *(f"{each}\n{each.interval}".rstrip() for each in numbers))
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
