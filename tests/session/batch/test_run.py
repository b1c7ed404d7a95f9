"""Work that is stopped goes on; work that is shared is done once."""

import os
import random
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from alignment.models import revisions
from session.batch.ledger import RESULTS, finalise
from session.batch.units import Shard, Unit
from session.batch.work import run
from tests.session.batch.conftest import Tiny
from tests.tiny_models import known

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
def undisturbed(
    units: tuple[Unit, ...], tiny: Tiny, tmp_path_factory: pytest.TempPathFactory
) -> bytes:
    """The results of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    process = start(units, folder, tiny)
    process.join()
    assert process.exitcode == 0
    return results(units, folder)


def test_five_kills_at_random_points_change_nothing(
    units: tuple[Unit, ...], tiny: Tiny, undisturbed: bytes, tmp_path: Path
):
    moments = random.Random(7)
    for _ in range(KILLS):
        process, before = start(units, tmp_path, tiny), traces(tmp_path)
        while traces(tmp_path) == before:
            time.sleep(0.002)
        time.sleep(moments.uniform(0, 0.15))
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL, "it was done before it could be killed"
    assert [*run(units, tmp_path)][-1] == len(units)
    assert results(units, tmp_path) == undisturbed
    assert (tmp_path / "records-1-of-1.jsonl").read_bytes() == undisturbed, "done twice"


def start(units: Sequence[Unit], folder: Path, tiny: Tiny) -> BaseProcess:
    """A run in a process of its own; the libraries are imported once for all of them."""
    context = get_context("forkserver")
    context.set_forkserver_preload([*HEAVY])
    process = context.Process(target=elsewhere, args=(units, folder, tiny))
    process.start()
    return process


def elsewhere(units: Sequence[Unit], folder: Path, tiny: Tiny) -> None:
    """Work in another process than that of the tests, whose fixtures it has not."""
    revisions.ON_CPU = "float32"
    with known(*tiny):
        work(units, folder)


def work(units: Sequence[Unit], folder: Path) -> None:
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
    assert finalise(folder, {unit.id: "" for unit in units})
    return (folder / RESULTS).read_bytes()


def test_shards_give_what_one_worker_gives(units: tuple[Unit, ...], tmp_path: Path):
    few, whole, shared = units[:5], tmp_path / "whole", tmp_path / "shared"
    work(few, whole)
    for place in range(3):
        assert not finalise(shared, {unit.id: "" for unit in few})
        assert not (shared / RESULTS).exists()
        *_, done = run(few, shared, Shard(place, 3))
        assert done == [2, 2, 1][place]
    assert results(few, shared) == results(few, whole)


def test_what_other_shards_have_done_is_not_done_again(units: tuple[Unit, ...], tmp_path: Path):
    few = units[:4]
    *_, done = run(few, tmp_path, Shard(0, 2))
    assert done == 2
    assert [*run(few, tmp_path)] == [2, 3, 4]
