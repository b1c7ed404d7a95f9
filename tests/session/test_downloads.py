"""While a model is downloaded, the state of the job says how many bytes have arrived.

The models are somebody else's meanwhile, and whoever waits can stop.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import hub
from hub import transfer
from request import Request
from session.jobs import generate_and_score
from session.limits import Runs
from session.loading import with_downloads
from session.run import Run, RunEnded
from session.state import GridState
from session.storage import ContentStore
from tests.hub.conftest import REPOSITORY, hub_server, repository, silent
from tests.session.conftest import REQUESTED as GRID
from tests.twins.hub_server import HubServer

__all__ = ["hub_server", "repository", "silent"]

REQUESTED = GridState(Request("a red apple", 1, 1, 0, "sd-turbo"))


def test_a_download_is_shown_with_bytes_and_speed_in_a_state_that_is_otherwise_as_it_was(
    hub_server: HubServer,
):
    states = [*with_downloads(REQUESTED, partial(hub.fetch, REPOSITORY))]
    assert all(replace(state, download=None) == REQUESTED for state in states)
    last = states[-1].download
    assert str(last).startswith(f"{REPOSITORY}: 0 MB of 0 MB, ")
    assert last.done == last.total > 300_000


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The threads for downloads that are started meanwhile, by name."""
    names: list[str] = []
    start = threading.Thread.start

    def noted(thread: threading.Thread) -> None:
        names.extend([thread.name] * thread.name.startswith("download"))
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", noted)
    return names


def test_a_grid_by_models_of_folders_starts_no_thread_for_downloads(
    models: None, tmp_path: Path, downloads: list[str]
):
    assert [*generate_and_score(GRID, ContentStore(tmp_path))][-1].report
    assert not downloads


def test_a_model_of_the_hub_in_memory_starts_no_thread_for_downloads(
    downloads: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("hub.loaded._loaded", OrderedDict())
    assert [*with_downloads(REQUESTED, lambda: 7)] == []
    assert len(downloads) == 1
    hub.cached_loader(lambda name: [name])("sd-turbo")
    assert [*with_downloads(REQUESTED, lambda: 7)] == []
    assert len(downloads) == 1


@pytest.fixture
def silence(silent: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the hub, of which a job hears more often than usual."""
    monkeypatch.setattr(transfer, "EVERY", 0.05)


def waiting(run: Run) -> Generator[GridState]:
    """The states of a job in turns that wants a file of the hub."""
    return run.checked(with_downloads(REQUESTED, partial(hub.fetch, REPOSITORY), run.turn))


@pytest.mark.usefixtures("silence")
def test_whoever_waits_for_the_hub_does_not_have_the_models():
    runs = Runs()
    with (
        runs.admit("a", "1") as first,
        runs.admit("b", "2") as second,
        closing(waiting(first)) as w,
    ):
        assert "waiting for the hub" in str(next(w).download)
        for _ in range(3):
            with second.turn():
                assert next(w).download is not None
        assert first.worked < 1


@pytest.mark.usefixtures("silence")
@pytest.mark.parametrize("stop", [Runs.stop, lambda runs: runs.cancel({"event"})])
def test_whoever_waits_for_the_hub_can_stop_and_is_stopped_with_the_server(
    stop: Callable[[Runs], None],
):
    runs = Runs()
    with suppress(RunEnded), runs.admit("a", "1", "event") as run:
        states = waiting(run)
        next(states)
        stop(runs)
        began = time.monotonic()
        assert not [*states]
    assert time.monotonic() - began < 1
    assert run.outcome in {"stopped", "server stopped"}


@pytest.mark.usefixtures("silence")
def test_a_hub_that_is_given_up_ends_the_job_in_a_turn_of_its_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(transfer, "SILENCE", 0.2)
    runs = Runs()
    with runs.admit("a", "1") as run, pytest.raises(hub.HubUnreachableError, match="nothing"):
        [*waiting(run)]
    with runs.admit("b", "2") as next_run, next_run.turn():
        pass


def test_what_a_work_does_after_its_download_is_done_in_its_turn(hub_server: HubServer):
    runs, alone = Runs(), []

    def work() -> None:
        hub.fetch(REPOSITORY)
        alone.append(runs.models.holder)

    with runs.admit("a", "1") as run:
        assert [*with_downloads(REQUESTED, work, run.turn)]
        assert alone == [run]
