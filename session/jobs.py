"""A request comes in; the board of its grid goes out again and again, each time knowing more.

The job itself, the same for the page and the command line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import alignment
import generation
import hub
from alignment import Models, Stage
from alignment.contrast_check import contrast_check
from alignment.evaluation import METHODS, TARGETS, check_method
from alignment.records import GridReport
from generation import GridRequest, ImageGrid
from session.downloads import with_downloads
from session.state import GridState
from session.storage import SaveImage, pictures

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline
    from PIL.Image import Image


def generate_and_score(asked: GridState, keep: SaveImage) -> Iterator[GridState]:
    """The whole job: every item knows more than the one before, the last has the report.

    Raises:
        InvalidRequestError, UnknownBundleError, UnknownMethodError: before anything is loaded.
        GenerationError, AlignmentError: a model cannot be had.
    """
    request = GridRequest(asked.prompt, asked.rows, asked.columns, asked.seed, asked.model)
    generation.validate_request(request)
    check_method(asked.ranked_by)
    models = Models(alignment.find_bundle(asked.bundle))
    start = time.perf_counter()
    yield replace(asked, doing=f"loading {asked.model}")
    pipeline = yield from with_downloads(asked, partial(load_text_to_image, asked.model))
    yield replace(asked, doing="reading the prompt")
    state = yield from with_downloads(asked, partial(read, asked, pipeline, models))
    reading = time.perf_counter() - start
    yield state
    grid = ImageGrid(request, ())
    for step in generation.sample(request, pipeline, generation.find_model(asked.model)):
        grid, state = generation.finished(step, request), state.generated(step, keep)
        yield state
    generating = time.perf_counter() - start - reading
    images = [None if cell.filtered else cell.image for cell in grid.cells]
    stages = judging(state, images, models, state.ranked_by)
    while stage := (yield from with_downloads(state, partial(next, stages, None))):
        state = state.judged(stage.name, stage.done, stage.total, stage.scores, stage.report)
        yield state.timed(reading=reading, generating=generating)


def regenerate(
    state: GridState, report: GridReport, cell: int, keep: SaveImage
) -> Iterator[GridState]:
    """One picture anew, from the next seed of its grid; it is judged and takes its rank.

    Args:
        board: finished, and generated here.
        report: its report.
        cell: whose picture is replaced; all others stay, and so do their scores.
        keep: stores a picture.

    Raises:
        InvalidRequestError: there is no further seed.
        GenerationError, AlignmentError: a model cannot be had.
    """
    request = GridRequest(state.prompt, 1, 1, state.next_seed, state.model)
    generation.validate_request(request)
    models = Models(alignment.find_bundle(state.bundle))
    yield replace(state, doing=f"loading {state.model}")
    pipeline = yield from with_downloads(state, partial(load_text_to_image, state.model))
    for step in generation.sample(request, pipeline, generation.find_model(state.model)):
        state = state.with_regenerated(cell, request.seed, step, keep)
        yield state
    yield replace(state, doing=f"judging seed {request.seed}")
    report = alignment.rescore(report, cell, pictures(state), models)
    yield replace(state, previews=frozenset(), report=report, scores=report.scores)


def score_uploads(asked: GridState, targets: Sequence[Image]) -> Iterator[GridState]:
    """The same for pictures that were brought: the prompt is read, and they are judged by it.

    Args:
        asked: with its pictures and their names.
        targets: pictures of what was wanted; needed to rank by closeness to them.

    Raises:
        InvalidRequestError, UnknownBundleError, UnknownMethodError: before anything is loaded.
        AlignmentError: a model cannot be had.
    """
    generation.validate_request(GridRequest(asked.prompt, asked.rows, asked.columns))
    check_method(asked.ranked_by, (*METHODS, TARGETS))
    models = Models(alignment.find_bundle(asked.bundle))
    yield replace(asked, doing="reading the prompt")
    questions = yield from with_downloads(
        asked, partial(alignment.read_prompt, asked.prompt, models)
    )
    state = replace(asked, questions=questions)
    yield state
    images = pictures(asked)
    first = METHODS[0] if asked.ranked_by == TARGETS else asked.ranked_by
    stages = judging(state, images, models, first)
    while stage := (yield from with_downloads(state, partial(next, stages, None))):
        state = state.judged(stage.name, stage.done, stage.total, stage.scores, stage.report)
        yield state
    if targets and state.report:
        report = alignment.with_targets(state.report, images, targets, models)
        report = alignment.rerank(report, asked.ranked_by, images)
        yield replace(state, report=report, scores=report.scores)


def check_contrast(state: GridState, report: GridReport) -> Iterator[GridState]:
    """The best picture held against what contradicts its prompt, one text after the other.

    Args:
        board: finished, with a picture that could be judged.
        report: its report.

    Raises:
        AlignmentError: a model cannot be had.
    """
    models = Models(alignment.find_bundle(state.bundle))
    yield replace(state, doing="contradicting the prompt", done=0, total=1)
    for notice in contrast_check(report, pictures(state), models):
        yield state.contradicted(notice)


def memory_of(model: str) -> int:
    """Bytes that a text-to-image model takes on this machine."""
    return generation.memory_on(generation.find_model(model), hub.best_device())


@partial(hub.cached_loader, size=memory_of)
def load_text_to_image(model: str) -> DiffusionPipeline:
    """A text-to-image model, kept while there is memory for it."""
    return generation.load_pipeline(generation.find_model(model))


def warm_up(bundle: str) -> None:
    """Do the whole job once with one picture: whoever comes later finds every model loaded.

    Raises:
        GenerationError, AlignmentError: a model cannot be had.
    """
    asked = GridState("a red apple", rows=1, columns=1, seed=0, model="stickers", bundle=bundle)
    for _ in generate_and_score(asked, lambda cell: ""):
        pass


def read(asked: GridState, pipeline: DiffusionPipeline, models: Models) -> GridState:
    """What is known before any picture: the questions, and the words nobody will see."""
    return replace(
        asked,
        pictures=(None,) * asked.size,
        questions=alignment.read_prompt(asked.prompt, models),
        unread=generation.truncated_words(
            asked.prompt, pipeline, generation.find_model(asked.model).call
        ),
        doing="generating",
    )


def judging(
    state: GridState, images: Sequence[Image | None], models: Models, ranked_by: str
) -> Iterator[Stage]:
    """The evaluation of pictures that are there."""
    return alignment.evaluate(
        state.prompt,
        images,
        state.rows,
        state.columns,
        models,
        ranked_by=ranked_by,
        questions=state.questions,
    )
