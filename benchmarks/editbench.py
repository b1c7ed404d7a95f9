"""Which kinds of prompt does a score tell apart well: counts, colours, materials, shapes, sizes?

ROC AUC on the EditBench part of SeeTRUE, by the attribute that the prompt is about, by object and
by scene; chance is 0.5. The public table says these in its file names alone,
`7_a=few_o=cat_s=indoor.png`: the value of the attribute, the object (a letter is text to be
written), the scene. The kind of attribute is not said, but images are numbered kind by kind, and
within a kind values are in alphabetical order, so that each kind begins where the alphabet starts
anew.

3,827 pairs take about a second each with the embedded models; `--limit 20` gives a first look.

Source of the categories: S. Wang et al., "Imagen Editor and EditBench", 2023.

For example:

    python -m benchmarks editbench --table SeeTRUE.csv --images FOLDER --scores kept
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from rich.table import Table

from benchmarks import options as given
from benchmarks.data.numbers import Number, blank_table, publish
from benchmarks.data.scored_pairs import by, read_scored
from benchmarks.data.seetrue import Labelled
from benchmarks.seetrue import auc
from session.errors import DataError

DATA_SET = "editbench"
NAME = re.compile(
    r"(?P<number>\d+)_a=(?P<value>.+?)_o=(?P<object>.+?)_(?:s|style|o)=(?P<scene>\w+)\.\w+"
)
ATTRIBUTES = ("count", "colour", "material", "shape", "size")
FIRST = (0, 785, 1602, 2291, 3075)
"""The number of the first image of each kind of attribute."""


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
        raise DataError(f"{pair.image} is not called like an image of EditBench")
    return found


def main(
    table: given.Tables = None,
    images: given.ImageHomes = None,
    hub: given.HubDataSet = None,
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    methods: given.MethodNames = given.METHODS,
    vq2: given.Vq2Flags = None,
    scores: given.ScoresFolder = None,
    seed: given.Seed = 7,
) -> None:
    """Print the table, then one JSON line."""
    evaluators = given.evaluators(bundle, role, methods, vq2, scores)
    source = given.pair_source(table, images, hub, limit)
    scored = read_scored(source, evaluators, lambda pair: pair.data_set == DATA_SET)
    generator = np.random.default_rng(seed)
    found = {
        (category, name): [
            auc(part, method, generator, f"{DATA_SET}/{name}", bundle=evaluators.name)
            for method in evaluators.methods
        ]
        for category, of in CATEGORIES.items()
        for name, part in sorted(by(scored, of).items())
    }
    numbers = [number for each in found.values() for number in each]
    publish("editbench", [table_of(found, evaluators.methods)], numbers)


def table_of(found: Mapping[tuple[str, str], Sequence[Number]], methods: Sequence[str]) -> Table:
    """A row for each category, a column for each method."""
    title = "EditBench: ROC AUC (95 %, prompts drawn); chance is 0.5"
    table = blank_table(title, "by", "category", *methods)
    for (category, name), numbers in found.items():
        table.add_row(category, name, *(each.cell for each in numbers))
    return table
