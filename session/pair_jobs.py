"""The job on a prompt pair: generate both, then compare the images with both descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import alignment
import generation
import hub
from alignment import Models
from alignment.prompt_pairs.description_match import EVALUATORS, fit_matrices
from alignment.prompt_pairs.score import expected_score
from generation import GridRequest, InvalidRequestError, SamplingProgress
from generation.prompt_similarity import prompt_similarity
from session.loading import load_text_to_image, with_downloads
from session.pair_state import AskedPair, PairState
from session.plan import borrowed_seconds
from session.run import Turn
from session.storage import CellStore, save_sample

if TYPE_CHECKING:
    from PIL.Image import Image


def gpu_seconds(requested: PairState, *_: object, **options: object) -> int:
    """About how long the job on a pair needs a GPU; it is called with all that the job is."""
    return borrowed_seconds(requested.request.model, 2 * requested.request.pictures)


@hub.on_gpu(gpu_seconds)
def generate_and_compare(
    requested: PairState, store: CellStore, turn: Turn = nullcontext
) -> Iterator[PairState]:
    """Generate both prompts and evaluate their images; the last state has the score."""
    asked = requested.request
    models = Models(alignment.find_bundle(asked.bundle))
    loading = replace(requested, stage="loading")
    yield loading
    state = yield from with_downloads(loading, partial(read_prompts, requested), turn)
    yield state
    images: list[list[Image | None]] = []
    pipeline, spec = load_text_to_image(asked.model), generation.find_model(asked.model)
    for prompt, request in enumerate(requests(asked)):
        for step in generation.sample(request, pipeline, spec, turn):
            state = state.with_sample(prompt, step, _unfiltered(step, store))
            yield state
        images.append([None if cell.filtered else cell.image for cell in step.cells])
    evaluator = yield from with_downloads(state, partial(EVALUATORS[asked.judge], models))
    matrices = fit_matrices(state.pair, (images[0], images[1]), evaluator)
    while matrix := (yield from with_downloads(state, partial(next, matrices, None), turn)):
        state = state.with_matrix(matrix)
        yield state
    yield replace(state, score=expected_score(state.matrix), stage="done")


def requests(asked: AskedPair) -> list[GridRequest]:
    """The grid request of each prompt, both from the same seeds."""
    return [
        GridRequest(prompt, 1, asked.pictures, asked.seed, asked.model)
        for prompt in asked.pair.prompts
    ]


def check(asked: AskedPair) -> None:
    """Say what keeps a pair from being generated.

    >>> check(AskedPair("a candle", " "))
    Traceback (most recent call last):
    generation.errors.InvalidRequestError: the second prompt is empty; write both prompts
    """
    for kind, texts in (("prompt", asked.pair.prompts), ("description", asked.pair.descriptions)):
        for which, text in zip(("first", "second"), texts, strict=True):
            if not text.strip():
                raise InvalidRequestError(f"the {which} {kind} is empty; write both {kind}s")
    for request in requests(asked):
        generation.validate_request(request)


def read_prompts(requested: PairState) -> PairState:
    """The state before any image: how alike the texts are, and which words are not read."""
    model, pair = requested.request.model, requested.pair
    pipeline, call = load_text_to_image(model), generation.find_model(model).call
    return replace(
        requested,
        truncated_words=tuple(
            generation.truncated_words(prompt, pipeline, call) for prompt in pair.prompts
        ),
        prompts_alike=prompt_similarity(*pair.prompts, pipeline),
        descriptions_alike=prompt_similarity(*pair.descriptions, pipeline),
        stage="reading",
    )


def _unfiltered(step: SamplingProgress, store: CellStore) -> Mapping[int, str]:
    """Store the images of a step that a safety checker lets pass: cell -> file."""
    passed = tuple(cell for cell in step.cells if not cell.filtered)
    return save_sample(replace(step, cells=passed), store)
