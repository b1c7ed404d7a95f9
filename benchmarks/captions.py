"""Which prompts and target images does a data set of captions give?

COCO's captions and Localized Narratives, the two data sets that set metrics were published on, as
the prompts and targets of `python app.py batch`: prompts.txt, one caption a line, and targets.csv,
the image of each caption. `--coco` is captions_val2017.json or another file of its format;
`--narratives` a .jsonl of Localized Narratives, whose image ids are COCO's numbers or names of Open
Images. `--images` is the folder of the images. Of an image the first caption is taken; a narrative
is as long as it was spoken, up to what a prompt may have.

For example:

    python -m benchmarks captions --coco captions.json --images val2017 --out coco --limit 100
    python -m benchmarks captions --narratives coco_val_captions.jsonl --images val2017 --out spoken
    python app.py batch --prompts coco/prompts.txt --targets coco/targets.csv --out runs/coco
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks import options as given
from generation.validation import LONGEST_PROMPT
from session.errors import DataError
from session.tables import objects

COCO_NAME = "{:012d}.jpg"
"""What COCO calls an image by its number."""


def main(
    images: Annotated[Path, typer.Option(help="The folder of the images.")],
    out: Annotated[Path, typer.Option(help="The folder for prompts.txt and targets.csv.")],
    coco: Annotated[Path | None, typer.Option(help="COCO's captions as JSON.")] = None,
    narratives: Annotated[
        Path | None, typer.Option(help="Localized Narratives as JSON lines.")
    ] = None,
    limit: given.Limit = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the images that --limit draws.")] = 7,
) -> None:
    """Write the files, then print one JSON line."""
    if (coco is None) == (narratives is None):
        raise DataError("give --coco or --narratives, one of them")
    captions = read_coco(coco) if coco else read_narratives(narratives or out)
    here = {name: text for name, text in captions.items() if (images / name).is_file()}
    if not here:
        raise DataError(f"{images} has none of the {len(captions)} images, such as {min(captions)}")
    names = sorted(here)
    if limit and limit < len(names):
        drawn = np.random.default_rng(seed).choice(len(names), limit, replace=False)
        names = [names[place] for place in sorted(drawn.tolist())]
    write(out, images.resolve(), {name: here[name] for name in names})
    print(json.dumps({"prompts": len(names), "captions": len(captions), "images": len(here)}))


def read_coco(file: Path) -> dict[str, str]:
    """Image file -> its first caption.

    Raises:
        DataError: the file is not as COCO's are.

    Source: T.-Y. Lin et al., "Microsoft COCO: Common Objects in Context", 2014.
    """
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        names = {each["id"]: each["file_name"] for each in plain["images"]}
        captions = [(names[each["image_id"]], each["caption"]) for each in plain["annotations"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{file} is no file of COCO's captions ({type(error).__name__}: {error}); it has "
            "images with id and file_name, and annotations with image_id and caption"
        ) from error
    return _first(captions)


def read_narratives(file: Path) -> dict[str, str]:
    """Image file -> its first narrative.

    Raises:
        DataError: a line has no image or no caption.

    Source: J. Pont-Tuset et al., "Connecting Vision and Language with Localized Narratives", 2020.
    """
    lines = objects(file, "image_id", "caption")
    return _first([(_image_of(str(each["image_id"])), each["caption"]) for each in lines])


def _image_of(number: str) -> str:
    """The file of an image by its id.

    >>> _image_of("139"), _image_of("000595fe6fee6369")
    ('000000000139.jpg', '000595fe6fee6369.jpg')
    """
    is_coco = number.isdecimal() and len(number) <= len(COCO_NAME.format(0)) - len(".jpg")
    return COCO_NAME.format(int(number)) if is_coco else f"{number}.jpg"


def _first(captions: list[tuple[str, str]]) -> dict[str, str]:
    """The first caption of each image that can be a prompt, on one line."""
    found: dict[str, str] = {}
    for name, caption in captions:
        text = " ".join(caption.split())
        if 0 < len(text) <= LONGEST_PROMPT:
            found.setdefault(name, text)
    return found


def write(out: Path, images: Path, captions: dict[str, str]) -> None:
    """The two files of a batch; images of one caption are its targets together."""
    out.mkdir(parents=True, exist_ok=True)
    prompts = dict.fromkeys(captions.values())
    (out / "prompts.txt").write_text("".join(f"{each}\n" for each in prompts), encoding="utf-8")
    with (out / "targets.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("prompt", "image"))
        rows.writerows((text, images / name) for name, text in captions.items())
