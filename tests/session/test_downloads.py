"""While a model is downloaded, the state of the job says how many bytes have arrived."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import hub
from generation import GridRequest
from session.downloads import with_downloads
from session.state import GridState
from tests.hub.conftest import REPOSITORY, hub_server, repository
from tests.twins.hub_server import HubServer

__all__ = ["hub_server", "repository"]

REQUESTED = GridState(GridRequest("a red apple", 1, 1, 0, "sd-turbo"), "embedded")


def test_a_download_is_shown_with_bytes_and_speed(hub_server: HubServer):
    *_, last = with_downloads(REQUESTED, partial(hub.fetch, REPOSITORY))
    assert str(last.download).startswith(f"{REPOSITORY}: 0.0 of 0.00 GB, ")
    assert last.download.done == last.download.total > 300_000


def test_work_without_downloads_changes_nothing():
    assert list(with_downloads(REQUESTED, lambda: 7)) == []


def test_a_state_is_otherwise_as_it_was(hub_server: HubServer):
    for state in with_downloads(REQUESTED, partial(hub.fetch, REPOSITORY)):
        assert replace(state, download=None) == REQUESTED
