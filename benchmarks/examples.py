"""What do the worked examples of the page come to, and is the failing pair of the last image right?

Works out 34 prompts at the edge of what the embedded text-to-image model can do (of easier ones it
generates nine right images out of nine), 3 x 3 each, always from the same seeds: ERR of the grid
(exact, for a viewer who reads row by row, and for one whom saliency draws) as generated and as
reranked by VQ2, and what the last-ranked image is said to miss.

ERR is computed here from the scores that also rank the images, so that reading row by row it cannot
fall: no evidence that reranking helps. Whether the first image is right is measured by an
independent detector in `python -m benchmarks rerank --model stickers`.

Writes a contact sheet of the last-ranked images for a person to look at. With --store, up to eight
are kept as the page's worked examples: grids of which the detector says of all nine images what the
calibrated chances say, and whose last image, if it is wrong, fails plainly, its two answers
agreeing; first those with right and wrong images, then those with the fewest pairs whose answers
disagree. It takes about six minutes on a CPU.

For example:

    python -m benchmarks examples --out sheet.png
    python -m benchmarks examples --out sheet.png --store assets/examples
    python -m benchmarks examples --limit 2
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from alignment import Models, StoredReport, evaluate, find_bundle, save_report
from alignment.records import Evidence, GridReport
from alignment.report import library_versions
from benchmarks.data.sheets import contact_sheet
from benchmarks.progress import watched
from benchmarks.stickers.detector import Detector, detect, load_detector, to_pixels
from benchmarks.stickers.prompts import PROMPTS as PROMPT_FILES
from benchmarks.stickers.prompts import EvaluationPrompt, read_lines, satisfies
from generation import GridRequest, find_model, load_pipeline, sample

PROMPTS = tuple(read_lines(PROMPT_FILES / "examples.jsonl"))
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

    @property
    def claim(self) -> str:
        """What is said of the last image."""
        if self.probability >= 0.5:
            return f"holds: {self.expected}"
        return f"not {self.expected}: {self.seen}"


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
    asked = PROMPTS[:limit]
    worked = [work_out(each.prompt, pipeline, models) for each in watched(asked, "worked out")]
    rows = [row_of(report) for report, _ in worked]
    last_images(worked, rows).save(out)
    if store_in:
        store(chosen(worked, asked, load_detector()), store_in)
    show(rows, out)


def work_out(prompt: str, pipeline: Any, models: Models) -> tuple[GridReport, list[Image]]:
    """Generate and score one grid."""
    request = GridRequest(prompt, SIDE, SIDE, SEED, MODEL.name)
    *_, last = sample(request, pipeline, MODEL)
    images = [cell.image for cell in last.cells]
    *_, stage = evaluate(prompt, images, SIDE, SIDE, models)
    return cast("GridReport", stage.report), images


def chosen(
    worked: Sequence[tuple[GridReport, list[Image]]],
    asked: Sequence[EvaluationPrompt],
    detector: Detector,
) -> list[tuple[GridReport, list[Image]]]:
    """The examples to store, at most `STORED`: none that claims what the detector denies."""
    fit = []
    for (report, images), prompt in zip(worked, asked, strict=True):
        right = [satisfies(scene, prompt) for scene in detect(detector, to_pixels(images))]
        if is_undenied(report, right):
            mixed = any(right) and not all(right)
            fit.append((not mixed, disagreements(report), (report, images)))
    fit.sort(key=lambda each: each[:2])
    return [each for *_, each in fit[:STORED]]


def is_undenied(report: GridReport, right: Sequence[bool]) -> bool:
    """Whether every chance is on the detector's side, and the last image, if wrong, fails plainly.

    Args:
        report: of the grid.
        right: by cell, what the detector says.
    """
    chances = report.relevance.get(report.ranked_by, (None,) * len(right))
    said = [chance is not None and chance >= 0.5 for chance in chances]
    weakest = report.scores["vq2"][report.ranking.order[-1]].weakest
    plain = weakest is not None and not weakest.holds and weakest.agrees is True
    return said == [*right] and (all(right) or plain)


def disagreements(report: GridReport) -> int:
    """Pairs of the grid whose two answers disagree."""
    return sum(e.agrees is False for score in report.scores["vq2"] for e in score.evidence)


def row_of(report: GridReport) -> WorkedExample:
    """The figures of one example."""
    last = report.ranking.order[-1]
    weakest = cast("Evidence", report.scores["vq2"][last].weakest)
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
    """The last-ranked image of each example above what is said of it."""
    pictures = [
        images[report.ranking.order[-1]].resize((SHOWN, SHOWN)) for report, images in worked
    ]
    texts = [f"{row.prompt}\n{row.asked}\n{row.claim}" for row in rows]
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
