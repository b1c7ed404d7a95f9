"""The same work on a Ray of this machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from session.batch import Unit, finalise, run
from session.batch.ledger import RESULTS, MissingRayError

FEW = 12


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A Ray with two processors, for two text-to-image models and two bundles."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install .[ray]")
    yield ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore:`use_:DeprecationWarning:ray.data.context")
def test_a_worker_that_is_killed_midway_changes_nothing(units: tuple[Unit, ...], tmp_path: Path):
    few, here, spread = units[:FEW], tmp_path / "here", tmp_path / "spread"
    assert [*run(few, here)][-1] == FEW
    for done in run(few, spread, workers=2):
        if done == 1:
            os.kill(workers("ScoringActor")[0], signal.SIGKILL)
    ids = [unit.id for unit in few]
    assert finalise(here, ids)
    assert finalise(spread, ids)
    assert (spread / RESULTS).read_bytes() == (here / RESULTS).read_bytes()
    assert (spread / "records-1-of-1.jsonl").read_bytes().count(b"\n") == FEW


def test_without_ray_a_sentence_says_how_to_install_it(
    units: tuple[Unit, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingRayError, match=r"not installed; run `pip install \.\[ray\]`"):
        [*run(units[:1], tmp_path, workers=2)]


def workers(actor: str) -> list[int]:
    """Process ids of this test's own Ray workers of that kind."""
    family = psutil.Process().children(recursive=True)
    found = [process.pid for process in family if actor in " ".join(process.cmdline())]
    assert len(found) == 2
    return found
