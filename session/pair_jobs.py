"""Two prompts and what they should show come in; their board goes out, each time knowing more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import alignment
import generation
from alignment import Models
from alignment.prompt_pairs.description_match import EVALUATORS, fit_matrices
from alignment.prompt_pairs.score import expected_score
from generation import GridRequest, InvalidRequestError, SamplingProgress
from generation.prompt_similarity import prompt_similarity
from generation.validation import LARGEST_SIDE, LONGEST_PROMPT
from session.downloads import with_downloads
from session.jobs import load_text_to_image
from session.pair_state import PairState
from session.storage import SaveImage, memoised_save

if TYPE_CHECKING:
    from PIL.Image import Image


def generate_and_compare(asked: PairState, keep: SaveImage) -> Iterator[PairState]:
    """The whole job; the last board has the score.

    Args:
        asked: passes `check`.
        keep: stores a picture and returns its file.

    Raises:
        UnknownBundleError: before anything is loaded.
        GenerationError, AlignmentError: a model cannot be had.
    """
    models = Models(alignment.find_bundle(asked.bundle))
    yield replace(asked, doing=f"loading {asked.model}")
    state = yield from with_downloads(asked, partial(read, asked))
    yield state
    images: list[list[Image | None]] = []
    for prompt, request in enumerate(requests(asked)):
        once = memoised_save(keep)
        for step in generating(request):
            state = state.generated(prompt, step, once)
            yield state
        images.append([None if cell.filtered else cell.image for cell in step.cells])
    judge = EVALUATORS[asked.evaluator](models)
    for matrix in fit_matrices(state.pair, (images[0], images[1]), judge):
        state = state.judged(matrix)
        yield state
    yield replace(state, score=expected_score(state.matrix), doing="done")


def requests(asked: PairState) -> list[GridRequest]:
    """One prompt's pictures, and the other's from the same seeds."""
    return [
        GridRequest(prompt, 1, asked.generations, asked.seed, asked.model)
        for prompt in asked.pair.prompts
    ]


def check(asked: PairState) -> None:
    """Say what keeps a pair from being generated.

    Raises:
        InvalidRequestError: a text has no words, or a number is out of its range.
        UnknownModelError: there is no such text-to-image model.
    """
    check_texts(asked.pair.prompts, "prompt")
    check_texts(asked.pair.descriptions, "description")
    if not 1 <= asked.generations <= LARGEST_SIDE:
        raise InvalidRequestError(
            f"{asked.generations} pictures each are asked for; it can be 1 to {LARGEST_SIDE}"
        )
    for request in requests(asked):
        generation.validate_request(request)


def check_texts(texts: tuple[str, str], kind: str) -> None:
    """Say which of the two is empty, or too long to be read.

    >>> check_texts(("a candle", " "), "prompt")
    Traceback (most recent call last):
    generation.errors.InvalidRequestError: the second prompt is empty; write both prompts
    """
    for which, text in zip(("first", "second"), texts, strict=True):
        if not text.strip():
            raise InvalidRequestError(f"the {which} {kind} is empty; write both {kind}s")
        if len(text) > LONGEST_PROMPT:
            raise InvalidRequestError(
                f"the {which} {kind} has {len(text)} characters; it can have {LONGEST_PROMPT}"
            )


def read(asked: PairState) -> PairState:
    """What is known before any picture: how alike the texts are, and the words nobody reads."""
    pipeline = load_text_to_image(asked.model)
    return replace(
        asked,
        unread=tuple(generation.truncated_words(each, pipeline) for each in asked.pair.prompts),
        prompts_alike=prompt_similarity(*asked.pair.prompts, pipeline),
        descriptions_alike=prompt_similarity(*asked.pair.descriptions, pipeline),
        doing="generating",
    )


def generating(request: GridRequest) -> Iterator[SamplingProgress]:
    """One prompt's pictures, step by step."""
    spec = generation.find_model(request.model)
    return generation.sample(request, load_text_to_image(request.model), spec)
