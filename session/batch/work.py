"""The work on one unit: the job of the page on its request, recorded without seconds."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import cast

from alignment import Models, find_bundle, with_targets
from alignment.records import GridReport
from alignment.report import report_json
from generation import GridCell
from session.batch.ledger import Record, writing
from session.batch.pictures import pictures_of, stored_pictures
from session.batch.units import Unit
from session.jobs import generate_and_score
from session.state import GridState
from session.storage import ReportFolder, load_images, stored


class UnitFolder(ReportFolder):
    """The folder of one unit, without previews and filtered images."""

    def __init__(self, folder: Path) -> None:
        """What is there already is written over."""
        super().__init__(folder)
        self.home = folder
        if folder.exists():
            logging.warning("%s has no record, or was changed; it is generated again", folder)

    def save(self, cell: GridCell) -> str:
        """Write an image.

        Raises:
            UnwritableError: it cannot be written; no part of it is left.
        """
        if cell.filtered:
            return ""
        with writing(self.home):
            return super().save(cell)

    def preview(self, cell: GridCell) -> str:
        """Nobody looks at it."""
        return ""


def score(unit: Unit, folder: Path) -> Record:
    """Generate and score a unit: a report as `alignment.report` has it, with the unit's id.

    `pictures` says of each cell the hash of its file, or that it was filtered, and `targets` those
    of the target images. The record is the same whenever it is made: seconds are left out.

    Args:
        unit: what to generate and score.
        folder: of the batch; images go to `pictures_of` it.

    Raises:
        UnwritableError: the images cannot be written.
        GenerationError, AlignmentError: a model cannot be loaded.
    """
    home = pictures_of(folder, unit.id)
    *_, state = generate_and_score(GridState(unit.request), UnitFolder(home))
    report = replace(cast("GridReport", state.report), timings={})
    if unit.targets:
        models = Models(find_bundle(unit.request.bundle))
        wanted = [each.load() for each in unit.targets]
        report = with_targets(report, load_images(state), wanted, models)
    whole, place = stored(state, report), home.relative_to(folder)
    names = tuple(name and (place / name).as_posix() for name in whole.images)
    pictures = stored_pictures(home, state.size, state.images.filtered)
    targets = {"targets": [each.sha256 for each in unit.targets]} if unit.targets else {}
    return {
        "id": unit.id,
        "pictures": [each.model_dump() for each in pictures],
        **targets,
        **report_json(replace(whole, images=names)),
    }
