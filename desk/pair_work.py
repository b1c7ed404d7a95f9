"""Two prompts and what they should show come in; their board goes out, each time knowing more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import alignment
import generation
from alignment import Models
from alignment.commonsense import expected_score
from alignment.fit import EVALUATORS, fit_matrices
from desk.pictures import Keep, once_each
from desk.work import load_painter
from generation import GridRequest, InvalidRequestError, SamplingProgress
from generation.prompt_similarity import prompt_similarity
from view.pair_board import PairBoard

if TYPE_CHECKING:
    from PIL.Image import Image


def paint_and_compare(asked: PairBoard, keep: Keep) -> Iterator[PairBoard]:
    """The whole job; the last board has the score.

    Raises:
        InvalidRequestError, UnknownBundleError: before anything is loaded.
        GenerationError, AlignmentError: a model cannot be had.
    """
    requests = [
        GridRequest(prompt, 1, asked.generations, asked.seed, asked.model)
        for prompt in asked.pair.prompts
    ]
    for request in requests:
        generation.validate_request(request)
    if not all(text.strip() for text in asked.pair.descriptions):
        raise InvalidRequestError("a description is empty; write what each prompt should show")
    models = Models(alignment.find_bundle(asked.bundle))
    yield replace(asked, doing=f"loading {asked.model}")
    board = read(asked)
    yield board
    images: list[list[Image]] = []
    for prompt, request in enumerate(requests):
        once = once_each(keep)
        for step in painting(request):
            board = board.painted(prompt, step, once)
            yield board
        images.append([cell.image for cell in step.cells])
    judge = EVALUATORS[asked.evaluator](models)
    for matrix in fit_matrices(board.pair, (images[0], images[1]), judge):
        board = board.judged(matrix)
        yield board
    yield replace(board, score=expected_score(board.matrix), doing="done")


def read(asked: PairBoard) -> PairBoard:
    """What is known before any picture: how alike the texts are to the painter."""
    pipeline = load_painter(asked.model)
    return replace(
        asked,
        prompts_alike=prompt_similarity(*asked.pair.prompts, pipeline),
        descriptions_alike=prompt_similarity(*asked.pair.descriptions, pipeline),
        doing="painting",
    )


def painting(request: GridRequest) -> Iterator[SamplingProgress]:
    """One prompt's pictures, step by step."""
    spec = generation.find_model(request.model)
    return generation.sample(request, load_painter(request.model), spec)
