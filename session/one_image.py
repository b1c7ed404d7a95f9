"""The jobs on one image of a grid: generated again, taken from a search, its faults found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import alignment
import generation
import hub
from alignment import Models
from alignment.records import GridReport
from alignment.region import FaultRegion, fault_regions
from session.loading import gpu_seconds, loaded, sampled, with_downloads
from session.run import Turn
from session.search_state import SearchState
from session.state import GridImages, GridState, Replaced
from session.storage import CellStore, load_images


@hub.on_gpu(gpu_seconds)
def regenerate(
    state: GridState,
    report: GridReport,
    cell: int,
    store: CellStore,
    turn: Turn = nullcontext,
) -> Iterator[GridState]:
    """Generate one image again, from the next free seed, score it and rank it.

    The last state remembers the one before.
    """
    seed, before = state.next_seed, state
    generation.validate_request(replace(state.request, rows=1, columns=1, seed=seed))
    pipeline = yield from loaded(state)
    state = yield from sampled(state, {cell: seed}, pipeline, store, turn)
    yield from rescored(before, report, cell, state.images, turn)


@hub.on_gpu(gpu_seconds)
def adopt(
    state: GridState,
    report: GridReport,
    search: SearchState,
    number: int,
    turn: Turn = nullcontext,
) -> Iterator[GridState]:
    """Put an attempt of a search in the grid, score it and rank it.

    It takes the place of the image that the search repairs, or else of the last one. The last state
    remembers the one before.
    """
    file, seed, found = search.made(number)
    cell = (state.worst or 0) if search.cell is None else search.cell
    images = state.images.with_cell(cell, file, seed, found)
    yield from rescored(state, report, cell, images, turn)


def rescored(
    before: GridState, report: GridReport, cell: int, images: GridImages, turn: Turn
) -> Iterator[GridState]:
    """The states of scoring the new image of a cell; all others keep their scores."""
    models = Models(alignment.find_bundle(before.request.bundle))
    state = replace(before, images=images, contrast_check=None, replaced=None).at("rescoring")
    yield state
    rescore = partial(
        alignment.rescore, report, cell, load_images(state), models, state.request.vq2
    )
    found = yield from with_downloads(state, rescore, turn)
    yield replace(state.with_report(found), replaced=Replaced(cell, replace(before, replaced=None)))


@hub.on_gpu(gpu_seconds)
def find_faults(state: GridState, cell: int, turn: Turn = nullcontext) -> Iterator[GridState]:
    image, file, table = load_images(state)[cell], state.file(cell), state.answers([cell])
    if image is None or file is None:
        return
    models = Models(alignment.find_bundle(state.request.bundle))
    count = len(table.failing(0))
    waiting = state.at("fault regions", 0, count)
    yield waiting
    yield from with_downloads(waiting, partial(getattr, models, "answerer"), turn)
    steps = fault_regions(table, 0, image, models.answerer)
    found: tuple[FaultRegion, ...] = ()
    while len(found) < count:
        with turn():
            found = (*found, next(steps))
        growing = replace(state, regions={**state.regions, file: found})
        yield growing.at("fault regions", len(found), count)
