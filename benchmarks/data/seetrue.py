"""Pairs of an image and a text, each labelled by people: SeeTRUE and the data sets it is made of.

A `.csv` file has SeeTRUE's columns image, text, label and dataset_source; the public one holds
DrawBench, EditBench and COCO t2i. A `.jsonl` file is SNLI-VE's, whose three classes become two
(entailment is true, neutral and contradiction are not), or Winoground's, whose two captions are
each true of one of two images, or has a caption and its contradiction on each line (image, caption,
foil), as COCO-Con and PickaPic-Con do; its data set is
called like the file.

Source: M. Yarom et al., "What You See is What You Read?", annotations under CC BY 4.0;
N. Xie et al., "Visual Entailment", 2019; T. Thrush et al., "Winoground", 2022.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from pathlib import Path
from typing import Any

from session.errors import DataError
from session.tables import objects, rows

COLUMNS = ("image", "text", "label", "dataset_source")
GENERATED = re.compile(
    r"id_\d+_(?:(?P<category>.*?) ?_)??(?P<generator>sd_1_4|sd_2_1|coco_val)_\d+\.\w+"
)
"""How the images of DrawBench and COCO t2i are called."""
PHOTOGRAPH = "photograph"
GENERATORS = {"sd_1_4": "SD 1.4", "sd_2_1": "SD 2.1", "coco_val": PHOTOGRAPH}
SNLI_VE = {"entailment": True, "neutral": False, "contradiction": False}
"""The classes of SNLI-VE -> whether the image shows what the text says."""


class Grouping(str, Enum):
    """What pairs can be told apart by: fields of `Labelled`, "" for one in no group."""

    data = "data"
    category = "category"
    model = "model"


@dataclass(frozen=True)
class Labelled:
    """An image, a text, and what people say of them."""

    image: str
    """The file's name."""
    text: str
    holds: bool
    """Whether the image shows what the text says."""
    data: str
    """The data set."""
    example: str = ""
    """Of Winoground: which two captions and two images it belongs to."""
    tag: str = ""
    """Of Winoground: how its captions differ."""

    @property
    def unit(self) -> str:
        """What intervals draw, and limits count: the text, or Winoground's example."""
        return self.example or self.text

    @property
    def generator(self) -> str:
        """Who made the image, "" where its name does not say.

        >>> Labelled("id_3_Colors_sd_1_4_1.png", "a pink cat", True, "drawbench").generator
        'SD 1.4'
        """
        found = GENERATED.fullmatch(self.image)
        return GENERATORS[found["generator"]] if found else ""

    @property
    def category(self) -> str:
        """DrawBench's category or Winoground's tag, "" in other data sets.

        >>> Labelled("id_3_Rare Words_sd_2_1_0.png", "artophagous", True, "drawbench").category
        'Rare Words'
        """
        found = GENERATED.fullmatch(self.image)
        return (found["category"] or "") if found else self.tag

    @property
    def model(self) -> str:
        """Data set and text-to-image model; "" for a photograph, or where unknown.

        >>> Labelled("id_3_Colors_sd_1_4_1.png", "a pink cat", True, "drawbench").model
        'drawbench, SD 1.4'
        """
        return "" if self.generator in ("", PHOTOGRAPH) else f"{self.data}, {self.generator}"


def read_labelled(file: Path) -> list[Labelled]:
    """The pairs of a file.

    Raises:
        DataError: the file or a column is missing, or a label is none that is known.
    """
    if file.suffix != ".jsonl":
        return [_from_seetrue(row) for row in rows(file, *COLUMNS)]
    lines = objects(file)
    if lines and "gold_label" in lines[0]:
        return [pair for line in lines for pair in _from_snli_ve(line, file)]
    if lines and "caption_0" in lines[0]:
        lines = objects(file, "caption_0", "caption_1", "image_0", "image_1", "collapsed_tag")
        return [
            pair for number, line in enumerate(lines) for pair in _from_winoground(line, number)
        ]
    lines = objects(file, "image", "caption", "foil")
    return [pair for line in lines for pair in _from_contradiction(line, file.stem)]


def _from_seetrue(row: Mapping[str, str]) -> Labelled:
    if row["label"] not in {"0", "1"}:
        raise DataError(f"the label of {row['image']} is {row['label']!r}; give 0 or 1")
    return Labelled(row["image"], row["text"], row["label"] == "1", row["dataset_source"])


def _from_snli_ve(line: Mapping[str, Any], file: Path) -> Iterator[Labelled]:
    """A line without a majority, "-", is left out."""
    if line["gold_label"] == "-":
        return
    if line["gold_label"] not in SNLI_VE:
        known = ", ".join(SNLI_VE)
        raise DataError(f"{file.name}: the label {line['gold_label']!r} is none of {known}")
    image = str(line.get("Flickr30K_ID") or line.get("Flikr30kID") or "")
    if not image or "sentence2" not in line:
        raise DataError(f"{file.name} has a line without Flickr30K_ID or sentence2")
    name = image if Path(image).suffix else f"{image}.jpg"
    yield Labelled(name, line["sentence2"], SNLI_VE[line["gold_label"]], "snli-ve")


def _from_contradiction(line: Mapping[str, Any], data_set: str) -> Iterator[Labelled]:
    yield Labelled(line["image"], line["caption"], True, data_set)
    yield Labelled(line["image"], line["foil"], False, data_set)


def _from_winoground(line: Mapping[str, Any], number: int) -> Iterator[Labelled]:
    """Both images of either caption; the published file names images without their ending."""
    for caption, image in product("01", "01"):
        text, name = line[f"caption_{caption}"], f"{line[f'image_{image}']}.png"
        about = str(number), line["collapsed_tag"]
        yield Labelled(name, text, caption == image, "winoground", *about)
