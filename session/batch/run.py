"""Units come in; one shard of them is worked off and written down, and its progress goes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from session.batch.cluster import spread
from session.batch.ledger import Record, pen, recorded
from session.batch.units import Shard, Unit
from session.batch.work import Generator, judge

ALL = Shard()


def run(units: Sequence[Unit], folder: Path, shard: Shard = ALL, workers: int = 0) -> Iterator[int]:
    """Work off what a shard has left to do.

    Args:
        units: all the work, of every shard.
        folder: where records and pictures are kept, the same for every shard.
        shard: which part to do here.
        workers: text-to-image models, and as many judges, on Ray; with 0 one unit after the other
        is done here.

    Returns:
        How many units of the shard are done: first those of earlier runs, then one more each time.

    Raises:
        SharedLedgerError: another process works on the same shard.
        GenerationError, AlignmentError: a model cannot be loaded.
    """
    with pen(folder, str(shard)) as write:
        known, mine = recorded(folder), shard.take(units)
        todo = [unit for unit in mine if unit.id not in known]
        yield len(mine) - len(todo)
        records = spread(todo, folder, workers) if workers else work_off(todo, folder)
        for left, record in enumerate(records, start=1 - len(todo)):
            write(record)
            yield len(mine) + left


def work_off(units: Iterable[Unit], folder: Path) -> Iterator[Record]:
    """The record of each unit as soon as it is known."""
    pipeline = Generator(folder)
    return (judge(pipeline.generate(unit), folder) for unit in units)
