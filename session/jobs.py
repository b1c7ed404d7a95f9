"""A request comes in; the board of its grid goes out again and again, each time knowing more.

The job itself, the same for the page and the command line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import alignment
import generation
from alignment import Models, Stage
from alignment.contrast_check import would_notice
from alignment.evaluation import METHODS, TARGETS, check_method
from alignment.records import GridReport
from generation import GridRequest, ImageGrid
from hub import cached_loader
from session.state import Board
from session.storage import Keep, pictures

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline
    from PIL.Image import Image


def paint_and_judge(asked: Board, keep: Keep) -> Iterator[Board]:
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
    pipeline = load_painter(asked.model)
    yield replace(asked, doing="reading the prompt")
    board = read(asked, pipeline, models)
    reading = time.perf_counter() - start
    yield board
    grid = ImageGrid(request, ())
    for step in generation.sample(request, pipeline, generation.find_model(asked.model)):
        grid, board = generation.finished(step, request), board.painted(step, keep)
        yield board
    painting = time.perf_counter() - start - reading
    images = [None if cell.filtered else cell.image for cell in grid.cells]
    for stage in judging(board, images, models, board.ranked_by):
        board = board.judged(stage.name, stage.done, stage.total, stage.scores, stage.report)
        yield board.timed(reading=reading, painting=painting)


def paint_again(board: Board, report: GridReport, cell: int, keep: Keep) -> Iterator[Board]:
    """One picture anew, from the next seed of its grid; it is judged and takes its rank.

    Args:
        board: finished, and painted here.
        report: its report.
        cell: whose picture is replaced; all others stay, and so do their scores.
        keep: stores a picture.

    Raises:
        InvalidRequestError: there is no further seed.
        GenerationError, AlignmentError: a model cannot be had.
    """
    request = GridRequest(board.prompt, 1, 1, board.next_seed, board.model)
    generation.validate_request(request)
    models = Models(alignment.find_bundle(board.bundle))
    yield replace(board, doing=f"loading {board.model}")
    pipeline = load_painter(board.model)
    for step in generation.sample(request, pipeline, generation.find_model(board.model)):
        board = board.repainted(cell, request.seed, step, keep)
        yield board
    yield replace(board, doing=f"judging seed {request.seed}")
    report = alignment.judge_again(report, cell, pictures(board), models)
    yield replace(board, rough=frozenset(), report=report, scores=report.scores)


def judge_pictures(asked: Board, targets: Sequence[Image]) -> Iterator[Board]:
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
    board = replace(asked, questions=alignment.read_prompt(asked.prompt, models))
    yield board
    images = pictures(asked)
    first = METHODS[0] if asked.ranked_by == TARGETS else asked.ranked_by
    for stage in judging(board, images, models, first):
        board = board.judged(stage.name, stage.done, stage.total, stage.scores, stage.report)
        yield board
    if targets and board.report:
        report = alignment.with_targets(board.report, images, targets, models)
        report = alignment.rerank(report, asked.ranked_by, images)
        yield replace(board, report=report, scores=report.scores)


def hold_against_contradictions(board: Board, report: GridReport) -> Iterator[Board]:
    """The best picture held against what contradicts its prompt, one text after the other.

    Args:
        board: finished, with a picture that could be judged.
        report: its report.

    Raises:
        AlignmentError: a model cannot be had.
    """
    models = Models(alignment.find_bundle(board.bundle))
    yield replace(board, doing="contradicting the prompt", done=0, total=1)
    for notice in would_notice(report, pictures(board), models):
        yield board.contradicted(notice)


@cached_loader
def load_painter(model: str) -> DiffusionPipeline:
    """A painter, loaded once per process."""
    return generation.load_pipeline(generation.find_model(model))


def warm_up(bundle: str) -> None:
    """Do the whole job once with one picture: whoever comes later finds every model loaded.

    Raises:
        GenerationError, AlignmentError: a model cannot be had.
    """
    asked = Board("a red apple", rows=1, columns=1, seed=0, model="stickers", bundle=bundle)
    for _ in paint_and_judge(asked, lambda cell: ""):
        pass


def read(asked: Board, pipeline: DiffusionPipeline, models: Models) -> Board:
    """What is known before any picture: the questions, and the words nobody will see."""
    return replace(
        asked,
        pictures=(None,) * asked.size,
        questions=alignment.read_prompt(asked.prompt, models),
        unread=generation.unread_words(asked.prompt, pipeline),
        doing="painting",
    )


def judging(
    board: Board, images: Sequence[Image | None], models: Models, ranked_by: str
) -> Iterator[Stage]:
    """The evaluation of pictures that are there."""
    return alignment.evaluate(
        board.prompt,
        images,
        board.rows,
        board.columns,
        models,
        ranked_by=ranked_by,
        questions=board.questions,
    )
