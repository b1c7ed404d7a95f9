"""A prompt comes in, on the page or the command line; a ranked grid that says why goes out.

    python app.py                                  starts the page (HOST, PORT)
    python app.py "a red apple" --out report/      does the same job here and now

The composition root: request -> grid -> report -> what is shown.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from PIL import Image
from rich.console import Console
from rich.progress import Progress

import alignment
import generation
from alignment import AlignmentError, Models, Stage, StoredReport
from alignment.browsing import Order
from alignment.errors import UnknownBundleError, UnknownMethodError
from alignment.evaluation import check_method
from alignment.saliency import compose_grid, saliency_map
from alignment.set_metrics import ERR, grid_pictures_seen, grid_shares
from generation import (
    GenerationError,
    GridCell,
    GridRequest,
    ImageGrid,
    InvalidRequestError,
)
from view import status
from view.board import Board, address
from view.evidence import evidence, questions
from view.figures import maps, spotlight
from view.gallery import gallery
from view.summary import summary
from view.table import gains_table, ranked_table
from view.vocabulary import unknown_words
from view.words import counted

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

    from view.page import Changes, Page

ASSETS = Path(__file__).resolve().parent / "assets"
EXAMPLES = ASSETS / "examples"
MISTAKES = (InvalidRequestError, UnknownBundleError, UnknownMethodError)
"""What the person who asked can mend."""
FAILURES = (GenerationError, AlignmentError)
BROKEN = "something broke here; what was done stays, and the log of the server says what happened"
THUMBNAIL = (160, 160)

Keep = Callable[[GridCell], str]
"""Stores a picture and returns its file."""


# The job, the same for the page and the command line


def paint_and_judge(asked: Board, keep: Keep) -> Iterator[Board]:
    """The whole job: every item knows more than the one before, the last has the report."""
    request = GridRequest(asked.prompt, asked.rows, asked.columns, asked.seed, asked.model)
    generation.validate_request(request)
    check_method(asked.ranked_by)
    models = Models(alignment.find_bundle(asked.bundle))
    start = time.perf_counter()
    yield replace(asked, doing=f"loading {asked.model}")
    pipeline = load_painter(asked.model)
    yield replace(asked, doing="reading the prompt")
    board = read(asked, pipeline, models)
    reading = time.perf_counter() - start
    yield board
    grid = ImageGrid(request, ())
    for step in generation.sample(request, pipeline, generation.find_model(asked.model)):
        grid, board = generation.finished(step, request), board.painted(step, keep)
        yield board
    painting = time.perf_counter() - start - reading
    for stage in judging(board, grid, models):
        board = board.judged(stage.name, stage.done, stage.total, stage.scores, stage.report)
        yield board.timed(reading=reading, painting=painting)


@cache
def load_painter(model: str) -> DiffusionPipeline:
    """A painter, loaded once per process."""
    return generation.load_pipeline(generation.find_model(model))


def read(asked: Board, pipeline: DiffusionPipeline, models: Models) -> Board:
    """What is known before any picture: the questions, and the words nobody will see."""
    return replace(
        asked,
        pictures=(None,) * asked.size,
        questions=alignment.read_prompt(asked.prompt, models),
        unread=generation.unread_words(asked.prompt, pipeline),
        doing="painting",
    )


def judging(board: Board, grid: ImageGrid, models: Models) -> Iterator[Stage]:
    """The evaluation of a painted grid."""
    images = [None if cell.filtered else cell.image for cell in grid.cells]
    return alignment.evaluate(
        board.prompt,
        images,
        board.rows,
        board.columns,
        models,
        ranked_by=board.ranked_by,
        questions=board.questions,
    )


def once_each(store: Keep) -> Keep:
    """The same, but a picture that is shown again and again is stored once."""
    last: dict[int, tuple[Image.Image, str]] = {}

    def keep(cell: GridCell) -> str:
        if cell.cell not in last or last[cell.cell][0] is not cell.image:
            last[cell.cell] = cell.image, store(cell)
        return last[cell.cell][1]

    return keep


# The page


@dataclass(frozen=True)
class PageDesk:
    """What the events of the page do, as `view.page.Desk` says."""

    page: Page
    examples: tuple[Board, ...]

    def generate(self, *values: Any) -> Iterator[Changes]:
        """Paint and judge; a mistake or a failure leaves what is shown alone."""
        page, start = self.page, time.perf_counter()
        *asked, arrangement, order, depth, novelty = values
        end = status.note("done")
        try:
            keep = once_each(lambda cell: store(cell.image))
            for board in paint_and_judge(requested(*asked), keep):
                seconds = time.perf_counter() - start
                yield {
                    page.stop: usable(True),
                    page.status: status.progress(board, seconds),
                    **self.grow(board, arrangement, order, depth, novelty),
                }
            end = status.note(f"{counted(board.size, 'picture')} in {seconds:.1f} s")
        except (*MISTAKES, *FAILURES) as error:
            end = status.mistake(str(error))
        except Exception:
            logging.exception("the work on a grid broke off")
            end = status.mistake(BROKEN)
        yield {page.stop: usable(False), page.status: end}

    def grow(self, board: Board, *view: Any) -> Changes:
        """What changes on the page as a board grows."""
        page = self.page
        if board.report:
            return self.draw(board, board.worst, *view)
        if not board.pictures:
            return {}
        changes = {page.board: board, page.grid: gallery(board)}
        if not any(board.pictures):
            new = {page.panel: questions(board), page.summary: "", page.maps: ""}
            changes |= {page.selected: None, **new}
        if board.unread:
            changes[page.warning] = status.warning(status.about_unread(board.unread))
        return changes

    def draw(self, board: Board | None, selected: int | None, *view: Any) -> Changes:
        """The whole board anew, as the visitor looks at it now."""
        page = self.page
        if board is None:
            return {page.board: None}
        arrangement, *viewer = view
        totals, attention = gains(board, arrangement, *viewer)
        return {
            page.board: board,
            page.selected: selected,
            page.grid: gallery(board, arrangement, selected),
            page.panel: questions(board) if selected is None else evidence(board, selected),
            page.summary: totals,
            page.maps: attention,
        }

    def rank(self, method: str, board: Board | None, selected: int | None, *view: Any) -> Changes:
        """Another ranking of the same pictures; no model is asked."""
        if board is None or board.report is None:
            return {self.page.board: board}
        report = alignment.rerank(board.report, method, pictures(board))
        return self.draw(replace(board, ranked_by=method, report=report), selected, *view)

    def show(self, number: int, *view: Any) -> Changes:
        """An example that is already worked out, and the request that made it."""
        page, board = self.page, self.examples[number]
        return {
            page.prompt: board.prompt,
            page.size: f"{board.rows} x {board.columns}",
            page.seed: board.seed,
            page.ranked_by: board.ranked_by,
            page.model: board.model,
            page.bundle: board.bundle,
            page.status: "",
            **self.draw(board, board.worst, *view),
        }

    def open(self, board: Board | None, cell: int) -> Changes:
        """The reasons of the picture that was chosen."""
        if board is None or cell not in range(board.size):
            return {self.page.selected: None}
        return {self.page.selected: cell, self.page.panel: evidence(board, cell)}

    def stopped(self) -> Changes:
        """The work is cancelled; what is there stays."""
        page = self.page
        return {page.stop: usable(False), page.status: status.note("stopped; what was done stays")}

    def warn(self, prompt: str, model: str, bundle: str) -> Changes:
        """Words the embedded models have never seen."""
        embedded = generation.find_model(model).embedded or bundle == "embedded"
        words = unknown_words(prompt, known_words()) if embedded else ()
        return {self.page.warning: status.warning(status.about_unknown(words))}


def build_page() -> Page:
    """The page with the first example on it, ready to be launched."""
    from view.page import Choices, lay_out

    examples = tuple(load_example(report) for report in sorted(EXAMPLES.glob("*/report.json")))
    page = lay_out(
        Choices(
            models=tuple(generation.MODELS),
            bundles=tuple(alignment.BUNDLES),
            methods=alignment.METHODS,
            examples=tuple(board.prompt for board in examples),
        )
    )
    desk = PageDesk(page, examples)
    with page.blocks:
        page.wire(desk)
    if examples:
        for component, value in desk.show(0, *(each.value for each in page.viewing)).items():
            component.value = value
    return page


def serve() -> None:
    """Start the page and stay."""
    build_page().blocks.launch(
        server_name=os.environ.get("HOST", "127.0.0.1"),
        server_port=int(os.environ.get("PORT", "7860")),
        **launching(),
    )


def launching() -> dict[str, Any]:
    """How the server behaves wherever it listens: private, and serving nothing but pictures."""
    from view.page import look

    return {
        "allowed_paths": [str(EXAMPLES)],
        "max_file_size": "1mb",
        "ssr_mode": False,
        "run_history": False,
        "enable_monitoring": False,
        **look(),
    }


def requested(
    prompt: str, size: str, seed: int | None, ranked_by: str, model: str, bundle: str
) -> Board:
    """What the fields of the page ask for.

    Raises:
        InvalidRequestError: the grid is not two numbers, or there is no seed.
    """
    sides = re.fullmatch(r"\s*(\d{1,4})\s*[x×*]\s*(\d{1,4})\s*", size)
    if not sides:
        raise InvalidRequestError(f"the grid is {size!r}; write rows x columns, such as 3 x 3")
    if seed is None:
        raise InvalidRequestError("there is no seed; any whole number from 0 will do")
    rows, columns = map(int, sides.groups())
    return Board(prompt, rows, columns, int(seed), model, bundle, ranked_by)


def gains(
    board: Board, arrangement: str, order: Order, depth: float, novelty: bool
) -> tuple[str, str]:
    """What a viewer gets from a finished board: the numbers, and the maps."""
    report = board.report
    if not report or not report.saliency:
        return "", ""
    values, masses = report.ranking.values, report.saliency
    metric = ERR(depth, "max" if novelty else "none", order)
    seen = {
        name: grid_pictures_seen(metric, values, board.arranged(name), masses[name])
        for name in masses
    }
    cells = board.arranged(arrangement)
    shares = grid_shares(metric, values, cells, masses[arrangement], report.similarity)
    scores = alignment.measured(report, depth).set_scores
    return (
        summary(scores, order, novelty, seen),
        maps(board, arrangement, spotlit(board, arrangement), shares),
    )


def spotlit(board: Board, arrangement: str) -> str:
    """The address of the small grid picture, lit where the eye is drawn."""
    images = pictures(board)
    for image in filter(None, images):
        image.thumbnail(THUMBNAIL)
    shown = [images[cell] for cell in board.arranged(arrangement)]
    picture, _ = compose_grid(shown, board.rows, board.columns)
    return address(store(spotlight(picture, saliency_map(picture))))


def pictures(board: Board) -> list[Image.Image | None]:
    """The finished pictures by cell; None for one that is missing or filtered."""
    return [
        picture(file) if file and cell not in board.filtered else None
        for cell, file in enumerate(board.pictures)
    ]


def picture(file: str) -> Image.Image:
    """What a file shows; the file is closed again."""
    with Image.open(file) as image:
        return image.copy()


def store(image: Image.Image) -> str:
    """Put a picture where the page may fetch it; the file is named by what is in it."""
    from gradio.processing_utils import save_pil_to_cache
    from gradio.utils import get_upload_folder

    return str(save_pil_to_cache(image, get_upload_folder(), format="png"))


def load_example(report: Path) -> Board:
    """A board that was worked out before, from its report."""
    stored = alignment.load_report(report)
    files = tuple(file and str(report.parent / file) for file in stored.images)
    return Board.finished(stored.report, stored.model, stored.seed, files)


@cache
def known_words() -> frozenset[str]:
    """Every word the embedded models know."""
    return frozenset(json.loads((ASSETS / "vocabulary.json").read_text("utf-8"))["words"])


def usable(on: bool) -> Any:
    """A button that can be pressed, or cannot."""
    import gradio as gr

    return gr.update(interactive=on)


# The command line


def write_report(asked: Board, out: Path | None) -> Board:
    """Do the job here and now; pictures and report go to `out`."""
    quiet = not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("")
        for board in paint_and_judge(asked, once_each(partial(save_cell, out))):
            bar.update(task, description=board.doing, completed=board.done, total=board.total)
    if out and board.report:
        files = tuple(
            None if cell in board.filtered else Path(file).name
            for cell, file in enumerate(board.pictures)
            if file
        )
        versions = alignment.library_versions()
        found = StoredReport(board.report, board.model, board.seed, files, versions)
        alignment.save_report(found, out / "report.json")
    return board


def save_cell(out: Path | None, cell: GridCell) -> str:
    """Write a picture; a finished one replaces its rough ones."""
    file = (out or Path()) / f"cell-{cell.cell:02}.png"
    if out:
        cell.image.save(file)
    return str(file)


def main(
    prompt: Annotated[
        str | None,
        typer.Argument(help="What the pictures should show; without it the page starts."),
    ] = None,
    rows: Annotated[int, typer.Option(help="Rows of the grid, 1 to 6.")] = 3,
    columns: Annotated[int, typer.Option(help="Columns of the grid, 1 to 6.")] = 3,
    seed: Annotated[int, typer.Option(help="Of the first picture; picture k has seed + k.")] = 7,
    model: Annotated[str, typer.Option(help="What paints.")] = "stickers",
    bundle: Annotated[str, typer.Option(help="What judges.")] = "embedded",
    rank_by: Annotated[str, typer.Option(help="vq2, vnli, clip or mean.")] = "vq2",
    out: Annotated[
        Path | None, typer.Option(help="Folder for report.json and the pictures.")
    ] = None,
) -> None:
    """Paint a prompt as a grid of pictures, rank them, and say why."""
    settle_environment()
    if prompt is None:
        serve()
        return
    try:
        asked = Board(prompt, rows, columns, seed, model, bundle, rank_by)
        if out:
            out.mkdir(parents=True, exist_ok=True)
        board = write_report(asked, out)
    except (*MISTAKES, *FAILURES) as error:
        print(error, file=sys.stderr)
        sys.exit(2 if isinstance(error, MISTAKES) else 1)
    console = Console()
    console.print(ranked_table(board), gains_table(board))


def settle_environment() -> None:
    """Quiet and private libraries; an unreachable hub is known before anything waits for it."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("DIFFUSERS_VERBOSITY", "error")
    os.environ.setdefault("TQDM_DISABLE", "1")
    warnings.filterwarnings("ignore", "`torch.jit.script` is deprecated", FutureWarning)
    if not generation.hub_answers():
        os.environ["HF_HUB_OFFLINE"] = "1"


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()
