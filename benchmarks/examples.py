"""What do the worked examples of the page come to, and is the failing pair of the last image right?

Works out 20 prompts at the edge of what the embedded text-to-image model can do (of easier ones it
generates nine right images out of nine), 3 x 3 each, always from the same seeds: ERR of the grid
(exact, for a viewer who reads row by row, and for one whom saliency draws) as generated and as
reranked by VQ2, and what the last-ranked image is said to miss.

ERR is computed here from the scores that also rank the images, so that reading row by row it cannot
fall: no evidence that reranking helps. Whether the first image is right is measured by an
independent detector in `python -m benchmarks stickers`.

Writes a contact sheet of the last-ranked images for a person to look at; with --store, keeps the
first eight as the page's worked examples. It takes about three minutes on a CPU.

For example:

    python -m benchmarks examples --out sheet.png
    python -m benchmarks examples --out sheet.png --store assets/examples
    python -m benchmarks examples --limit 2
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from alignment import Models, StoredReport, evaluate, find_bundle, save_report
from alignment.records import GridReport
from alignment.report import library_versions
from benchmarks.data.sheets import contact_sheet
from benchmarks.progress import watched
from generation import GridRequest, find_model, load_pipeline, sample

PROMPTS = (
    "three stars and a crescent moon at night",
    "a hatched egg and two ducks on the grass",
    "a green snowman to the right of a pink elephant",
    "a turtle below a purple star",
    "three purple telephones and a book",
    "a penguin over three red balloons",
    "a red heart, a blue star and a green car",
    "a black elephant, a pink cow and a green duck",
    "a house above two green trees",
    "a blue dog and a purple cat at sunset",
    "a red penguin and three blue eggs",
    "two wilted roses and a teapot",
    "two red umbrellas and two yellow caps on the beach",
    "a small red car below a small blue airplane",
    "a blue bucket, a red teapot and a brown dog at night",
    "two small green fish at sunset",
    "a pink robot above a green turtle",
    "four pink owls at night",
    "a crescent moon above a black house",
    "one frog and three blue balloons",
)
MODEL = find_model("stickers")
SEED = 7
SIDE = 3
STORED = 8
SHOWN, ACROSS = 192, 5
"""Pixels of an image on the sheet, and images in a row of it."""


@dataclass(frozen=True)
class WorkedExample:
    """What one example came to."""

    prompt: str
    err_generated: float
    err_reranked: float
    err_generated_by_saliency: float
    err_reranked_by_saliency: float
    asked: str
    expected: str
    probability: float
    seen: str


def main(
    out: Annotated[Path, typer.Option(help="The contact sheet.")] = Path("examples.png"),
    store_in: Annotated[
        Path | None, typer.Option("--store", help="Folder for the page's worked examples.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="For a first look: so many prompts.")
    ] = None,
) -> None:
    """Print the table, then one JSON line."""
    pipeline, models = load_pipeline(MODEL), Models(find_bundle("embedded"))
    worked = [
        work_out(prompt, pipeline, models) for prompt in watched(PROMPTS[:limit], "worked out")
    ]
    rows = [row_of(report) for report, _ in worked]
    last_images(worked, rows).save(out)
    if store_in:
        store(worked[:STORED], store_in)
    show(rows, out)


def work_out(prompt: str, pipeline: Any, models: Models) -> tuple[GridReport, list[Image]]:
    """Generate and score one grid."""
    request = GridRequest(prompt, SIDE, SIDE, SEED, MODEL.name)
    *_, last = sample(request, pipeline, MODEL)
    images = [cell.image for cell in last.cells]
    *_, stage = evaluate(prompt, images, SIDE, SIDE, models)
    return cast("GridReport", stage.report), images


def row_of(report: GridReport) -> WorkedExample:
    """The figures of one example."""
    last = report.ranking.order[-1]
    weakest = min(report.scores["vq2"][last].evidence, key=lambda entry: entry.probability)
    return WorkedExample(
        report.prompt,
        _err(report, "positional", "generated"),
        _err(report, "positional", "reranked"),
        _err(report, "saliency", "generated"),
        _err(report, "saliency", "reranked"),
        weakest.pair.question,
        weakest.pair.answer.text,
        weakest.probability,
        weakest.seen,
    )


def _err(report: GridReport, order: str, arrangement: str) -> float:
    wanted = ("ERR", order, arrangement)
    return next(s.value for s in report.set_scores if (s.metric, s.order, s.arrangement) == wanted)


def last_images(worked: list[tuple[GridReport, list[Image]]], rows: list[WorkedExample]) -> Image:
    """The last-ranked image of each example above what it is said to miss."""
    pictures = [
        images[report.ranking.order[-1]].resize((SHOWN, SHOWN)) for report, images in worked
    ]
    texts = [f"{row.prompt}\n{row.asked}\nnot {row.expected}: {row.seen}" for row in rows]
    return contact_sheet([*zip(pictures, texts, strict=True)], ACROSS)


def store(worked: list[tuple[GridReport, list[Image]]], folder: Path) -> None:
    """Keep reports and images where the page finds them, numbered in order."""
    shutil.rmtree(folder, ignore_errors=True)
    for number, (report, images) in enumerate(worked, start=1):
        home = folder / f"{number:02d}-{'-'.join(report.prompt.replace(',', '').split())}"
        home.mkdir(parents=True)
        names = [f"cell-{cell}.png" for cell in range(len(images))]
        for name, image in zip(names, images, strict=True):
            image.save(home / name, optimize=True)
        kept = StoredReport(report, MODEL.name, SEED, tuple(names), library_versions())
        save_report(kept, home / "report.json")


def show(rows: list[WorkedExample], out: Path) -> None:
    """Print the table, then the line."""
    table = Table("prompt", "ERR", "reranked", "last image: asked", "expected", "P(yes)", "sees")
    for row in rows:
        table.add_row(
            row.prompt,
            f"{row.err_generated:.2f}",
            f"{row.err_reranked:.2f}",
            row.asked,
            row.expected,
            f"{row.probability:.2f}",
            row.seen,
        )
    Console().print(table)
    Console().print(f"Look at the last images in {out}: is what each is said to miss missing?")
    print(json.dumps({"benchmark": "examples", "rows": [asdict(row) for row in rows]}))
