"""The page as a Hugging Face Space starts it: by its variables, and without a single argument."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from gradio_client import Client
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from benchmarks.page import BROWSERS
from generation import find_model, load_pipeline, sample
from request import Request
from session.link import link_of
from session.state import GridState
from tests.patience import PATIENCE, wait_until
from tests.ui.test_server import Visitor

ROOT = Path(__file__).parent.parent
SPACE = {
    "SYSTEM": "spaces",
    "SPACE_ID": "somebody/which-image-is-right",
    "SPACE_HOST": "somebody-which-image-is-right.hf.space",
    "SPACE_AUTHOR_NAME": "somebody",
    "SPACE_REPO_NAME": "which-image-is-right",
    "GRADIO_SERVER_NAME": "0.0.0.0",
    "GRADIO_NUM_PORTS": "1",
    "GRADIO_ALLOW_FLAGGING": "never",
    "HF_HUB_OFFLINE": "1",
}


ZERO_GPU = {"3.12.12", "3.10.13"}
"""The versions of Python that ZeroGPU has, by its documentation of August 2026."""


def test_the_settings_of_a_space_are_within_what_zero_gpu_has():
    head = (ROOT / "README.md").read_text("utf-8").split("---")[1]
    settings = dict(line.split(": ", 1) for line in head.strip().splitlines())
    assert settings["python_version"].strip('"') in ZERO_GPU
    assert settings["app_file"] == "app.py"
    assert settings["sdk_version"] == version("gradio")


def free_port() -> int:
    with socket.create_server(("", 0)) as server:
        return int(server.getsockname()[1])


def reachable(port: int, host: str) -> bool:
    try:
        with socket.create_connection((host, port), 1):
            return True
    except OSError:
        return False


class Started(NamedTuple):
    """A page on a Space."""

    port: int
    process: subprocess.Popen[bytes]
    folder: Path
    """Of visitors' files."""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """A page that was started as on a Space, with two models offered by its owner."""
    port = free_port()
    ours = {name: value for name, value in os.environ.items() if name not in {"HOST", "PORT"}}
    environment = {**ours, **SPACE, "GRADIO_SERVER_PORT": str(port), "MODELS": "stickers,sd-turbo"}
    folder = tmp_path_factory.mktemp("space")
    environment["GRADIO_TEMP_DIR"] = str(folder / "visitors")
    command = [sys.executable, "-W", "ignore", "app.py"]
    log = folder / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    wait_until(lambda: process.poll() is not None or reachable(port, "127.0.0.1"))
    assert process.poll() is None, log.read_text()
    yield Started(port, process, folder / "visitors")
    process.kill()


@pytest.fixture
def space(started: Started) -> int:
    """The port of the page."""
    return started.port


def another_address() -> str:
    """An address of this machine that is not its loopback, as a Space's proxy would use."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # documentation only; nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            pytest.skip("this machine has no address but its loopback")


def test_a_space_is_reached_from_outside(space: int):
    assert reachable(space, another_address())


def test_it_offers_what_its_owner_says_and_the_bundles_that_fit(space: int):
    client = Client(
        f"http://127.0.0.1:{space}",
        verbose=False,
        analytics_enabled=False,
        httpx_kwargs={"timeout": PATIENCE},
    )
    fields = {
        each["props"]["label"]: [
            value for label, value in each["props"]["choices"] if "not offered" not in label
        ]
        for each in client.config["components"]
        if each["props"].get("label") in {"text-to-image model", "evaluators"}
    }
    assert fields["text-to-image model"] == ["stickers", "sd-turbo"]
    assert fields["evaluators"][0] == "embedded"


def test_a_link_gives_the_picture_that_another_process_made(space: int):
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip(f"no browser here; looked for {', '.join(BROWSERS)}")
    model = find_model("stickers")
    request = Request("a red apple", 1, 1, 7, model.name, model.completes())
    *_, made = sample(request, load_pipeline(model), model)
    address = f"http://127.0.0.1:{space}"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = opened.new_page()
        page.goto(f"{address}/?{link_of(GridState(request))}")
        expect(page.locator(".cell")).to_have_count(1, timeout=1000 * PATIENCE)
        picture = page.locator(".cell.done img")
        expect(picture).to_be_visible(timeout=1000 * PATIENCE)
        shown = page.request.get(picture.evaluate("each => each.src")).body()
        opened.close()
    assert np.array_equal(np.asarray(Image.open(BytesIO(shown))), np.asarray(made.cells[0].image))


def test_a_signal_stops_a_grid_under_way_and_the_visitor_is_told(started: Started):
    """SIGINT; `tests/ui/test_silent_hub.py` stops a page by SIGTERM."""
    visitor = Visitor(f"http://127.0.0.1:{started.port}")
    visitor.generate("a red apple", "6 x 6", 7, "vq2", "stickers", "embedded")
    heard = iter(visitor.messages())
    while "pictures/" not in json.dumps(next(heard)):
        pass
    started.process.send_signal(signal.SIGINT)
    assert "he server is stopping; what was done stays" in json.dumps([*heard])
    assert started.process.wait(PATIENCE) == 0
    assert [*started.folder.iterdir()] == []
