"""A prompt comes in, on the page or the command line; a ranked grid that says why goes out.

    python app.py                                  starts the page (HOST, PORT, BUNDLE)
    python app.py "a red apple" --out report/      does the same job here and now

The composition root: who lays out which tab, who answers on it, and how the job is started.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

import alignment
import generation
from alignment.evaluation import TARGETS
from alignment.prompt_pairs.description_match import EVALUATORS
from alignment.prompt_pairs.pairs import read_pairs
from alignment.records import PromptPair
from generation import GridCell, InvalidRequestError
from session.errors import SERVICE_ERRORS, USER_ERRORS
from session.jobs import generate_and_score, warm_up
from session.state import GridState
from session.storage import load_example, memoised_save, stored
from ui.render.table import gains_table, ranked_table
from ui.tabs.commonsense_handlers import CommonsenseHandlers
from ui.tabs.playground_handlers import PlaygroundHandlers
from ui.tabs.your_pictures_handlers import YourPicturesHandlers

if TYPE_CHECKING:
    import gradio

ASSETS = Path(__file__).resolve().parent / "assets"
EXAMPLES = ASSETS / "examples"
EMBEDDED = "embedded"
"""The bundle whose models are here: they can be loaded before anybody asks."""
PAIRS = ASSETS / "benchmarks" / "commonsense" / "pairs.json"


# The page


def build_page(bundle: str = EMBEDDED) -> gradio.Blocks:
    """Every tab of the page, ready to be launched; `bundle` judges unless a visitor chooses."""
    from ui.page import Tab, about, page

    bundles = tuple(dict.fromkeys((alignment.find_bundle(bundle).name, *alignment.BUNDLES)))
    return page(
        (
            Tab("Playground", partial(playground, bundles)),
            Tab("Commonsense", partial(commonsense, bundles)),
            Tab("Your pictures", partial(your_pictures, bundles)),
            Tab("About", about),
        )
    )


def playground(bundles: tuple[str, ...]) -> None:
    """The tab that generates and judges, with the first worked example on it."""
    from ui.tabs.playground import Choices, lay_out

    examples = tuple(load_example(report) for report in sorted(EXAMPLES.glob("*/report.json")))
    choices = Choices(
        models=tuple(generation.MODELS),
        bundles=bundles,
        methods=alignment.METHODS,
        examples=tuple(state.prompt for state in examples),
    )
    page = lay_out(choices)
    handlers = PlaygroundHandlers(page.table, page, examples)
    page.wire(handlers)
    if examples:
        shown = handlers.show(0, *(each.value for each in page.table.view))
        page.table.start_with({**shown, page.bundle: bundles[0]})


def commonsense(bundles: tuple[str, ...]) -> None:
    """The tab that compares two prompts, with an example of each kind of common sense."""
    from ui.tabs.commonsense import Choices, lay_out

    examples: dict[str, PromptPair] = {}
    for pair in read_pairs(PAIRS):
        examples.setdefault(pair.category, pair)
    choices = Choices(
        models=tuple(generation.MODELS),
        bundles=bundles,
        evaluators=tuple(EVALUATORS),
        examples=tuple(examples),
    )
    page = lay_out(choices)
    handlers = CommonsenseHandlers(page, tuple(examples.values()))
    page.wire(handlers)
    for field, words in handlers.fill(0).items():
        field.value = words


def your_pictures(bundles: tuple[str, ...]) -> None:
    """The tab that judges pictures which a visitor brings."""
    from ui.tabs.your_pictures import lay_out

    page = lay_out((*alignment.METHODS, TARGETS), bundles)
    page.wire(YourPicturesHandlers(page.table))


def serve(bundle: str, host: str, port: int) -> None:
    """Start the page and stay.

    Raises:
        InvalidRequestError: the address is taken, or not one of this machine.
    """
    page = build_page(bundle)
    try:
        page.launch(server_name=host, server_port=port, prevent_thread_lock=True, **launching())
    except OSError as error:
        raise InvalidRequestError(
            f"the page cannot listen on {host}:{port}; choose another with HOST and PORT"
        ) from error
    if bundle == EMBEDDED:
        threading.Thread(target=load_ahead, name="load-ahead", daemon=True).start()
    page.block_thread()


def load_ahead() -> None:
    """Load the embedded models before anybody asks; what is amiss is told to who asks."""
    with suppress(*SERVICE_ERRORS):
        warm_up(EMBEDDED)


def launching() -> dict[str, Any]:
    """How the server behaves wherever it listens: private, and serving nothing but pictures."""
    from ui.page import look

    return {
        "allowed_paths": [str(EXAMPLES)],
        "max_file_size": "20mb",
        "ssr_mode": False,
        "run_history": False,
        "enable_monitoring": False,
        **look(),
    }


# The command line


def write_report(asked: GridState, out: Path | None) -> GridState:
    """Do the job here and now; pictures and report go to `out`."""
    quiet = not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("")
        for state in generate_and_score(asked, memoised_save(partial(save_cell, out))):
            bar.update(task, description=state.doing, completed=state.done, total=state.total)
    if out and state.report:
        files = tuple(
            None if cell in state.filtered else Path(file).name
            for cell, file in enumerate(state.pictures)
            if file
        )
        alignment.save_report(stored(state, state.report, files), out / "report.json")
    return state


def folder_at(out: Path) -> Path:
    """The folder of a report, made where there is none yet.

    Raises:
        InvalidRequestError: it cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidRequestError(
            f"there can be no folder {out}: {error.strerror}; choose another with --out"
        ) from error
    return out


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
    model: Annotated[str, typer.Option(help="What generates.")] = "stickers",
    bundle: Annotated[str, typer.Option(help="What judges.", envvar="BUNDLE")] = EMBEDDED,
    rank_by: Annotated[str, typer.Option(help="vq2, vnli, clip or mean.")] = "vq2",
    out: Annotated[
        Path | None, typer.Option(help="Folder for report.json and the pictures.")
    ] = None,
    host: Annotated[str, typer.Option(help="Where the page listens.", envvar="HOST")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="Where the page listens.", envvar="PORT", min=1, max=65535)
    ] = 7860,
) -> None:
    """Generate a prompt as a grid of pictures, rank them, and say why."""
    settle_environment()
    try:
        if prompt is None:
            serve(bundle, host, port)
            return
        asked = GridState(prompt, rows, columns, seed, model, bundle, rank_by)
        state = write_report(asked, out and folder_at(out))
    except (*USER_ERRORS, *SERVICE_ERRORS) as error:
        print(error, file=sys.stderr)
        sys.exit(2 if isinstance(error, USER_ERRORS) else 1)
    console = Console()
    console.print(ranked_table(state), gains_table(state))
    if out and state.report:
        print(f"report and pictures: {out.resolve()}", file=sys.stderr)


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
