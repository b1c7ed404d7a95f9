"""`check`: whether the images of a folder show what their prompts ask for, for a build."""

from __future__ import annotations

import sys
from math import floor
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import alignment
from alignment import Models
from alignment.judgements import complete
from cli.flags import with_request
from generation import InvalidRequestError
from request.parameters import Asked
from search.evaluator import ImageEvaluator
from search.records import Verdict
from session.png_text import read_settings
from session.tables import rows
from session.uploads import read_upload
from ui.render.outcome import outcome_of

IMAGES = (".gif", ".jpeg", ".jpg", ".png", ".webp")


@with_request("bundle", "vq2")
def check(
    folder: Annotated[Path, typer.Argument(help="Of images: PNG, JPEG, WebP or GIF.")],
    *,
    asked: Asked,
    at_least: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="The calibrated chance that an image must reach; none reaches 1.",
        ),
    ] = 0.9,
    prompt: Annotated[str, typer.Option(help="Of every image.")] = "",
    captions: Annotated[
        Path | None,
        typer.Option(help="A CSV with the columns `image`, a name in the folder, and `prompt`."),
    ] = None,
) -> None:
    """Check every image of a folder against its prompt; exit with 1 where one falls short.

    The prompt is that of `--prompt`, of the CSV, or the one that this program wrote into the PNG;
    images without one are named and left out.

    **Example**

        python app.py check report/ --at-least 0.9
    """
    request = asked()
    models = Models(alignment.find_bundle(request.bundle))
    readers: dict[str, ImageEvaluator] = {}
    table = Table("image", "chance", "", "what fails", title=f"At least {at_least:g}")
    short = 0
    left_out: list[str] = []
    for file, text in prompted(folder, prompt, captions):
        if not text:
            left_out.append(file.name)
            continue
        if text not in readers:
            readers[text] = ImageEvaluator.read(text, models, request.vq2, at_least)
        verdict = readers[text].judge(read_upload(file, side=None))
        why = falls_short(verdict, at_least)
        short += bool(why)
        chance = "" if verdict.chance is None else f"{floor(100 * verdict.chance) / 100:.2f}"
        table.add_row(escape(file.name), chance, "short" if why else "enough", escape(why))
    Console().print(table)
    print(f"{short} of {table.row_count} images fall short")
    if left_out:
        print(f"left out, without a prompt: {', '.join(left_out)}")
    sys.exit(bool(short))


def falls_short(verdict: Verdict, at_least: float) -> str:
    """Why an image is not right enough; empty where it is."""
    if verdict.score.value is None:
        return verdict.score.reason
    if verdict.chance is None:
        return "the models of this bundle are not calibrated; see `calibrate`"
    if verdict.chance < at_least:
        return str(outcome_of(verdict.table, verdict.score, verdict.holds))
    unjudged = ", ".join(word.text for word in verdict.table.unjudged)
    return "" if complete(verdict.score) else f"not judged: {unjudged}"


def prompted(folder: Path, prompt: str, captions: Path | None) -> list[tuple[Path, str]]:
    """The images of a folder by name, each with its prompt; "" for one that has none.

    Raises:
        InvalidRequestError: there is no image in the folder, or none of them has a prompt.
        DataError: the CSV cannot be read.
        UnusableFileError: a file is no image, or broken.
    """
    table = rows(captions, "image", "prompt") if captions else []
    known = {row["image"]: row["prompt"] for row in table}
    files = sorted(file for file in folder.glob("*") if file.suffix.lower() in IMAGES)
    if not files:
        raise InvalidRequestError(f"no image in {folder}; give a folder with {', '.join(IMAGES)}")
    found = [(file, prompt or known.get(file.name) or _written(file)) for file in files]
    if not any(text for _, text in found):
        raise InvalidRequestError(f"no image in {folder} has a prompt; give --prompt or --captions")
    return found


def _written(file: Path) -> str:
    """The prompt that this program wrote into an image; empty where there is none."""
    if file.suffix.lower() != ".png":
        return ""
    try:
        settings = read_settings(file)
    except OSError:
        read_upload(file)  # which says what is wrong with it
        return ""
    return settings.request.prompt if settings else ""
