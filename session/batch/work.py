"""A unit comes in; its pictures are stored, then its record goes out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PIL import Image as PillowImage
from PIL.Image import Image

from alignment import Models, StoredReport, evaluate, library_versions
from alignment.records import GridReport
from alignment.report import report_json
from generation import ModelSpec, load_pipeline, sample
from session.batch.ledger import Record
from session.batch.units import Unit

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline


@dataclass
class Generator:
    """Generates unit after unit with one pipeline in memory: that of the last unit."""

    folder: Path
    spec: ModelSpec | None = None
    pipeline: DiffusionPipeline | None = None

    def generate(self, unit: Unit) -> Unit:
        """Store the pictures of a unit, unless they are all there already."""
        home = pictures_of(unit, self.folder)
        if not home.is_dir():
            draft = home.with_suffix(".draft")
            draft.mkdir(parents=True, exist_ok=True)
            self.draw(unit, draft)
            draft.rename(home)
        return unit

    def draw(self, unit: Unit, folder: Path) -> None:
        """One file a picture; a picture that was filtered has none."""
        if self.spec != unit.pipeline:
            self.pipeline = None  # room for the next
            self.spec, self.pipeline = unit.pipeline, load_pipeline(unit.pipeline)
        *_, last = sample(unit.request, self.pipeline, unit.pipeline)
        for cell in last.cells:
            if not cell.filtered:
                cell.image.save(folder / file_name(cell.cell))


def judge(unit: Unit, folder: Path) -> Record:
    """The scores of stored pictures: a report as `alignment.report` has it, with the unit's id.

    It says the same whenever it is made: seconds are left out.
    """
    request, home = unit.request, pictures_of(unit, folder)
    files = [home / file_name(cell) for cell in range(request.size)]
    images = [picture(file) for file in files]
    *_, stage = evaluate(request.prompt, images, request.rows, request.columns, Models(unit.judges))
    report = replace(cast("GridReport", stage.report), timings={})
    names = tuple(
        file.relative_to(folder).as_posix() if image else None
        for file, image in zip(files, images, strict=True)
    )
    stored = StoredReport(report, request.model, request.seed, names, library_versions())
    return {"id": unit.id, **report_json(stored)}


def pictures_of(unit: Unit, folder: Path) -> Path:
    """Where the pictures of a unit are."""
    return folder / "images" / unit.id


def file_name(cell: int) -> str:
    """The picture of a cell.

    >>> file_name(3)
    'cell-03.png'
    """
    return f"cell-{cell:02}.png"


def picture(file: Path) -> Image | None:
    """What a file shows; None where there is none."""
    if not file.exists():
        return None
    with PillowImage.open(file) as image:
        return image.convert("RGB")
