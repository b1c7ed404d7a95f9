"""A hub that says nothing, or next to nothing, is given up in time, and holds nobody meanwhile."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial

import pytest
from huggingface_hub import constants

import hub
from hub import transfer
from tests.hostile import silent_hub
from tests.hub.conftest import FILES, REPOSITORY
from tests.twins.hub_server import HubServer

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience that a test has."""
    monkeypatch.setattr(transfer, "EVERY", 0.02)
    monkeypatch.setattr(transfer, "SILENCE", 0.3)


@pytest.mark.usefixtures("silent")
def test_a_silent_hub_is_given_up_with_a_sentence():
    began = time.monotonic()
    with pytest.raises(hub.HubUnreachableError, match="has said nothing for 0 s.*try again later"):
        hub.fetch(REPOSITORY)
    assert time.monotonic() - began < 5


def test_while_the_hub_is_silent_the_copy_here_is_used(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    folder = hub.fetch(REPOSITORY)
    with silent_hub() as endpoint:
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        assert hub.fetch(REPOSITORY) == folder


def test_a_hub_that_sends_byte_by_byte_is_given_up_too(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(transfer, "BRIEF", 0.5)
    monkeypatch.setattr(transfer, "SLOWEST", 10**9)
    monkeypatch.setattr(transfer, "SILENCE", 60)
    hub_server.pause = 0.05
    began = time.monotonic()
    with pytest.raises(hub.HubUnreachableError, match="is too slow to wait for"):
        hub.fetch(REPOSITORY)
    assert time.monotonic() - began < 5


@pytest.mark.usefixtures("silent")
def test_whoever_waits_may_leave_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(transfer, "SILENCE", 60)
    with closing(hub.downloading(partial(hub.fetch, REPOSITORY))) as downloads:
        said = [str(next(downloads)) for _ in range(3)]
        workers = [each for each in threading.enumerate() if each.name.startswith("download")]
        assert said[0] == f"{REPOSITORY}: waiting for the hub, 0 s"
        assert workers
    for each in workers:
        each.join(2)
        assert not each.is_alive()


def test_two_who_want_the_same_files_share_one_download(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(transfer, "SILENCE", 60)
    hub_server.pause = 0.0005
    with ThreadPoolExecutor(2) as visitors:
        folders = {
            each.result(30) for each in [visitors.submit(hub.fetch, REPOSITORY) for _ in "ab"]
        }
    (folder,) = folders
    assert {path.name for path in folder.iterdir()} == {*FILES}
    assert sorted(hub_server.downloads()) == sorted(FILES)


def test_after_a_silence_the_next_who_asks_asks_anew(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    with silent_hub() as endpoint, monkeypatch.context() as patch:
        patch.setattr(constants, "ENDPOINT", endpoint)
        with pytest.raises(hub.HubUnreachableError):
            hub.fetch(REPOSITORY)
    assert (hub.fetch(REPOSITORY) / "config.json").is_file()
