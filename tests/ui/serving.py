"""The page on a server of its own, in a thread, for as long as a test wants."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gradio as gr
import pytest

import app
from cli.addresses import listening_on
from session.limits import Limits, Runs
from tests.patience import PATIENCE
from tests.tiny_models import tiny_models
from ui.server import Server, ServerSettings, make_server

SERVED = [
    # Gradio's own statistics ask pandas for what pandas is about to drop.
    pytest.mark.filterwarnings("ignore:'future.no_silent_downcasting'"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
"""Marks of tests that serve the page."""


@contextmanager
def tiny_app(folder: Path) -> Iterator[None]:
    """While it lasts, a page has tiny models, and the worked examples in `folder / "examples"`."""
    with tiny_models(folder), pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "EXAMPLES", folder / "examples")
        yield


@contextmanager
def served(
    build: Callable[[Runs], gr.Blocks],
    folder: Path,
    settings: ServerSettings | None = None,
    limits: Limits | None = None,
) -> Iterator[tuple[str, Server]]:
    """The address of the page, and its server; visitors' files are in `folder`."""
    with pytest.MonkeyPatch.context() as patch, listening_on("127.0.0.1", 0) as place:
        patch.setenv("GRADIO_TEMP_DIR", str(folder))
        server = make_server(build, settings or ServerSettings(), limits)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.02)
        try:
            yield f"http://127.0.0.1:{place.getsockname()[1]}", server
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
        assert not thread.is_alive()
