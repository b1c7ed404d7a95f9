"""The page as a Hugging Face Space starts it: by its variables, and without a single argument."""

import json
import shutil
import signal
import socket
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO

import numpy as np
import pytest
from gradio_client import Client
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from benchmarks.page import BROWSERS
from generation import find_model, load_pipeline, sample
from hub import opens
from request import Request
from session.link import link_of
from session.state import GridState
from tests.patience import PATIENCE, get
from tests.processes import ROOT, PageProcess, page_process
from tests.ui.test_server import Visitor

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


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageProcess]:
    """A page that was started as on a Space, with two models offered by its owner."""
    folder = tmp_path_factory.mktemp("space")
    own = {"MODELS": "icons,sd-turbo", "GRADIO_TEMP_DIR": str(folder / "visitors")}
    with page_process(folder / "said", "GRADIO_SERVER_PORT", **SPACE, **own) as page:
        page.wait()
        yield page


@pytest.fixture
def space(started: PageProcess) -> str:
    """The address of the page."""
    return started.url


def another_address() -> str:
    """An address of this machine that is not its loopback, as a Space's proxy would use."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # documentation only; nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            pytest.skip("this machine has no address but its loopback")


def test_a_space_is_reached_from_outside(space: str):
    assert opens(another_address(), int(space.rpartition(":")[2]), timeout=1)


def test_a_space_may_show_the_page_in_its_frame(space: str):
    headers = get(space).headers
    assert "frame-ancestors https://huggingface.co" in headers["content-security-policy"]
    assert "x-frame-options" not in headers


def test_it_offers_what_its_owner_says_and_the_bundles_that_fit(space: str):
    client = Client(
        space,
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
    assert fields["text-to-image model"] == ["icons", "sd-turbo"]
    assert fields["evaluators"][0] == "embedded"


def test_a_link_gives_the_image_that_another_process_made(space: str):
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip(f"no browser here; looked for {', '.join(BROWSERS)}")
    model = find_model("icons")
    request = Request("a red apple", 1, 1, 7, model.name, model.completes())
    *_, made = sample(request, load_pipeline(model), model)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = opened.new_page()
        page.goto(f"{space}/?{link_of(GridState(request))}")
        expect(page.locator(".cell")).to_have_count(1, timeout=1000 * PATIENCE)
        image = page.locator(".cell.done img")
        expect(image).to_be_visible(timeout=1000 * PATIENCE)
        shown = page.request.get(image.evaluate("each => each.src")).body()
        opened.close()
    assert np.array_equal(np.asarray(Image.open(BytesIO(shown))), np.asarray(made.cells[0].image))


def test_a_signal_stops_a_grid_under_way_and_the_visitor_is_told(started: PageProcess):
    """SIGINT; `tests/ui/test_silent_hub.py` stops a page by SIGTERM."""
    visitor = Visitor(started.url)
    visitor.generate("a red apple", "6 x 6", 7, "vq2", "icons", "embedded")
    heard = iter(visitor.messages())
    while "images/" not in json.dumps(next(heard)):
        pass
    started.run.send_signal(signal.SIGINT)
    assert "he server is stopping; what was done stays" in json.dumps([*heard])
    assert started.run.wait(PATIENCE) == 0
    assert [*started.output.with_name("visitors").iterdir()] == []
