"""Are the worked examples of the page right in all that they say?

Does the page's job on each of `STORED` and writes a contact sheet of all images with what VQ2 says
of each: a person has looked at every one, and looks again when a model has changed. With --store
they are kept as the page's worked examples. With --store-pair `PAIR`, every word of which the
embedded models know, is kept for the tour and the tab Commonsense, as it is written and with its
descriptions as prompts.

For example:

    python -m benchmarks examples --out sheet.png
    python -m benchmarks examples --out sheet.png --store assets/examples
    python -m benchmarks examples --store-pair assets/pair
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, cast

import typer
from PIL.Image import Image

from alignment import save_report
from alignment.prompt_pairs.records import PromptPair
from alignment.records import GridReport
from benchmarks.charts import contact_sheet
from benchmarks.progress import watched
from generation import find_model
from request import Request
from session.jobs import generate_and_score
from session.pair_jobs import generate_and_compare
from session.pair_state import STATES, AskedPair, Files, PairState
from session.state import GridState
from session.storage import ContentStore, ReportFolder, load_image, stored

PAIR = PromptPair(("a rose on the grass", "a rose in the snow"), ("a fresh rose", "a wilted rose"))
PAIR_SEED = 107
SIDE = 3
COMPLETION = find_model(Request.model).completes()
STORED = tuple(
    Request(prompt, SIDE, SIDE, seed, completion=COMPLETION)
    for prompt, seed in (
        ("a dog and three green frogs", 40),
        ("three green books below a clock", 61),
        ("below a duck is a car", 7),
        ("a turtle below a purple star", 135),
    )
)
"""The worked examples of the page, each of which teaches one thing: a dog is lost in three of nine
images; a number is wrong in all; two of which all are right, one with its place named first."""
SHOWN = 192
"""Pixels of an image on the sheet."""


def main(
    out: Annotated[Path, typer.Option(help="The contact sheet.")] = Path("examples.png"),
    store_in: Annotated[
        Path | None, typer.Option("--store", help="Folder for the page's worked examples.")
    ] = None,
    store_pair_in: Annotated[
        Path | None, typer.Option("--store-pair", help="Folder for the worked prompt pair.")
    ] = None,
) -> None:
    """Write the sheet and what is to be stored, then print one JSON line."""
    with TemporaryDirectory() as home:
        worked = work_out(STORED, Path(home))
        contact_sheet([each for state in worked for each in told(state)], SIDE**2).save(out)
        if store_in:
            shutil.rmtree(store_in, ignore_errors=True)
            shutil.copytree(home, store_in)
    if store_pair_in:
        store_pair(store_pair_in)
    prompts = {each.prompt: each.seed for each in STORED}
    print(json.dumps({"benchmark": "examples", "prompts": prompts, "sheet": str(out)}))


def work_out(asked: Sequence[Request], home: Path) -> list[GridState]:
    """Generate and score grids, each in a numbered folder of its own as the page finds them."""
    worked = []
    for number, request in enumerate(watched(asked, "worked out"), start=1):
        folder = home / f"{number:02d}-{'-'.join(request.prompt.replace(',', '').split())}"
        *_, state = generate_and_score(GridState(request), ReportFolder(folder))
        save_report(stored(state, cast("GridReport", state.report)), folder / "report.json")
        worked.append(state)
    return worked


def told(state: GridState) -> Iterator[tuple[Image, str]]:
    """The images of a grid, best first, each with its score by VQ2 and what fails."""
    for cell in state.arranged("reranked"):
        table = state.answers([cell])
        fails = ", ".join(table.name(table.claims[each]).text for each in table.failing(0))
        image = load_image(str(state.file(cell))).resize((SHOWN, SHOWN))
        yield image, f"{state.value(cell) or 0.0:.2f} {fails}"


def store_pair(folder: Path) -> None:
    """Keep the worked prompt pair, plain and with what it implies said, judged by VNLI."""
    asked = AskedPair(*PAIR.prompts, *PAIR.descriptions, 3, PAIR_SEED, "vnli", Request.model)
    first, second = PAIR.descriptions
    plain, said = PairState(asked), PairState(replace(asked, first=first, second=second), True)
    with TemporaryDirectory() as home:
        images = ContentStore(Path(home))
        states = [[*generate_and_compare(each, images)][-1] for each in (plain, said)]
        save_pair_example(states, folder)


def save_pair_example(states: Sequence[PairState], folder: Path) -> None:
    """Keep the states of a prompt pair as `session.pair_state.load_pair_example` reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, state in enumerate(states):
        names = _named(state, number)
        for file, name in zip(chain(*state.files), chain(*names), strict=True):
            load_image(str(file)).save(folder / str(name), "webp", quality=90)
        written.append(replace(state, files=names))
    (folder / "pair.json").write_bytes(STATES.dump_json(tuple(written), indent=1) + b"\n")


def _named(state: PairState, number: int) -> Files:
    """What the files of a state are called in the folder."""
    each = range(state.request.pictures)
    first, second = (tuple(f"{number}-{prompt}-{k}.webp" for k in each) for prompt in (0, 1))
    return first, second
