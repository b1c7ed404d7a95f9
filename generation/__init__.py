"""From a prompt to a grid of images.

Importing this is instant; torch and diffusers are imported when a pipeline is loaded.
"""

from __future__ import annotations

from generation.denoising import Denoised, Start
from generation.errors import (
    CheckpointMissingError,
    GenerationError,
    InvalidRequestError,
    ModelUnavailableError,
    UnknownModelError,
)
from generation.loading import fetch_pipeline, load_pipeline
from generation.memory import memory_on, seconds_per_image
from generation.models import MODELS, find_model
from generation.records import (
    GridCell,
    GridRequest,
    ImageSettings,
    SamplingProgress,
    settings_of,
)
from generation.sampling import sample
from generation.spec import ModelSpec
from generation.validation import (
    truncated_words,
    validate_grid,
    validate_request,
    words_cut,
)

__all__ = [
    "Denoised",
    "Start",
    "MODELS",
    "CheckpointMissingError",
    "GenerationError",
    "GridCell",
    "GridRequest",
    "ImageSettings",
    "InvalidRequestError",
    "ModelSpec",
    "ModelUnavailableError",
    "SamplingProgress",
    "UnknownModelError",
    "fetch_pipeline",
    "find_model",
    "load_pipeline",
    "memory_on",
    "sample",
    "seconds_per_image",
    "settings_of",
    "truncated_words",
    "validate_grid",
    "validate_request",
    "words_cut",
]
