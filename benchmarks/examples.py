"""What do the worked examples of the page come to, and is the failing pair of the last image right?

Works out 34 prompts at the edge of what the embedded text-to-image model can do (of easier ones it
generates nine right images out of nine), 3 x 3 each, always from the same seeds: ERR of the grid
(exact, for a viewer who reads row by row, and for one whom saliency draws) as generated and as
reranked by VQ2, and what the last-ranked image is said to miss.

ERR is computed here from the scores that also rank the images, so that reading row by row it cannot
fall: no evidence that reranking helps. Whether the first image is right is measured by an
independent detector in `python -m benchmarks best_of_n`.

Writes a contact sheet of the last-ranked images for a person to look at. With --store, the grids of
`STORED` are kept as the page's worked examples, and the sheet shows all of their images with what
VQ2 says of each: a person has looked at every one, and looks again when a model has changed. With
--store-pair `PAIR`, every word of which the embedded models know, is kept for the tour and the tab
Commonsense, as it is written and with its descriptions as prompts. It takes about three minutes on
a CPU.

For example:

    python -m benchmarks examples --out sheet.png
    python -m benchmarks examples --out sheet.png --store assets/examples
    python -m benchmarks examples --limit 2 --store-pair assets/pair
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, NamedTuple, cast

import typer
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from alignment import Models, StoredReport, evaluate, find_bundle, save_report
from alignment.records import Evidence, GridReport, PromptPair
from alignment.report import library_versions
from benchmarks.charts import contact_sheet
from benchmarks.progress import watched
from benchmarks.stickers.prompts import PROMPTS as PROMPT_FILES
from benchmarks.stickers.prompts import read_lines
from generation import GridRequest, find_model, load_pipeline, sample
from session.pair_jobs import generate_and_compare
from session.pair_state import PairState, save_pair_example
from session.png_text import revision_of
from session.storage import ContentStore

PROMPTS = tuple(read_lines(PROMPT_FILES / "examples.jsonl"))
MODEL = find_model("stickers")
PAIR = PromptPair(("a candle at night", "a candle in the day"), ("a lit candle", "an unlit candle"))
SEED = 7
SIDE = 3
STORED = (
    ("two cats, a turtle and a robot", SEED),
    ("one penguin and three balloons", 207),
    ("above a robot is a duck", SEED),
    ("a turtle below a purple star", SEED),
)
"""Prompt and first seed of each worked example of the page, each of which teaches one thing: a word
is missing, a count is wrong, places are exchanged, all is right."""
SHOWN, ACROSS = 192, 5
"""Pixels of an image on the sheet, and images in a row of it."""


class WorkedGrid(NamedTuple):
    """A grid that was generated and scored."""

    report: GridReport
    images: list[Image]
    seed: int = SEED
    """Of its first image."""


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
    store_pair_in: Annotated[
        Path | None, typer.Option("--store-pair", help="Folder for the worked prompt pair.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="For a first look: so many prompts.")
    ] = None,
) -> None:
    """Print the table, then one JSON line."""
    pipeline, models = load_pipeline(MODEL), Models(find_bundle("embedded"))
    asked = PROMPTS[:limit]
    worked = [work_out(each.prompt, pipeline, models) for each in watched(asked, "worked out")]
    rows = [row_of(each.report) for each in worked]
    last_images(worked, rows).save(out)
    if store_in:
        kept = [
            work_out(prompt, pipeline, models, seed) for prompt, seed in watched(STORED, "kept")
        ]
        all_images(kept).save(out)
        store(kept, store_in)
    if store_pair_in:
        store_pair(store_pair_in)
    show(rows, out)


def work_out(prompt: str, pipeline: Any, models: Models, seed: int = SEED) -> WorkedGrid:
    """Generate and score one grid."""
    request = GridRequest(prompt, SIDE, SIDE, seed, MODEL.name)
    *_, last = sample(request, pipeline, MODEL)
    images = [cell.image for cell in last.cells]
    *_, stage = evaluate(prompt, images, SIDE, SIDE, models)
    return WorkedGrid(cast("GridReport", stage.report), images, seed)


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


def last_images(worked: Sequence[WorkedGrid], rows: Sequence[WorkedExample]) -> Image:
    """The last-ranked image of each example above what is said of it."""
    pictures = [
        each.images[each.report.ranking.order[-1]].resize((SHOWN, SHOWN)) for each in worked
    ]
    texts = [f"{row.prompt}\n{row.asked}\n{row.claim}" for row in rows]
    return contact_sheet([*zip(pictures, texts, strict=True)], ACROSS)


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
        for name, image in zip(names, images, strict=True):
            image.save(home / name, optimize=True)
        kept = StoredReport(
            report,
            MODEL.name,
            seed,
            tuple(names),
            library_versions(),
            asked={"revision": revision_of(MODEL.name)},
        )
        save_report(kept, home / "report.json")


def store_pair(folder: Path) -> None:
    """Keep the worked prompt pair, plain and with what it implies said, judged by VNLI."""
    plain = PairState(PAIR, 3, SEED, MODEL.name, "embedded", "vnli")
    said = replace(plain, pair=replace(PAIR, prompts=PAIR.descriptions), revised=True)
    with TemporaryDirectory() as home:
        places = (ContentStore(Path(home)),) * 2
        states = [[*generate_and_compare(each, places)][-1] for each in (plain, said)]
        save_pair_example(states, folder)


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
