"""The settings of one generated image: enough to generate it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

import hub
from generation.records import GridRequest

if TYPE_CHECKING:
    from generation.spec import ModelSpec

Text = Annotated[str, Field(max_length=10_000)]
Seed = Annotated[int, Field(ge=0, lt=2**33)]
Side = Annotated[int, Field(ge=1, le=100)]


class ImageSettings(BaseModel, frozen=True):
    """How one image was generated, and the grid that it is part of."""

    prompt: Text
    """As a person typed it."""
    given: Text
    """What the model read: the prompt, completed where that was asked for."""
    seed: Seed
    """Of this image."""
    model: Text
    """A name in `generation.MODELS`."""
    revision: Text
    """Of the model's files, see `hub.revision`."""
    sampler: Text
    """The class of the scheduler."""
    steps: Annotated[int, Field(ge=1, le=10_000)]
    guidance: Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]
    size: Annotated[int, Field(ge=1, le=100_000)]
    """Side of the square image, in pixels."""
    completion: bool
    rows: Side
    columns: Side
    first_seed: Seed
    """Of cell 0 of the grid."""

    @property
    def request(self) -> GridRequest:
        """What generates the grid again."""
        return GridRequest(
            self.prompt, self.rows, self.columns, self.first_seed, self.model, self.completion
        )


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
    return ImageSettings(
        prompt=request.prompt,
        given=request.given(seed),
        seed=seed,
        model=spec.name,
        revision=hub.revision(spec.source),
        sampler=sampler,
        steps=spec.steps,
        guidance=spec.guidance,
        size=spec.size,
        completion=request.completion,
        rows=request.rows,
        columns=request.columns,
        first_seed=request.seed,
    )
