"""A hub that says nothing: the page stays everybody else's, and can be stopped."""

import json
import signal
import threading
import time
from pathlib import Path

import pytest

from tests.hostile import silent_hub
from tests.patience import wait_until
from tests.processes import page_process
from tests.ui.test_server import Visitor

pytestmark = pytest.mark.flaky(reruns=2)  # the promise of 3 s is timed, and a busy machine is late


def ask(visitor: Visitor, bundle: str) -> None:
    answer = visitor.generate("a red apple", "1 x 1", 7, "vq2", "stickers", bundle)
    assert answer.status_code == 200


def test_while_one_visitor_waits_for_a_silent_hub_others_get_images_and_the_server_stops(
    tmp_path: Path,
):
    with (
        silent_hub() as endpoint,
        page_process(
            tmp_path / "said",
            GRADIO_TEMP_DIR=str(tmp_path / "visitors"),
            HF_ENDPOINT=endpoint,
            HF_HOME=str(tmp_path / "hub"),
            HF_HUB_OFFLINE="0",
        ) as page,
    ):
        page.wait()
        waiting = Visitor(page.url)
        wait_until(lambda: f"the page is at {page.url}\n" in page.said)
        other = Visitor(waiting.url, "10.0.7.1")
        ask(waiting, "light")
        heard, asked = [], threading.Event()

        def hear() -> None:
            for message in waiting.messages():
                heard.append(json.dumps(message))
                if "waiting for the hub" in heard[-1]:
                    asked.set()

        listener = threading.Thread(target=hear, daemon=True)
        listener.start()
        assert asked.wait(300), "it never came to the hub"
        ask(other, "embedded")
        assert any("images/" in json.dumps(message) for message in other.messages())
        again = Visitor(waiting.url, "10.0.7.2")
        ask(again, "light")
        told = iter(again.messages())
        while "waiting for the hub" not in json.dumps(next(told)):
            pass
        began = time.monotonic()
        page.run.send_signal(signal.SIGTERM)
        assert "he server is stopping" in json.dumps([*told])
        assert page.run.wait(10) == 0
        assert time.monotonic() - began < 3
        listener.join(5)
    assert not [*(tmp_path / "visitors").iterdir()]
