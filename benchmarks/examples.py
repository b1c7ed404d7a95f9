"""Does reranking pay, and is the failing pair of the last picture the right one?

    python -m benchmarks examples --out sheet.png [--store assets/examples]

Works out 20 prompts at the edge of what the embedded text-to-image model can do (of easier ones it
generates nine
right pictures out of nine), 3 x 3 each, always from the same seeds: ERR of the grid (exact, for a
viewer who reads row by row, and for one whom saliency draws) as generated and as reranked by VQ2,
and what the last-ranked picture is said to miss. Reading row by row meets the best first; saliency
may draw the eye elsewhere, so that reranking need not pay there.

Writes a contact sheet of the last-ranked pictures for a person to judge; with --store, keeps the
first eight as the page's worked examples. One JSON line at the end.
"""

from __future__ import annotations

import json
import shutil
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from PIL.Image import Image
from rich.console import Console
from rich.progress import track
from rich.table import Table

from alignment import Models, StoredReport, evaluate, find_bundle, save_report
from alignment.records import GridReport
from alignment.report import library_versions
from benchmarks.data.sheets import contact_sheet
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
PAINTER = find_model("stickers")
SEED = 7
SIDE = 3
STORED = 8
SHOWN, ACROSS = 192, 5
"""Pixels of a picture on the sheet, and pictures in a row of it."""


@dataclass(frozen=True)
class Row:
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


def main(arguments: Sequence[str]) -> None:
    """Run from the command line."""
    parser = ArgumentParser(prog="python -m benchmarks examples", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("examples.png"))
    parser.add_argument("--store", type=Path, help="folder for the page's worked examples")
    options = parser.parse_args(arguments)
    pipeline, models = load_pipeline(PAINTER), Models(find_bundle("embedded"))
    worked = [work_out(prompt, pipeline, models) for prompt in track(PROMPTS, "working out")]
    rows = [row_of(report) for report, _ in worked]
    last_pictures(worked, rows).save(options.out)
    if options.store:
        store(worked[:STORED], options.store)
    show(rows, options.out)


def work_out(prompt: str, pipeline: Any, models: Models) -> tuple[GridReport, list[Image]]:
    """Generate and judge one grid."""
    request = GridRequest(prompt, SIDE, SIDE, SEED, PAINTER.name)
    *_, last = sample(request, pipeline, PAINTER)
    images = [cell.image for cell in last.cells]
    *_, stage = evaluate(prompt, images, SIDE, SIDE, models)
    return cast("GridReport", stage.report), images


def row_of(report: GridReport) -> Row:
    """The figures of one example."""
    last = report.ranking.order[-1]
    weakest = min(report.scores["vq2"][last].evidence, key=lambda entry: entry.probability)
    return Row(
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


def last_pictures(worked: list[tuple[GridReport, list[Image]]], rows: list[Row]) -> Image:
    """The last-ranked picture of each example above what it is said to miss."""
    pictures = [
        images[report.ranking.order[-1]].resize((SHOWN, SHOWN)) for report, images in worked
    ]
    texts = [f"{row.prompt}\n{row.asked}\nnot {row.expected}: {row.seen}" for row in rows]
    return contact_sheet([*zip(pictures, texts, strict=True)], ACROSS)


def store(worked: list[tuple[GridReport, list[Image]]], folder: Path) -> None:
    """Keep reports and pictures where the page finds them, numbered in order."""
    shutil.rmtree(folder, ignore_errors=True)
    for number, (report, images) in enumerate(worked, start=1):
        home = folder / f"{number:02d}-{'-'.join(report.prompt.replace(',', '').split())}"
        home.mkdir(parents=True)
        names = [f"cell-{cell}.png" for cell in range(len(images))]
        for name, image in zip(names, images, strict=True):
            image.save(home / name, optimize=True)
        kept = StoredReport(report, PAINTER.name, SEED, tuple(names), library_versions())
        save_report(kept, home / "report.json")


def show(rows: list[Row], out: Path) -> None:
    """Print the table, then the line."""
    table = Table("prompt", "ERR", "reranked", "last picture: asked", "expected", "P(yes)", "sees")
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
    raised = sum(row.err_reranked > row.err_generated for row in rows)
    drawn = sum(row.err_reranked_by_saliency > row.err_generated_by_saliency for row in rows)
    print(f"reranking raised ERR on {raised} of {len(rows)} grids read row by row,")
    print(f"on {drawn} where saliency draws the eye; judge the last pictures in {out}")
    print(json.dumps({"raised": raised, "of": len(rows), "rows": [asdict(row) for row in rows]}))
