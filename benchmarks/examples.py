"""Are the worked examples of the page right in all that they say?

Generates and scores the grids of `STORED`, 3 x 3 each, as the page does from these seeds, and
writes a contact sheet of all their images with what VQ2 says of each: a person has looked at every
one, and looks again when a model has changed. With --store they are kept as the page's worked
examples. With --store-pair `PAIR`, every word of which the embedded models know, is kept for the
tour and the tab Commonsense, as it is written and with its descriptions as prompts.

For example:

    python -m benchmarks examples --out sheet.png
    python -m benchmarks examples --out sheet.png --store assets/examples
    python -m benchmarks examples --store-pair assets/pair
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple, cast

import typer
from PIL.Image import Image

from alignment import Models, StoredReport, evaluate, find_bundle, save_report
from alignment.prompt_pairs.records import PromptPair
from alignment.records import GridReport
from alignment.report import library_versions
from benchmarks.charts import contact_sheet
from benchmarks.progress import watched
from benchmarks.stickers.generated import LoadedGenerator
from generation import GridRequest, find_model
from generation.records import settings_of
from session.pair_jobs import generate_and_compare
from session.pair_state import STATES, AskedPair, Files, PairState
from session.png_text import png_text, revision_of
from session.storage import ContentStore, load_image

MODEL = find_model(GridRequest.model)
PAIR = PromptPair(("a rose on the grass", "a rose in the snow"), ("a fresh rose", "a wilted rose"))
SEED = 7
PAIR_SEED = 107
SIDE = 3
STORED = (
    ("a dog and three green frogs", 40),
    ("three green books below a clock", 61),
    ("below a duck is a car", SEED),
    ("a turtle below a purple star", 135),
)
"""Prompt and first seed of each worked example of the page, each of which teaches one thing: a
dog is lost in three of nine images; a number is wrong in all; two of which all are right, one with
its place named first."""
SHOWN = 192
"""Pixels of an image on the sheet."""


class WorkedGrid(NamedTuple):
    """A grid that was generated and scored."""

    report: GridReport
    images: list[Image]
    seed: int = SEED
    """Of its first image."""


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
    generator, models = LoadedGenerator.of(MODEL.name), Models(find_bundle("embedded"))
    worked = [
        work_out(prompt, generator, models, seed) for prompt, seed in watched(STORED, "worked out")
    ]
    all_images(worked).save(out)
    if store_in:
        store(worked, store_in)
    if store_pair_in:
        store_pair(store_pair_in)
    print(json.dumps({"benchmark": "examples", "prompts": dict(STORED), "sheet": str(out)}))


def work_out(
    prompt: str, generator: LoadedGenerator, models: Models, seed: int = SEED
) -> WorkedGrid:
    """Generate and score one grid."""
    images = generator.grid(prompt, (SIDE, SIDE), seed, completion=MODEL.completes())
    *_, stage = evaluate(prompt, images, SIDE, SIDE, models)
    return WorkedGrid(cast("GridReport", stage.report), images, seed)


def all_images(worked: Sequence[WorkedGrid]) -> Image:
    """Every image of the grids, best first, above the chance that VQ2 gives it and what fails."""
    shown = []
    for report, images, _ in worked:
        for cell in report.ranking.order:
            chance, weakest = report.relevance["vq2"][cell], report.scores["vq2"][cell].weakest
            fails = [weakest] if weakest and not weakest.holds else []
            said = "".join(f"{each.pair.answer.text}: {each.seen}" for each in fails)
            shown.append((images[cell].resize((SHOWN, SHOWN)), f"{chance:.2f} {said}"))
    return contact_sheet(shown, SIDE**2)


def store(worked: Sequence[WorkedGrid], folder: Path) -> None:
    """Keep reports and images where the page finds them, numbered in order."""
    shutil.rmtree(folder, ignore_errors=True)
    for number, (report, images, seed) in enumerate(worked, start=1):
        home = folder / f"{number:02d}-{'-'.join(report.prompt.replace(',', '').split())}"
        home.mkdir(parents=True)
        names = [f"cell-{cell}.png" for cell in range(len(images))]
        request = GridRequest(report.prompt, SIDE, SIDE, seed, MODEL.name, MODEL.completes())
        for cell, (name, image) in enumerate(zip(names, images, strict=True)):
            made = png_text(settings_of(request, seed + cell, MODEL))
            image.save(home / name, optimize=True, pnginfo=made)
        kept = StoredReport(
            report,
            MODEL.name,
            seed,
            tuple(names),
            library_versions(),
            asked={"revision": revision_of(MODEL.name), "completion": MODEL.completes()},
        )
        save_report(kept, home / "report.json")


def store_pair(folder: Path) -> None:
    """Keep the worked prompt pair, plain and with what it implies said, judged by VNLI."""
    asked = AskedPair(*PAIR.prompts, *PAIR.descriptions, 3, PAIR_SEED, "vnli", MODEL.name)
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
