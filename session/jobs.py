"""The jobs on one grid: generate and score, go on, score uploads, contrast check; and on one image
of it: generated again, taken from a search, its faults found.

Each job is an iterator of states, the same for the page and for the command line. A model that
cannot be loaded is a GenerationError or an AlignmentError, in these jobs and in those beside them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import alignment
import generation
import hub
from alignment import Models, Stage
from alignment.contrast_check import contrast_check
from alignment.ranking import METHODS, TARGETS, check_method
from alignment.records import GridReport
from alignment.region import FaultRegion, fault_regions
from session.loading import gpu_seconds, loaded, sampled, with_downloads
from session.png_text import revision_of
from session.run import Turn
from session.search_jobs import found_again
from session.search_state import SearchState
from session.state import GridImages, GridState, Replaced
from session.storage import CellStore, load_images

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline
    from PIL.Image import Image


@hub.on_gpu(gpu_seconds)
def generate_and_score(
    requested: GridState, store: CellStore, turn: Turn = nullcontext
) -> Iterator[GridState]:
    """Generate a grid and evaluate it; the last state has the report.

    Args:
        requested: what to generate and how to evaluate it; where it says that cells were generated
            again, or found by a search, they are, from the seeds that it says.

    Raises:
        InvalidRequestError, UnknownBundleError, UnknownMethodError: before anything is loaded.
    """
    request, regenerated = requested.request, requested.images.regenerated
    generation.validate_request(request)
    for seed in regenerated.values():
        generation.validate_request(replace(request, rows=1, columns=1, seed=seed))
    check_method(request.rank_by)
    models = Models(alignment.find_bundle(request.bundle))
    start = time.perf_counter()
    pipeline = yield from loaded(requested)
    yield requested.at("reading")
    read = partial(read_prompt, requested, pipeline, models)
    state = yield from with_downloads(requested.at("reading"), read, turn)
    state = replace(state, request=replace(request, revision=revision_of(request.model)))
    reading = time.perf_counter() - start
    yield state
    seeds = {cell: state.seed_of(cell) for cell in state.missing}
    state = yield from sampled(state, seeds, pipeline, store, turn)
    state = yield from found_again(state, requested.images, pipeline, store, turn)
    state = replace(state, images=replace(state.images, previews=frozenset()))
    images, generating = load_images(state), time.perf_counter() - start - reading
    for scored in evaluated(state, images, models, state.request.rank_by, turn=turn):
        yield scored.timed(reading=reading, generating=generating)


@hub.on_gpu(gpu_seconds)
def resume(
    state: GridState, store: CellStore, generate_rest: bool = True, turn: Turn = nullcontext
) -> Iterator[GridState]:
    """Go on with a stopped job, from the images that are there; all are scored.

    Args:
        state: as it was when the job stopped, with its questions.
        generate_rest: whether to generate the images that are missing before scoring.
    """
    unscored = replace(state.stage, scores={}, report=None)
    state = replace(state, stage=unscored, contrast_check=None, replaced=None)
    models = Models(alignment.find_bundle(state.request.bundle))
    if state.missing and generate_rest:
        pipeline = yield from loaded(state)
        seeds = {cell: state.seed_of(cell) for cell in state.missing}
        state = yield from sampled(state, seeds, pipeline, store, turn)
    state = state.without_previews()
    yield from evaluated(state, load_images(state), models, state.request.rank_by, turn=turn)


@hub.on_gpu(gpu_seconds)
def score_uploads(
    requested: GridState, targets: Sequence[Image], turn: Turn = nullcontext
) -> Iterator[GridState]:
    """Score uploaded images against a prompt.

    Args:
        requested: with the uploaded images and their names.
        targets: target images; needed to rank by similarity to them.

    Raises:
        InvalidRequestError, UnknownBundleError, UnknownMethodError: before anything is loaded.
    """
    request = requested.request
    generation.validate_grid(request)
    check_method(request.rank_by, (*METHODS, TARGETS))
    models = Models(alignment.find_bundle(request.bundle))
    yield requested.at("reading")
    read = partial(alignment.read_prompt, request.prompt, models, request.vq2)
    questions = yield from with_downloads(requested.at("reading"), read, turn)
    state = replace(requested, stage=Stage("questions", 1, 1, questions))
    yield state
    images = load_images(requested)
    method = METHODS[0] if request.rank_by == TARGETS else request.rank_by
    for scored in evaluated(state, images, models, method, turn=turn):
        yield scored
    if targets and scored.report:
        compare = partial(alignment.with_targets, scored.report, images, targets, models)
        report = yield from with_downloads(scored, compare, turn)
        yield scored.with_report(alignment.rerank(report, request.rank_by, images))


@hub.on_gpu(gpu_seconds)
def check_contrast(
    state: GridState, report: GridReport, turn: Turn = nullcontext
) -> Iterator[GridState]:
    """Score the best image under captions that contradict its prompt, one after the other."""
    models = Models(alignment.find_bundle(state.request.bundle))
    waiting = state.at("contradicting", 0, 1)
    yield waiting
    steps = contrast_check(report, load_images(state), models, state.request.vq2)
    while found := (yield from with_downloads(waiting, partial(next, steps, None), turn)):
        done = len(found.contradictions)
        yield replace(state, contrast_check=found).at("contrast check", done, found.total)


def read_prompt(requested: GridState, pipeline: DiffusionPipeline, models: Models) -> GridState:
    """The state before any image: with the questions, and the words beyond the model's reach."""
    questions = alignment.read_prompt(requested.prompt, models, requested.request.vq2)
    stage = Stage("generating", 0, 1, questions)
    return replace(
        requested,
        images=GridImages(
            (None,) * requested.size,
            regenerated={
                cell: seed
                for cell, seed in requested.images.regenerated.items()
                if cell not in requested.images.found
            },
        ),
        stage=stage,
        truncated_words=generation.truncated_words(
            requested.request.worded, pipeline, generation.find_model(requested.request.model).call
        ),
    )


def evaluated(
    state: GridState,
    images: Sequence[Image | None],
    models: Models,
    method: str,
    turn: Turn = nullcontext,
) -> Iterator[GridState]:
    """The states of evaluating images whose questions are known."""
    stages = alignment.evaluate(
        state.prompt,
        images,
        state.request.rows,
        state.request.columns,
        models,
        ranked_by=method,
        questions=state.questions,
        settings=state.request.vq2,
    )
    while stage := (yield from with_downloads(state, partial(next, stages, None), turn)):
        state = replace(state, stage=stage)
        yield state


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
