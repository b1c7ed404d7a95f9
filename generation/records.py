"""What goes into a grid of images and what comes out of it, with settings: frozen records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from PIL.Image import Image
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

import hub
from generation.completion import complete_prompt
from generation.models import MODELS, find_model
from generation.validation import (
    LARGEST_SEED,
    LARGEST_SIDE,
    LONGEST_PROMPT,
    MOST_GUIDANCE,
    MOST_STEPS,
)

if TYPE_CHECKING:
    from generation.denoising import Denoised
    from generation.spec import ModelSpec

PROMPT = "{prompt}"
"""Where the prompt stands in a wording."""


def _known_model(name: str, info: ValidationInfo) -> str:
    """A name; where a visitor gives it (the context is not None), that of a model there is."""
    if info.context is not None and name not in MODELS:
        raise ValueError("unknown")
    return name


def _completed(value: Any, info: ValidationInfo) -> Any:
    """What is usual for the model of the request, where that is asked for."""
    model = (info.data or {}).get("model")
    asked = isinstance(value, str) and value not in ("yes", "no")
    return find_model(model).completes(value) if model and asked else value


Prompt: TypeAlias = Annotated[
    str, Field(max_length=LONGEST_PROMPT, description="What the images should show.")
]
Side: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_SIDE)]
Seed: TypeAlias = Annotated[
    int,
    Field(
        ge=0,
        le=LARGEST_SEED,
        description="Seed of the first image; image k is generated from seed + k.",
    ),
]
ModelName: TypeAlias = Annotated[
    str, AfterValidator(_known_model), Field(description="The name of a text-to-image model.")
]
Completion: TypeAlias = Annotated[
    bool,
    BeforeValidator(_completed, json_schema_input_type=Literal["auto", "on", "off"]),
    Field(
        description="Whether each seed chooses what the prompt leaves open (background, places); "
        "`auto` is `on` for the embedded models. Images are scored against the prompt as typed."
    ),
]
Wording: TypeAlias = Annotated[
    str,
    Field(
        max_length=LONGEST_PROMPT,
        description="What the model is given, where {prompt} stands for the prompt; images are "
        "scored against the prompt alone.",
    ),
]
Steps: TypeAlias = Annotated[
    int | None,
    Field(ge=1, le=MOST_STEPS, description="Denoising steps; those of the model when left out."),
]
Guidance: TypeAlias = Annotated[
    float | None,
    Field(
        ge=0,
        le=MOST_GUIDANCE,
        description="Classifier-free guidance scale, for models that take one; that of the model "
        "when left out.",
    ),
]


@dataclass(frozen=True)
class GridRequest:
    """One prompt to be generated `rows` x `columns` times."""

    prompt: Prompt
    rows: Annotated[Side, Field(description="Rows of the grid.")] = 3
    columns: Annotated[Side, Field(description="Columns of the grid.")] = 3
    seed: Seed = 7
    """Cell k is generated from `seed + k`, so that any cell can be made again alone."""
    model: ModelName = "icons"
    """A name in `generation.MODELS`."""
    completion: Completion = False
    """Whether what the prompt leaves open is drawn by each seed: see `generation.completion`."""
    wording: Wording = field(default=PROMPT, kw_only=True)
    steps: Steps = field(default=None, kw_only=True)
    guidance: Guidance = field(default=None, kw_only=True)

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    @property
    def worded(self) -> str:
        """The prompt in the wording of the request.

        >>> GridRequest("a red car", wording="{prompt}, 4k").worded
        'a red car, 4k'
        """
        return self.wording.replace(PROMPT, self.prompt)

    def given(self, seed: int) -> str:
        """What the model is given for a seed: the prompt as it is worded, maybe completed.

        >>> GridRequest("a red car", completion=True).given(seed=4)
        'a red car at night'
        """
        return complete_prompt(self.worded, seed) if self.completion else self.worded

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each cell, row by row."""
        return tuple(self.seed + cell for cell in range(self.size))


@dataclass(frozen=True)
class GridCell:
    """One finished image of the grid."""

    cell: int
    """Place in the grid as generated, row by row, from 0."""
    seed: int
    image: Image
    filtered: bool = False
    """True when a safety checker blacked the image out; it is left out of the ranking."""
    settings: ImageSettings | None = None
    """How it was generated, where that is known."""
    denoised: Denoised | None = field(default=None, repr=False, compare=False)
    """From where it can be gone on with; of an image that was generated here."""


@dataclass(frozen=True)
class SamplingProgress:
    """One step of generating: where the work stands and what can be shown so far."""

    step: int
    """Denoising steps finished, over all batches."""
    steps: int
    """Denoising steps in all."""
    cells: tuple[GridCell, ...]
    """The cells that are finished, in cell order."""
    previews: tuple[GridCell, ...]
    """Rough images of the cells being generated now."""


Text = Annotated[str, Field(max_length=10_000)]


@dataclass(frozen=True)
class ImageSettings:
    """How one image was generated, and the grid that it is part of."""

    request: GridRequest
    """Of the grid."""
    given: Text
    """What the model read: the prompt, completed where that was asked for."""
    seed: Annotated[int, Field(ge=0, lt=2**33)]
    """Of this image."""
    revision: Text
    """Of the model's files, see `hub.revision`."""
    sampler: Text
    """The class of the scheduler."""
    steps: Annotated[int, Field(ge=1, le=10_000)]
    guidance: Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]
    size: Annotated[int, Field(ge=1, le=100_000)]
    """Side of the square image, in pixels."""


def settings_of(
    request: GridRequest, seed: int, spec: ModelSpec, sampler: str = ""
) -> ImageSettings:
    """The settings of one image of a request; `sampler` is the class of the model's scheduler."""
    revision = hub.revision(spec.source)
    asked = spec.asked(request.steps, request.guidance)
    made = (sampler, asked.steps, asked.guidance, spec.size)
    return ImageSettings(request, request.given(seed), seed, revision, *made)
