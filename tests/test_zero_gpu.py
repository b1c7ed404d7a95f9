"""The page as it starts on ZeroGPU, with a stand-in for the package that lends the GPU."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from gradio_client import Client, handle_file

from session.plan import borrowed_seconds
from tests.patience import PATIENCE, answers, get, post, wait_until
from tests.test_space import ROOT, SPACE, free_port

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
    folder, port = tmp_path_factory.mktemp("zero"), free_port()
    here = ZeroGpu(f"http://127.0.0.1:{port}", folder / "log", folder / "data")
    environment = {
        **{name: value for name, value in os.environ.items() if name not in {"HOST", "PORT"}},
        **SPACE,
        "GRADIO_SERVER_PORT": str(port),
        "PYTHONPATH": str(STAND_IN),
        "ZERO_GPU_LOG": str(here.log),
        "DATA": str(here.data),
        "KEEP_HOURS": str(KEEP_HOURS),
        "MODELS": "stickers",
        "BUNDLES": "embedded",
    }
    command = [sys.executable, "-W", "ignore", "app.py"]
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        wait_until(lambda: process.poll() is not None or answers(here.url))
        assert process.poll() is None, (folder / "output").read_text()
        yield here
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_the_gpu_is_borrowed_once_for_a_grid_and_for_longer_where_it_is_larger(page: ZeroGpu):
    client = page.client()

    def generate(columns: int) -> None:
        client.predict("a red apple", rows=1, columns=columns, api_name="/generate")

    for columns in (1, 3):
        seconds = borrowed_seconds("stickers", columns)
        assert page.borrowed(lambda: generate(columns)) == [("generate_and_score", seconds)]  # noqa: B023


def test_the_gpu_is_borrowed_once_to_score_images(page: ZeroGpu):
    picture = next((ROOT / "assets" / "examples").rglob("*.png"))
    images = [handle_file(str(picture))]
    client = page.client()
    borrowed = page.borrowed(lambda: client.predict("a red apple", images, api_name="/score"))
    assert borrowed == [("score_uploads", 32)]


def test_the_gpu_is_borrowed_once_to_compare_two_prompts(page: ZeroGpu):
    config = get(f"{page.url}/config").json()
    (button,) = (
        each["id"] for each in config["components"] if each["props"].get("value") == "Compare"
    )
    event = next(
        each["id"]
        for each in config["dependencies"]
        if [button, "click"] in each["targets"] and each["inputs"]
    )
    texts = ["an apple", "a tree", "a red apple", "a green tree"]
    body = {
        "data": [*texts, 1, 7, "clip", "stickers", "embedded"],
        "fn_index": event,
        "session_hash": "compare",
    }
    queue = f"{page.url}/gradio_api/queue"

    def compare() -> None:
        post(f"{queue}/join", json=body).raise_for_status()
        with httpx.stream("GET", f"{queue}/data?session_hash=compare", timeout=PATIENCE) as told:
            said = "".join(told.iter_lines())
        assert "done in" in said

    seconds = borrowed_seconds("stickers", 2)
    assert page.borrowed(compare) == [("generate_and_compare", seconds)]


def test_files_of_visitors_are_swept_there_too(page: ZeroGpu):
    page.client().predict("a red apple", rows=1, columns=1, api_name="/generate")
    pictures = [*page.data.rglob("pictures/*.png")]
    assert pictures
    for each in pictures:
        os.utime(each, (0, 0))
    wait_until(lambda: not any(each.exists() for each in pictures))
    assert get(f"{page.url}/healthz").json()["status"] == "ok"
