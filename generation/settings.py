"""The settings of one generated image: enough to generate it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

import hub
from generation.records import GridRequest

if TYPE_CHECKING:
    from generation.spec import ModelSpec

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
    """The settings of one image of a request.

    Args:
        request: of the grid.
        seed: of the image.
        spec: the model of the request.
        sampler: the class of its scheduler.
    """
    revision = hub.revision(spec.source)
    asked = spec.asked(request.steps, request.guidance)
    made = (sampler, asked.steps, asked.guidance, spec.size)
    return ImageSettings(request, request.given(seed), seed, revision, *made)
