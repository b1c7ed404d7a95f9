"""Work that is stopped goes on; work that is shared is done once."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import psutil
import pytest

from alignment.models import revisions
from session.batch import Shard, Unit, finalise, run
from session.batch.ledger import RESULTS, MissingRayError
from session.batch.run import spread as on_ray

KILLS = 5
HEAVY = (
    "diffusers.pipelines.auto_pipeline",
    "open_clip",
    "spacy",
    "transformers.models.clip.modeling_clip",
    "transformers.models.paligemma.modeling_paligemma",
    "transformers.models.siglip.modeling_siglip",
    "transformers.models.t5.modeling_t5",
)
"""What a run would otherwise spend most of its life importing."""


@pytest.fixture(scope="module")
def undisturbed(units: tuple[Unit, ...], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The results of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    process = start(units, folder)
    process.join()
    assert process.exitcode == 0
    return results(units, folder)


def test_five_kills_at_random_points_change_nothing(
    units: tuple[Unit, ...], undisturbed: bytes, tmp_path: Path
):
    moments = random.Random(7)
    for _ in range(KILLS):
        process, before = start(units, tmp_path), traces(tmp_path)
        while traces(tmp_path) == before:
            time.sleep(0.002)
        time.sleep(moments.uniform(0, 0.15))
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL, "it was done before it could be killed"
    assert [*run(units, tmp_path)][-1] == len(units)
    assert results(units, tmp_path) == undisturbed
    assert (tmp_path / "records-1-of-1.jsonl").read_bytes() == undisturbed, "done twice"


def start(units: Sequence[Unit], folder: Path) -> BaseProcess:
    """A run in a process of its own; the libraries are imported once for all of them."""
    context = get_context("forkserver")
    context.set_forkserver_preload([*HEAVY])
    process = context.Process(target=work, args=(units, folder))
    process.start()
    return process


def work(units: Sequence[Unit], folder: Path) -> None:
    revisions.ON_CPU = "float32"  # as `tests/conftest.py` has it in the process of the tests
    for _ in run(units, folder):
        pass


def traces(folder: Path) -> list[tuple[Path, int]]:
    """All that a run has left so far; what it renames or moves meanwhile may be left out.

    `os.walk` passes over folders that are gone when it comes to them; `Path.rglob` does not.
    """
    found = []
    for parent, _, names in os.walk(folder):
        for path in (Path(parent, name) for name in names):
            with suppress(FileNotFoundError):
                found.append((path, path.stat().st_size))
    return sorted(found)


def results(units: Sequence[Unit], folder: Path) -> bytes:
    assert finalise(folder, [unit.id for unit in units])
    return (folder / RESULTS).read_bytes()


def test_a_finished_run_has_nothing_left_to_do(units: tuple[Unit, ...], tmp_path: Path):
    few = units[:2]
    assert [*run(few, tmp_path)] == [0, 1, 2]
    assert [*run(few, tmp_path)] == [2]


def test_shards_give_what_one_worker_gives(units: tuple[Unit, ...], tmp_path: Path):
    few, whole, shared = units[:5], tmp_path / "whole", tmp_path / "shared"
    work(few, whole)
    for place in range(3):
        assert not finalise(shared, [unit.id for unit in few])
        *_, done = run(few, shared, Shard(place, 3))
        assert done == [2, 2, 1][place]
    assert results(few, shared) == results(few, whole)


def test_what_other_shards_have_done_is_not_done_again(units: tuple[Unit, ...], tmp_path: Path):
    few = units[:4]
    *_, done = run(few, tmp_path, Shard(0, 2))
    assert done == 2
    assert [*run(few, tmp_path)] == [2, 3, 4]


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
    for done in run(few, spread, work_off=partial(on_ray, workers=2)):
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
        [*run(units[:1], tmp_path, work_off=partial(on_ray, workers=2))]


def workers(actor: str) -> list[int]:
    """Process ids of this test's own Ray workers of that kind."""
    family = psutil.Process().children(recursive=True)
    found = [process.pid for process in family if actor in " ".join(process.cmdline())]
    assert len(found) == 2
    return found
