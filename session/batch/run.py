"""One shard of a batch run, worked off into its ledger: here, or by processes on a Ray cluster.

A worker that dies is started again and its units with it. Every machine of the cluster needs this
project and the folder at the same places.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from session.batch.ledger import MissingRayError, Record, confirmed, open_ledger
from session.batch.pictures import drop_drafts
from session.batch.searches import SearchUnit
from session.batch.units import Shard, Unit
from session.batch.work import Generator, score

Row = dict[str, Any]


class GenerationActor:
    """A text-to-image model that stays loaded between the rows it is given."""

    def __init__(self, units: Sequence[Unit], folder: Path, shard: str) -> None:
        self.units, self.generator = units, Generator(folder, f"{shard}.{os.getpid()}")

    def __call__(self, row: Row) -> Row:
        """The same row, once the images of its unit are stored."""
        self.generator.generate(self.units[row["item"]])
        return row


class ScoringActor:
    """Evaluators that stay loaded between the rows they are given."""

    def __init__(self, units: Sequence[Unit], folder: Path, shard: str) -> None:
        self.units, self.folder = units, folder

    def __call__(self, row: Row) -> Row:
        """The record of the row's unit, as JSON: Ray would want all records to have one schema."""
        return {"record": json.dumps(score(self.units[row["item"]], self.folder))}


def _ray() -> Any:
    try:
        import ray
        import ray.data
    except ModuleNotFoundError as error:
        raise MissingRayError(
            "--ray needs Ray, which is not installed; run `pip install .[ray]`, or leave --ray out "
            "to work on this machine alone"
        ) from error
    return ray


def spread(units: Sequence[Unit], folder: Path, shard: str, *, workers: int) -> Iterator[Record]:
    """The records of the units in any order, by `workers` generating and as many scoring processes.

    One of each share a GPU where the cluster has any, else a processor. Joins the cluster at
    RAY_ADDRESS, or starts one on this machine.

    Raises:
        MissingRayError: Ray is not installed.
    """
    if not units:
        return
    ray = _ray()
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    resource = "num_gpus" if ray.cluster_resources().get("GPU") else "num_cpus"
    rows = ray.data.from_items(list(range(len(units))), override_num_blocks=len(units))
    for actor in (GenerationActor, ScoringActor):
        rows = rows.map(
            actor,
            fn_constructor_args=(units, folder.resolve(), shard),
            compute=ray.data.ActorPoolStrategy(size=workers),
            **{resource: 0.5},
        )
    for row in rows.iter_rows():
        yield json.loads(row["record"])


def score_each(units: Sequence[Unit], folder: Path, process: str) -> Iterator[Record]:
    """The record of each unit as soon as it is known, one after the other."""
    generator = Generator(folder, process)
    return (score(generator.generate(unit), folder) for unit in units)


ALL = Shard()
Work: TypeAlias = Unit | SearchUnit
WorkOff: TypeAlias = Callable[[Sequence[Any], Path, str], Iterator[Record]]
"""From units of one kind, the folder and what no other process is called to the records."""


def run(
    units: Sequence[Work],
    folder: Path,
    shard: Shard = ALL,
    work_off: WorkOff = score_each,
) -> Iterator[int]:
    """Work off what a shard has left to do.

    Args:
        units: all the work, of every shard.
        folder: where records and images are kept, the same for every shard.
        shard: which part to do here.
        work_off: gives the record of each unit, whose images it stores in the folder.

    Returns:
        How many units of the shard are done: first those of earlier runs, then one more each time.

    Raises:
        SharedLedgerError: another process works on the same shard.
        UnwritableError: the folder cannot be written, or is full.
        GenerationError, AlignmentError: a model cannot be loaded.
    """
    with open_ledger(folder, str(shard)) as write:
        mine = shard.take(units)
        done = confirmed(folder, {unit.id for unit in mine})
        todo = [unit for unit in mine if unit.id not in done]
        yield len(mine) - len(todo)
        name = str(shard)
        drop_drafts(folder, name)
        for left, record in enumerate(work_off(todo, folder, name), start=1 - len(todo)):
            write(record)
            yield len(mine) + left
