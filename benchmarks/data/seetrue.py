"""SeeTRUE's table comes in; pairs of a picture and a text, each labelled by people, go out.

Columns image, text, label, original_dataset_id, dataset_source; the public file has DrawBench,
EditBench and COCO t2i, and other tables of these columns are read alike.

Source: M. Yarom et al., "What You See is What You Read?", annotations under CC BY 4.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data.errors import DataError
from benchmarks.data.tables import rows

COLUMNS = ("image", "text", "label", "dataset_source")
GENERATED = re.compile(
    r"id_\d+_(?:(?P<category>.*?) ?_)??(?P<generator>sd_1_4|sd_2_1|coco_val)_\d+\.\w+"
)
"""How the pictures of DrawBench and COCO t2i are called."""
GENERATORS = {"sd_1_4": "SD 1.4", "sd_2_1": "SD 2.1", "coco_val": "photograph"}


@dataclass(frozen=True)
class Labelled:
    """A picture, a text, and what people say of them."""

    image: str
    """The file's name."""
    text: str
    holds: bool
    """Whether the picture shows what the text says."""
    data_set: str

    @property
    def generator(self) -> str:
        """Who made the picture, "" where its name does not say.

        >>> Labelled("id_3_Colors_sd_1_4_1.png", "a pink cat", True, "drawbench").generator
        'SD 1.4'
        """
        found = GENERATED.fullmatch(self.image)
        return GENERATORS[found["generator"]] if found else ""

    @property
    def category(self) -> str:
        """DrawBench's category, "" in other data sets.

        >>> Labelled("id_3_Rare Words_sd_2_1_0.png", "artophagous", True, "drawbench").category
        'Rare Words'
        """
        found = GENERATED.fullmatch(self.image)
        return (found["category"] or "") if found else ""


def read_labelled(table: Path) -> list[Labelled]:
    """The pairs of a table.

    Raises:
        DataError: the file or a column is missing, or a label is neither 0 nor 1.
    """
    return [_labelled(row) for row in rows(table, *COLUMNS)]


def _labelled(row: dict[str, str]) -> Labelled:
    if row["label"] not in {"0", "1"}:
        raise DataError(f"the label of {row['image']} is {row['label']!r}; give 0 or 1")
    return Labelled(row["image"], row["text"], row["label"] == "1", row["dataset_source"])
