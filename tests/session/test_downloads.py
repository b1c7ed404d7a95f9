"""While a model is downloaded, the state of the job says how many bytes have arrived."""

from __future__ import annotations

from functools import partial

import hub
from hub import Download
from session.downloads import with_downloads
from session.state import GridState
from tests.hub.conftest import REPOSITORY, hub_server, repository
from tests.twins.hub_server import HubServer

__all__ = ["hub_server", "repository"]

ASKED = GridState("a red apple", rows=1, columns=1, seed=0, model="sd-turbo", bundle="embedded")


def test_a_download_is_shown_with_bytes_and_speed(hub_server: HubServer):
    *_, last = with_downloads(ASKED, partial(hub.fetch, REPOSITORY))
    assert last.doing.startswith(f"downloading {REPOSITORY}: 0.0 of 0.00 GB, ")
    assert last.done == last.total > 300_000


def test_work_without_downloads_changes_nothing():
    assert list(with_downloads(ASKED, lambda: 7)) == []


def test_a_state_is_otherwise_as_it_was(hub_server: HubServer):
    last: GridState | None = None
    for last in with_downloads(ASKED, partial(hub.fetch, REPOSITORY)):
        assert (last.prompt, last.seed) == (ASKED.prompt, ASKED.seed)
    assert last is not None
    assert str(Download(REPOSITORY, 1, 2, 0.0)) not in last.doing
