"""The models of a job: loaded once per process, and downloaded while nobody's turn is taken.

Those that generate do so here, whichever cells of a grid are wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import alignment
import generation
import hub
from alignment import Models
from alignment.scorers import GRID_METHODS, SCORERS
from session.offer import Offer
from session.pair_state import PairState
from session.plan import borrowed_seconds
from session.run import Turn
from session.state import GridState
from session.storage import CellStore, save_sample

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline


def _memory_of(model: str) -> int:
    """Bytes that a text-to-image model takes on this machine."""
    return generation.memory_on(generation.find_model(model), hub.best_device())


def _files_of(model: str) -> Path:
    return generation.fetch_pipeline(generation.find_model(model))


@partial(hub.cached_loader, size=_memory_of, files=_files_of)
def load_text_to_image(model: str, folder: Path) -> DiffusionPipeline:
    """A text-to-image pipeline, loaded once per process."""
    return generation.load_pipeline(generation.find_model(model), folder=folder)


def gpu_seconds(state: GridState, *_: object, **options: object) -> int:
    """About how long a job on a grid needs a GPU, with the searches that make some of its images.

    It is called with all that the job is.
    """
    images = state.size + sum(found.attempt for found in state.images.found.values())
    return borrowed_seconds(state.request.model, images, state.request.steps)


def loaded(state: GridState) -> Generator[GridState, None, DiffusionPipeline]:
    """Load the text-to-image model of a grid, maybe after its download; return the pipeline."""
    loading = state.at("loading")
    yield loading
    return (yield from with_downloads(loading, partial(load_text_to_image, state.request.model)))


def sampled(
    state: GridState,
    seeds: Mapping[int, int],
    pipeline: DiffusionPipeline,
    store: CellStore,
    turn: Turn,
) -> Generator[GridState, None, GridState]:
    """Generate the images of some cells, each from its seed; return the last state."""
    spec = generation.find_model(state.request.model)
    for step in generation.sample(state.request, pipeline, spec, turn, seeds):
        state = state.with_sample(step, save_sample(step, store), seeds)
        yield state
    return state


def load_everything(offer: Offer) -> None:
    """Load the first bundle of an offer and every model, before anybody asks.

    On ZeroGPU what is not on the GPU then never is.
    """
    models = Models(alignment.find_bundle(offer.bundles[0]))
    for role in dict.fromkeys(role for each in GRID_METHODS for role in SCORERS[each].roles):
        getattr(models, role)
    for model in offer.models:
        load_text_to_image(model)


State = TypeVar("State", GridState, PairState)
Value = TypeVar("Value")


def with_downloads(
    state: State, work: Callable[[], Value], turn: Turn = nullcontext
) -> Generator[State, None, Value]:
    """Do a piece of work in a turn; while a model of it is downloaded, the turn is somebody else's.

    Meanwhile the state says twice a second how far the download is, and this generator may be
    closed: then the work ends, too.

    Args:
        work: is done in a thread of its own where a model of the job may be downloaded.

    Returns:
        What the work returns.
    """
    if not may_download(state):
        with turn():
            return work()
    with closing(hub.downloading(work)) as downloads:
        download: hub.Download | None = None
        while True:
            with turn() if download is None or download.over else nullcontext():
                try:
                    download = next(downloads)
                except StopIteration as finished:
                    value: Value = finished.value
                    return value
            yield replace(state, download=download)


def may_download(state: GridState | PairState) -> bool:
    """Whether some model of a job is neither in a folder of this machine nor in memory."""
    asked = state.request
    missing = asked.model and not hub.is_loaded(asked.model)
    generating = [generation.find_model(asked.model).source] if missing else []
    models = alignment.find_bundle(asked.bundle).models
    scoring = [model.source for model in models if not hub.is_loaded(model)]
    return any(isinstance(source, str) for source in (*generating, *scoring))
