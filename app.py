"""The composition root: how the page is served, and the commands of the command line.

python app.py                                  serves the page (HOST, PORT, BUNDLE)
python app.py "a red apple" --out report/      does the same job here and now
python app.py --help                           every command
"""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import hub
from cli.batch import batch
from cli.bundles import bundles
from cli.calibrate import calibrate
from cli.generate import EMBEDDED, BundleName, generate
from cli.hub_check import hub_check
from cli.hub_run import hub_run
from cli.program import program
from cli.score import score
from generation import InvalidRequestError
from session.errors import SERVICE_ERRORS
from session.jobs import load_everything, warm_up
from session.offer import Offer, offered

if TYPE_CHECKING:
    import gradio

EXAMPLES = Path(__file__).resolve().parent / "assets" / "examples"


def build_page(offer: Offer | None = None) -> gradio.Blocks:
    """Every tab of the page, ready to be launched; everything is offered unless `offer` says."""
    from ui.page import build

    return build(offer or Offer(), EXAMPLES)


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
    models: Annotated[
        str,
        typer.Option(
            help="Text-to-image models to choose from, separated by commas; all by default, on a "
            "Space those that fit its memory and disk.",
            envvar="MODELS",
        ),
    ] = "",
    bundles: Annotated[
        str,
        typer.Option(help="Bundles to choose from, in the same way.", envvar="BUNDLES"),
    ] = "",
    system: Annotated[str, typer.Option(hidden=True, envvar="SYSTEM")] = "",
) -> None:
    """Serve the page until it is stopped.

    Raises:
        InvalidRequestError: the address is taken, or not one of this machine.
        UnknownModelError, UnknownBundleError: a name is not known.
    """
    offer = offered(models, bundles, system).starting_with(bundle)
    page = build_page(offer)
    if hub.zero_gpu():  # what is on the GPU before the first call is there for every call
        load_everything(offer)
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


for command in (serve, generate, score, batch, bundles, calibrate, hub_check, hub_run):
    program.command()(command)

if __name__ == "__main__":
    program()
