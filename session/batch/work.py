"""The work of a shard: of each unit the job of the page on its request, recorded in a ledger."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, cast

from alignment import Models, find_bundle, with_targets
from alignment.records import GridReport
from alignment.report import report_json
from generation import GridCell, InvalidRequestError
from request import plain
from search import best_of
from session.batch.ledger import (
    Record,
    confirmed,
    images_of,
    open_ledger,
    stored_images,
    writing,
)
from session.batch.units import Search, Shard, Unit
from session.jobs import generate_and_score
from session.search_jobs import find_right
from session.state import GridState
from session.storage import ReportFolder, load_images, stored
from session.systems.system import MADE_FROM

ALL = Shard()


def run(units: Sequence[Unit], folder: Path, shard: Shard = ALL) -> Iterator[int]:
    """Work off what a shard has left to do.

    Returns:
        How many units of the shard are done: first those of earlier runs, then one more each time.

    Raises:
        BatchError: another process works on the same shard, or the folder cannot be written.
    """
    with open_ledger(folder, str(shard)) as write:
        mine = shard.take(units)
        done = confirmed(folder, {unit.id for unit in mine})
        todo = [unit for unit in mine if unit.id not in done]
        yield len(mine) - len(todo)
        for left, unit in enumerate(todo, start=1 - len(todo)):
            write(searched(unit, unit.search, folder) if unit.search else score(unit, folder))
            yield len(mine) + left


class UnitFolder(ReportFolder):
    """The folder of one unit, without filtered images."""

    def __init__(self, folder: Path) -> None:
        """What is there already is written over."""
        super().__init__(folder)
        if folder.exists():
            logging.warning("%s has no record, or was changed; it is generated again", folder)

    def save(self, cell: GridCell) -> str:
        with writing(self.folder):
            return super().save(cell)


def score(unit: Unit, folder: Path) -> Record:
    """Generate and score a unit: a report as `alignment.report` has it, with the unit's id.

    `pictures` says of each cell the hash of its file, or that it was filtered, and `targets` those
    of the target images. The record is the same whenever it is made: seconds are left out.
    """
    home = images_of(folder, unit.id)
    *_, state = generate_and_score(GridState(unit.request), UnitFolder(home))
    report = replace(cast("GridReport", state.report), timings={})
    if unit.targets:
        models = Models(find_bundle(unit.request.bundle))
        wanted = [each.load() for each in unit.targets]
        report = with_targets(report, load_images(state), wanted, models)
    whole, place = stored(state, report), home.relative_to(folder)
    names = tuple(name and (place / name).as_posix() for name in whole.images)
    targets = {"targets": [each.sha256 for each in unit.targets]} if unit.targets else {}
    return {
        "id": unit.id,
        "pictures": stored_images(home, state.size, state.images.filtered),
        **targets,
        **report_json(replace(whole, images=names)),
    }


def searched(unit: Unit, asked: Search, folder: Path) -> Record:
    """Search for the image of a unit, the first that is right or else the best.

    The record has every attempt; where there is an image, it is stored by then.
    """
    request = unit.request
    try:
        attempts, why = [*find_right(request, asked.budget, asked.strategy)], ""
    except InvalidRequestError as error:  # one prompt cannot be searched for; others go on
        attempts, why = [], str(error)
    best, home = best_of(attempts) if attempts else None, images_of(folder, unit.id)
    images: list[dict[str, Any]] = []
    if best and not best.given_up:
        cell = GridCell(0, best.plan.seed, best.image, best.filtered, settings=best.settings)
        UnitFolder(home).save(cell)
        images = stored_images(home, 1, {0} if best.filtered else ())
    return {
        "id": unit.id,
        "pictures": images,
        "prompt": request.prompt,
        "model": request.model,
        "bundle": request.bundle,
        "seed": request.seed,
        **{name: value for name, value in plain(request).items() if name in MADE_FROM},
        "strategy": asked.strategy,
        "budget": asdict(asked.budget),
        "right": best.right if best else None,
        "best": best.number if best else None,
        "reason": why,
        "attempts": [each.plain for each in attempts],
    }
