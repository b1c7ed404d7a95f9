"""The composition root: how the page is served, and the commands of the command line.

python app.py                                  serves the page (HOST, PORT, BUNDLE)
python app.py "a red apple" --out report/      does the same job here and now
python app.py --help                           every command
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import hub
from cli.addresses import (
    hosts,
    listening_on,
    on_a_space,
    page_address,
    source_address,
)
from cli.batch import batch
from cli.bundles import bundles
from cli.calibrate import calibrate
from cli.check import check
from cli.find import find
from cli.generate import generate
from cli.hub_check import hub_check
from cli.hub_run import hub_run
from cli.plan import plan
from cli.program import program
from cli.score import score
from generation import InvalidRequestError
from session.health import warm_up, watch
from session.limits import Limits, Runs
from session.loading import load_everything
from session.offer import Offer, at_hand, offered
from session.retention import Retention, server_folder

if TYPE_CHECKING:
    import gradio

DATA = Path(tempfile.gettempdir()) / f"which-picture-is-right-{os.getuid()}"
"""Where visitors' files are, unless another folder is named."""
EXAMPLES = Path(__file__).resolve().parent / "assets" / "examples"


def build_page(
    offer: Offer | None = None,
    runs: Runs | None = None,
    source: str = "",
) -> gradio.Blocks:
    """Every tab of the page; everything is offered unless `offer` says."""
    from ui.page import build

    return build(offer or Offer(), EXAMPLES, runs or Runs(), source)


def serve(
    *,
    bundle: Annotated[
        str,
        typer.Option(
            help="The bundle that is chosen first; by default the first of those to choose from.",
            envvar="BUNDLE",
        ),
    ] = "",
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
    trusted_hosts: Annotated[
        str,
        typer.Option(
            help="Names that the page may be asked by, separated by commas. By default those of "
            "localhost where it listens there, that of a Space on a Space, else any.",
            envvar="TRUSTED_HOSTS",
        ),
    ] = "",
    data: Annotated[
        Path,
        typer.Option(
            help="Folder for visitors' files, which are gone when the server stops.",
            envvar=["DATA", "GRADIO_TEMP_DIR"],
        ),
    ] = DATA,
    run_seconds: Annotated[
        float,
        typer.Option(
            help="Seconds for which one run may have the models; on a Space no model is offered "
            "that needs longer for an image.",
            envvar="RUN_SECONDS",
            min=1,
        ),
    ] = Limits.seconds_per_run,
    keep_hours: Annotated[
        float, typer.Option(help="Hours that visitors' files are kept.", envvar="KEEP_HOURS", min=0)
    ] = 24.0,
    source: Annotated[
        str,
        typer.Option(
            help="Address of the code, which the page links: http or https. By default the files "
            "of a Space, on a Space.",
            envvar="SOURCE_URL",
        ),
    ] = "",
) -> None:
    """Serve the page until it is stopped; SIGINT and SIGTERM stop it within three seconds.

    Raises:
        InvalidRequestError: the address is taken or not one of this machine, a folder cannot be
            written, or the source is no address.
        UnknownModelError, UnknownBundleError: a name is not known.
    """
    hub.share_heaps()
    space = on_a_space(os.environ)
    offer = offered(models, bundles, bool(space), run_seconds)
    offer = (offer.starting_with(bundle) if bundle else offer).explained()
    code = source_address(source, os.environ)
    limits = Limits(seconds_per_run=run_seconds)
    with ExitStack() as stack:
        place = stack.enter_context(listening_on(host, port))
        stack.enter_context(files_in(data))
        from ui.server import (  # Gradio reads the environment now
            ServerSettings,
            launch,
            make_server,
        )

        settings = ServerSettings(
            hosts=hosts(trusted_hosts, host, os.environ),
            retention=Retention(seconds=keep_hours * 3600),
            sweep_seconds=max(0.2, min(60.0, keep_hours * 360)),
            **space,
        )
        logging.basicConfig()
        _log_runs()
        build = partial(build_page, offer, source=code)
        if hub.zero_gpu():  # what is on the GPU before the first call is there for every call
            load_everything(offer)
            place.close()
            launch(build, settings, replace(limits, by_turns=False), host, port)
            return
        server = make_server(build, settings, limits)
        server.leave = partial(_leave, stack)
        print(f"the page is at {page_address(place)}", flush=True)  # into a file, too
        if at_hand(offer.models[0], offer.bundles[0]):  # others load when a visitor asks
            server.runs.health = "starting"
            ask = [server.runs, partial(warm_up, offer.models[0], offer.bundles[0])]
            threading.Thread(target=watch, args=ask, name="watch", daemon=True).start()
        server.run(sockets=[place])


def _leave(stack: ExitStack) -> None:
    """End the process with all that is on the stack, and wait for no thread of a model."""
    stack.close()
    logging.shutdown()
    os._exit(0)


@contextmanager
def files_in(parent: Path) -> Iterator[None]:
    """A folder for visitors' files, which Gradio too uses; gone in the end."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(server_folder(parent))
        except OSError as error:
            raise InvalidRequestError(
                f"the folder {parent} cannot be used: {error.strerror}; choose another with "
                "--data or GRADIO_TEMP_DIR"
            ) from error
        os.environ["GRADIO_TEMP_DIR"] = str(folder)
        yield


def _log_runs() -> None:
    """Write a line of JSON to stderr for each run that ends."""
    log = logging.getLogger("runs")
    log.addHandler(logging.StreamHandler())
    log.setLevel(logging.INFO)
    log.propagate = False  # the root logger, once it has a handler, would write the line again


COMMANDS = (
    *(serve, generate, find, score, check, batch, bundles, plan, calibrate),
    *(hub_check, hub_run),
)
for command in COMMANDS:
    program.command()(command)

if __name__ == "__main__":
    program()
