"""The page as it starts on ZeroGPU, with a stand-in for the package that lends the GPU."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from gradio_client import Client, handle_file

from session.plan import borrowed_seconds
from tests.patience import PATIENCE, get, wait_until
from tests.processes import ROOT, page_process
from tests.test_space import SPACE
from tests.ui.test_server import Visitor

STAND_IN = Path(__file__).parent / "zero_gpu"
KEEP_HOURS = 0.03
"""Files are kept for 108 s, and looked through every tenth of that."""


@dataclass(frozen=True)
class ZeroGpu:
    """A page on ZeroGPU."""

    url: str
    log: Path
    data: Path

    def client(self) -> Client:
        patient = {"timeout": PATIENCE}
        return Client(self.url, verbose=False, analytics_enabled=False, httpx_kwargs=patient)

    def borrowed(self, work: Callable[[], Any]) -> list[tuple[str, int]]:
        """The jobs for which the GPU was borrowed meanwhile, with the seconds asked for."""
        before = len(self.log.read_text().splitlines()) if self.log.exists() else 0
        work()
        lines = self.log.read_text().splitlines()[before:]
        return [(each["job"], each["seconds"]) for each in map(json.loads, lines)]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZeroGpu]:
    folder = tmp_path_factory.mktemp("zero")
    own = {
        "PYTHONPATH": str(STAND_IN),
        "ZERO_GPU_LOG": str(folder / "log"),
        "DATA": str(folder / "data"),
        "KEEP_HOURS": str(KEEP_HOURS),
        "MODELS": "icons",
        "BUNDLES": "embedded",
    }
    with page_process(folder / "said", "GRADIO_SERVER_PORT", **SPACE, **own) as started:
        started.wait()
        yield ZeroGpu(started.url, folder / "log", folder / "data")


def test_the_gpu_is_borrowed_once_for_a_grid_and_for_longer_where_it_is_larger(page: ZeroGpu):
    client = page.client()

    def generate(columns: int) -> None:
        client.predict("a red apple", rows=1, columns=columns, api_name="/generate")

    for columns in (1, 3):
        seconds = borrowed_seconds("icons", columns)
        assert page.borrowed(lambda: generate(columns)) == [("generate_and_score", seconds)]  # noqa: B023


def test_the_gpu_is_borrowed_once_to_score_images(page: ZeroGpu):
    image = next((ROOT / "assets" / "examples").rglob("*.png"))
    images = [handle_file(str(image))]
    client = page.client()
    borrowed = page.borrowed(lambda: client.predict("a red apple", images, api_name="/score"))
    assert borrowed == [("score_uploads", 32)]


def test_the_gpu_is_borrowed_once_to_compare_two_prompts(page: ZeroGpu):
    visitor = Visitor(page.url)
    texts = ["an apple", "a tree", "a red apple", "a green tree"]

    def compare() -> None:
        asked = (*texts, 1, 7, "clip", "icons", "embedded")
        visitor.send("queue/join", visitor.event("Compare"), *asked).raise_for_status()
        assert "done in" in json.dumps([*visitor.messages()])

    seconds = borrowed_seconds("icons", 2)
    assert page.borrowed(compare) == [("generate_and_compare", seconds)]


def test_files_of_visitors_are_swept_there_too(page: ZeroGpu):
    page.client().predict("a red apple", rows=1, columns=1, api_name="/generate")
    images = [*page.data.rglob("images/*.png")]
    assert images
    for each in images:
        os.utime(each, (0, 0))
    wait_until(lambda: not any(each.exists() for each in images))
    assert get(f"{page.url}/healthz").json()["status"] == "ok"
