"""The models of a session, loaded once per process."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import alignment
import generation
import hub
from alignment import Models
from session.offer import Offer

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


def load_everything(offer: Offer) -> None:
    """Load the first bundle of an offer and its first model, before anybody asks; on ZeroGPU every
    model, as what is not on the GPU then never is.

    Raises:
        GenerationError, AlignmentError, HubError: a model cannot be loaded.
    """
    models = Models(alignment.find_bundle(offer.bundles[0]))
    for role in ("parser", "question_writer", "reader", "answerer", "entailment", "clip"):
        getattr(models, role)
    for model in offer.models if hub.zero_gpu() else offer.models[:1]:
        load_text_to_image(model)
