"""The work on one unit: its images are generated and stored, then scored into a record."""

from __future__ import annotations

import logging
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from alignment import Models, StoredReport, evaluate, library_versions, with_targets
from alignment.records import GridReport
from alignment.report import report_json
from generation import GridCell, ModelSpec, load_pipeline, sample
from session.batch.ledger import Record, writing
from session.batch.pictures import (
    Pictures,
    intact,
    load_picture,
    pictures_of,
    save_pictures,
    stored_pictures,
)
from session.batch.units import Unit
from session.png_text import revision_of_spec
from session.storage import beside_report, cell_name

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline


@dataclass
class Generator:
    """Generates unit after unit with one pipeline in memory: that of the last unit."""

    folder: Path
    process: str = "1-of-1"
    """What no other process of the run is called."""
    spec: ModelSpec | None = None
    pipeline: DiffusionPipeline | None = None

    def generate(self, unit: Unit) -> Unit:
        """Store the images of a unit, unless they are all there as they were stored.

        Raises:
            UnwritableError: they cannot be written.
            GenerationError: the model cannot be loaded.
        """
        home = pictures_of(self.folder, unit.id)
        if home.exists() and not whole(home):
            logging.warning("%s is incomplete or was changed; it is generated again", home)
            with writing(home):
                shutil.rmtree(home)
        if not home.exists():
            cells = self.cells(unit)
            with writing(home):
                save_pictures(cells, home.with_name(f"{unit.id}.{self.process}.draft"), home)
        return unit

    def cells(self, unit: Unit) -> tuple[GridCell, ...]:
        """All cells of a unit, generated."""
        *_, last = sample(unit.request, self.loaded(unit.pipeline), unit.pipeline)
        return last.cells

    def loaded(self, spec: ModelSpec) -> DiffusionPipeline:
        """The pipeline of a model, which stays until another is asked for."""
        if self.pipeline is None or self.spec != spec:
            self.pipeline = None  # room for the next
            self.spec, self.pipeline = spec, load_pipeline(spec)
        return self.pipeline


def whole(home: Path) -> bool:
    """Whether the folder of a unit has all that was stored in it."""
    pictures = stored_pictures(home)
    return pictures is not None and intact(home, pictures)


def score(unit: Unit, folder: Path) -> Record:
    """The scores of stored images: a report as `alignment.report` has it, with the unit's id.

    `images` says of each cell the hash of its file, or that it was filtered, and `targets` those
    of the target images. The record is the same whenever it is made: seconds are left out.
    """
    request, home = unit.request, pictures_of(folder, unit.id)
    pictures = cast("Pictures", stored_pictures(home))
    images, models = [load_picture(home, each) for each in pictures], Models(unit.bundle)
    *_, stage = evaluate(
        request.prompt,
        images,
        request.rows,
        request.columns,
        models,
        settings=request.vq2,
        saliency=request.saliency,
    )
    report = replace(cast("GridReport", stage.report), timings={})
    if unit.targets:
        report = with_targets(report, images, [each.load() for each in unit.targets], models)
    place = home.relative_to(folder)
    names = tuple(
        None if each.filtered else (place / cell_name(each.cell)).as_posix() for each in pictures
    )
    stored = StoredReport(
        report,
        request.model,
        request.seed,
        names,
        library_versions(),
        asked=beside_report(replace(request, revision=revision_of_spec(unit.pipeline))),
    )
    listed = [each.model_dump() for each in pictures]
    wanted = {"targets": [each.sha256 for each in unit.targets]} if unit.targets else {}
    return {"id": unit.id, "pictures": listed, **wanted, **report_json(stored)}
