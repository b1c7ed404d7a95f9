"""Whether the hub can be asked is known in two seconds, whatever lies on the way to it."""

import socket
import time

import pytest
from huggingface_hub import constants

from hub import hub_answers, hub_in_use, opens


def test_the_hub_answers_where_something_listens_at_its_address():
    with socket.create_server(("127.0.0.1", 0)) as server:
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        assert hub_answers(endpoint)
    assert not hub_answers(endpoint)


def test_the_proxy_on_the_way_to_the_hub_is_asked_instead(monkeypatch: pytest.MonkeyPatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.getsockname()[1]}")
        assert hub_answers("https://hub.invalid")
    assert not hub_answers("https://hub.invalid")


def test_no_proxy_is_asked_for_a_hub_that_it_is_not_for(monkeypatch: pytest.MonkeyPatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("http_proxy", "http://proxy.invalid:1")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert hub_answers(f"http://127.0.0.1:{server.getsockname()[1]}")


def test_a_server_that_never_answers_is_given_up_on_in_time():
    """A full queue of waiting connections answers nobody."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        address = server.getsockname()
        with socket.create_connection(address):
            began = time.monotonic()
            assert not opens(*address, timeout=0.3)
            assert 0.2 < time.monotonic() - began < 1


def test_a_hub_that_is_switched_off_is_not_asked(monkeypatch: pytest.MonkeyPatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        assert hub_in_use()
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        assert not hub_in_use()


def test_a_hub_that_did_not_answer_is_asked_again_after_a_minute(monkeypatch: pytest.MonkeyPatch):
    now = 1_000.0
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{address[1]}")
    assert not hub_in_use(lambda: now)
    with socket.create_server(address):
        assert not hub_in_use(lambda: now + 59)
        assert hub_in_use(lambda: now + 60)
