"""One shard of a batch run, worked off into its ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from session.batch.ledger import Record, confirmed, open_ledger
from session.batch.searches import SearchUnit
from session.batch.units import Shard, Unit
from session.batch.work import score

ALL = Shard()
Planned: TypeAlias = Unit | SearchUnit
Work: TypeAlias = Callable[[Any, Path], Record]
"""From a unit and the folder to the record."""


def run(
    units: Sequence[Planned], folder: Path, shard: Shard = ALL, work: Work = score
) -> Iterator[int]:
    """Work off what a shard has left to do.

    Args:
        units: all the work, of every shard.
        folder: where records and images are kept, the same for every shard.
        shard: which part to do here.
        work: gives the record of a unit, whose images it stores in the folder.

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
        for left, unit in enumerate(todo, start=1 - len(todo)):
            write(work(unit, folder))
            yield len(mine) + left
