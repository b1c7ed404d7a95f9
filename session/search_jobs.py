"""The job of a search for an image that shows all that is asked for: from a request, or a grid."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import alignment
import generation
import hub
from alignment import Models
from alignment.judgements import METHOD
from alignment.scorers import SCORERS
from generation import GridCell
from request import Request
from search import DEFAULT, Attempt, Budget, search
from search.strategies import check_strategy
from session.loading import load_text_to_image, loaded, with_downloads
from session.offer import evaluations
from session.run import Turn
from session.search_state import Found, SearchState, Tried
from session.state import GridImages, GridState
from session.storage import CellStore

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

IMAGES = 16
"""Whose evaluations a search from a grid may use."""
MOST = 96
"""The same for one that is gone on with again and again: links name attempts by two digits."""
SECONDS = 120.0
"""That it may take."""


def gpu_seconds(*_: object, **options: object) -> int:
    """About how long a search needs a GPU, at most."""
    return 30 + round(SECONDS)


def find_right(
    request: Request, budget: Budget, strategy: str = DEFAULT, at_least: float = 0.0
) -> Iterator[Attempt]:
    """Search for an image of a request, all models loaded before; see `search.search`.

    Args:
        request: what is asked for; VQ2 judges, whatever it is ranked by.
        at_least: the chance from which an image is right, in [0, 1].
    """
    generation.validate_request(request)
    check_strategy(strategy)
    return search(
        request.grid,
        load_text_to_image(request.model),
        generation.find_model(request.model),
        ready(Models(alignment.find_bundle(request.bundle))),
        budget,
        strategy,
        settings=request.vq2,
        at_least=at_least,
    )


def ready(models: Models) -> Models:
    """The same models, those that judge loaded, so that no search is charged for it."""
    for role in SCORERS[METHOD].roles:
        getattr(models, role)
    return models


@hub.on_gpu(gpu_seconds)
def find(
    state: GridState, cell: int | None, store: CellStore, turn: Turn = nullcontext
) -> Iterator[GridState]:
    """Look for an image that shows everything that the prompt of a grid asks for.

    Args:
        cell: whose image is made again and repaired; where a search found it, or has looked from
            it before, that search is made again and goes on. None looks among further seeds.
    """
    seed, known = state.next_seed, Found(DEFAULT, 0)
    if cell is not None:
        seed, known = state.seed_of(cell), state.images.found.get(cell, _looked_from(state, cell))
    budget = replace(most(state, known.attempt), seconds=SECONDS)
    found = SearchState(budget, cell, strategy=known.strategy)
    state = replace(state, search=found)
    pipeline = yield from loaded(state)
    yield state.at("searching", 0, budget.evaluations or 0)
    attempts = searched(state, seed, known.strategy, pipeline, budget, turn)
    while attempt := (yield from with_downloads(state, partial(next, attempts, None))):
        made = GridCell(attempt.number, seed, attempt.image, settings=attempt.settings)
        found = replace(found, tried=(*found.tried, Tried.of(attempt, store.save(made))))
        spent = attempt.spent.evaluations
        yield replace(state, search=found).at("searching", spent, budget.evaluations or 0)


def _looked_from(state: GridState, cell: int) -> Found:
    """The last attempt of the last search, where it repaired the image that a cell has now."""
    last = state.search
    if last is None or last.cell != cell or not last.tried:
        return Found("repair", 0)
    same = last.tried[0].plan.seed == state.seed_of(cell)
    return Found("repair", len(last.tried) if same else 0)


def most(state: GridState, attempt: int = 0) -> Budget:
    """What a search from a grid may cost, its seconds aside, where it goes on from an attempt."""
    images = min(IMAGES * (1 + math.ceil(attempt / IMAGES)), MOST)
    return Budget(evaluations(state.request.model, state.request.steps, images))


def searched(
    state: GridState,
    seed: int,
    strategy: str,
    pipeline: DiffusionPipeline,
    budget: Budget,
    turn: Turn,
) -> Iterator[Attempt]:
    """The attempts of a search from a grid, judged by VQ2, the first with a seed that is given.

    Those that repair an image of the grid go on behind the seeds of the grid.
    """
    request = state.request
    return search(
        replace(request, seed=seed),
        pipeline,
        generation.find_model(request.model),
        Models(alignment.find_bundle(request.bundle)),
        budget,
        strategy,
        settings=request.vq2,
        turn=turn,
        further=request.seed + request.size if strategy == "repair" else None,
        questions=state.questions,
    )


def found_again(
    state: GridState,
    wanted: GridImages,
    pipeline: DiffusionPipeline,
    store: CellStore,
    turn: Turn,
) -> Generator[GridState, None, GridState]:
    """Make the images that were found by searches by the same searches; return the last state.

    Where a search no longer comes to its image, that of the grid stays.
    """
    for cell, found in wanted.found.items():
        seed = wanted.regenerated.get(cell, state.request.seed + cell)
        attempts = islice(
            searched(state, seed, found.strategy, pipeline, most(state, found.attempt), turn),
            found.attempt,
        )
        tried: list[Attempt] = []
        while attempt := (yield from with_downloads(state, partial(next, attempts, None))):
            tried.append(attempt)
            yield state.at("searching", len(tried), found.attempt)
        if len(tried) == found.attempt and not (tried[-1].given_up or tried[-1].filtered):
            file = store.save(GridCell(cell, seed, tried[-1].image, settings=tried[-1].settings))
            images = state.images.with_cell(cell, file, seed, found)
            state = replace(state, images=replace(images, previews=state.images.previews))
    return state
