"""The composition root: the page, its tabs and who answers on them, and the command line.

python app.py                                  serves the page (HOST, PORT, BUNDLE)
python app.py "a red apple" --out report/      does the same job here and now
python app.py --help                           every command
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import alignment
import generation
from alignment.evaluation import TARGETS
from alignment.prompt_pairs.description_match import EVALUATORS
from alignment.prompt_pairs.pairs import read_pairs
from alignment.records import PromptPair
from cli.batch import batch
from cli.bundles import bundles
from cli.generate import EMBEDDED, BundleName, generate
from cli.hub_check import hub_check
from cli.program import program
from generation import InvalidRequestError
from session.errors import SERVICE_ERRORS
from session.jobs import warm_up
from session.storage import load_example
from ui.tabs.commonsense_handlers import CommonsenseHandlers
from ui.tabs.playground_handlers import PlaygroundHandlers
from ui.tabs.your_pictures_handlers import YourPicturesHandlers

if TYPE_CHECKING:
    import gradio

ASSETS = Path(__file__).resolve().parent / "assets"
EXAMPLES = ASSETS / "examples"
PAIRS = ASSETS / "benchmarks" / "commonsense" / "pairs.json"


def build_page(bundle: str = EMBEDDED) -> gradio.Blocks:
    """Every tab of the page, ready to be launched; `bundle` scores unless a visitor chooses."""
    from ui.page import Tab, about, page

    offered = tuple(dict.fromkeys((alignment.find_bundle(bundle).name, *alignment.BUNDLES)))
    return page(
        (
            Tab("Playground", partial(playground, offered)),
            Tab("Commonsense", partial(commonsense, offered)),
            Tab("Your pictures", partial(your_pictures, offered)),
            Tab("About", about),
        )
    )


def playground(offered: tuple[str, ...]) -> None:
    """The tab that generates and scores, with the first worked example on it."""
    from ui.tabs.playground import Choices, lay_out

    examples = tuple(load_example(report) for report in sorted(EXAMPLES.glob("*/report.json")))
    choices = Choices(
        models=tuple(generation.MODELS),
        bundles=offered,
        methods=alignment.METHODS,
        examples=tuple(state.prompt for state in examples),
    )
    page = lay_out(choices)
    handlers = PlaygroundHandlers(page.table, page, examples)
    page.wire(handlers)
    if examples:
        shown = handlers.show(0, *(each.value for each in page.table.view))
        page.table.start_with({**shown, page.bundle: offered[0]})


def commonsense(offered: tuple[str, ...]) -> None:
    """The tab that compares two prompts, with an example of each kind of common sense."""
    from ui.tabs.commonsense import Choices, lay_out

    examples: dict[str, PromptPair] = {}
    for pair in read_pairs(PAIRS):
        examples.setdefault(pair.category, pair)
    choices = Choices(
        models=tuple(generation.MODELS),
        bundles=offered,
        evaluators=tuple(EVALUATORS),
        examples=tuple(examples),
    )
    page = lay_out(choices)
    handlers = CommonsenseHandlers(page, tuple(examples.values()))
    page.wire(handlers)
    for field, words in handlers.fill(0).items():
        field.value = words


def your_pictures(offered: tuple[str, ...]) -> None:
    """The tab that scores images which a visitor uploads."""
    from ui.tabs.your_pictures import lay_out

    page = lay_out((*alignment.METHODS, TARGETS), offered)
    page.wire(YourPicturesHandlers(page.table))


def serve(
    bundle: BundleName = EMBEDDED,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on; 0.0.0.0 for every network of this machine.",
            envvar=["HOST", "GRADIO_SERVER_NAME"],
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            help="Port to listen on, 1 to 65535.",
            envvar=["PORT", "GRADIO_SERVER_PORT"],
            min=1,
            max=65535,
        ),
    ] = 7860,
) -> None:
    """Serve the page until it is stopped.

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


for command in (serve, generate, batch, bundles, hub_check):
    program.command()(command)

if __name__ == "__main__":
    program()
