"""One shard of a batch run, worked off unit by unit into its ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from session.batch.cluster import spread
from session.batch.ledger import Record, confirmed, open_ledger
from session.batch.pictures import drop_drafts
from session.batch.units import Shard, Unit
from session.batch.work import Generator, score

ALL = Shard()


def run(units: Sequence[Unit], folder: Path, shard: Shard = ALL, workers: int = 0) -> Iterator[int]:
    """Work off what a shard has left to do.

    Args:
        units: all the work, of every shard.
        folder: where records and images are kept, the same for every shard.
        shard: which part to do here.
        workers: generating processes, and as many scoring ones, on Ray; with 0 one unit after the
            other is done here.

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
        records = spread(todo, folder, name, workers) if workers else _work_off(todo, folder, name)
        for left, record in enumerate(records, start=1 - len(todo)):
            write(record)
            yield len(mine) + left


def _work_off(units: Iterable[Unit], folder: Path, process: str) -> Iterator[Record]:
    """The record of each unit as soon as it is known."""
    generator = Generator(folder, process)
    return (score(generator.generate(unit), folder) for unit in units)
