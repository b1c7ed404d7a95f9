"""What every test may ask for, and the ground rule that no test reaches the network."""

from __future__ import annotations

import gc
import os

gc.set_threshold(20_000)
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import settings

from generation import ModelSpec
from tests.tiny_pipelines import save_stable_diffusion, save_stable_diffusion_3, tiny_model

settings.register_profile("patient", deadline=None)  # a busy machine is no fault
settings.load_profile("patient")

collect_ignore = ["zero_gpu"]
"""A stand-in for the library `spaces`, which is imported in processes of its own alone."""
LONGEST = ("browser", "test_server.py", "test_twins.py")
"""Folders and files that come first, so that no process is left alone with one in the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "reference" in getattr(item, "fixturenames", ()):
            item.add_marker("reference")

    def place(item: pytest.Item) -> int:
        return next((n for n, name in enumerate(LONGEST) if name in item.path.parts), len(LONGEST))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Leave what the libraries hold to themselves.

    Else the collector of garbage looks through all of it again and again, a sixth of the time.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def single_precision() -> Iterator[None]:
    """Scoring models run in single precision here, whatever the CPU computes in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("alignment.models.revisions.ON_CPU", "float32")
        yield


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of the reference data: published files, which are not the project's to give."""
    folder = os.environ.get("REFERENCE")
    if not folder:
        pytest.skip("the variable REFERENCE names no folder with the published files")
    return Path(folder).resolve(strict=True)


@pytest.fixture(scope="session")
def tiny_pipeline(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """A Stable Diffusion pipeline with random weights, saved where a checkpoint would be."""
    folder = tmp_path_factory.mktemp("tiny-pipeline")
    save_stable_diffusion(folder)
    return tiny_model(folder)


@pytest.fixture(scope="session")
def tiny_sd3_pipeline(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """The same of Stable Diffusion 3."""
    folder = tmp_path_factory.mktemp("tiny-sd3-pipeline")
    save_stable_diffusion_3(folder)
    return tiny_model(folder)


@pytest.fixture
def gated_hub() -> Iterator[str]:
    """A hub that answers every request as the real one does for a licence not yet accepted."""

    class Refusal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(403)
            self.send_header("X-Error-Code", "GatedRepo")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Refusal) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
