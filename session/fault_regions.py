"""The job of finding where the faults of one image are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import alignment
import hub
from alignment import Models
from alignment.region import FaultRegion, fault_regions
from session.loading import gpu_seconds, with_downloads
from session.run import Turn
from session.state import GridState
from session.storage import load_images

STAGE = "fault regions"


@hub.on_gpu(gpu_seconds)
def find_faults(state: GridState, cell: int, turn: Turn = nullcontext) -> Iterator[GridState]:
    """Find where the faults of an image are.

    Args:
        state: finished, with an image in the cell that was asked.
        cell: of the image.
        turn: makes what is held open while models work.

    Raises:
        AlignmentError: a model cannot be loaded.
    """
    image, file, table = load_images(state)[cell], state.file(cell), state.answers([cell])
    if image is None or file is None:
        return
    models = Models(alignment.find_bundle(state.request.bundle))
    count = len(table.failing(0))
    waiting = state.at(STAGE, 0, count)
    yield waiting
    yield from with_downloads(waiting, partial(getattr, models, "answerer"), turn)
    steps = fault_regions(table, 0, image, models.answerer)
    found: tuple[FaultRegion, ...] = ()
    while len(found) < count:
        with turn():
            found = (*found, next(steps))
        growing = replace(state, regions={**state.regions, file: found})
        yield growing.at(STAGE, len(found), count)
