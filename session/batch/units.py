"""Units of work: one prompt for one text-to-image model, each with a stable id."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType

from alignment.models.spec import Bundle
from alignment.questions.settings import Vq2Settings, default_settings
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL
from generation import GridRequest, ModelSpec, validate_request
from generation.validation import LARGEST_SIDE
from session.batch.targets import TargetImage

GRID_SIZES = sorted({a * b for a in range(1, LARGEST_SIDE + 1) for b in range(1, LARGEST_SIDE + 1)})
"""How many pictures there can be of a prompt: whole grids."""


@dataclass(frozen=True)
class Unit:
    """One prompt for one text-to-image model: generated, scored and recorded together."""

    request: GridRequest
    pipeline: ModelSpec
    bundle: Bundle
    vq2: Vq2Settings | None = None
    """Of VQ2; those of the bundle when None."""
    saliency: str = SPECTRAL_RESIDUAL
    """What says where people look, see `find_saliency`."""
    targets: tuple[TargetImage, ...] = ()
    """What the prompt should have looked like; images are scored by how close they come, too."""

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits, the same for the same work on every machine.

        It is made of the request, of how the text-to-image model is called and of the bundle's
        name; new weights under an old name go unseen, and want a folder of their own.
        """
        pipeline = self.pipeline
        request = asdict(self.request)
        if not self.request.completion:  # so that earlier runs keep their ids
            del request["completion"]
        work = {
            **request,
            "steps": pipeline.steps,
            "guidance": pipeline.guidance,
            "size": pipeline.size,
            "call": dict(pipeline.call),
            "bundle": self.bundle.name,
        }
        if self.vq2 and self.vq2 != default_settings(self.bundle.name):
            work["vq2"] = str(self.vq2.signature)
        if self.saliency != SPECTRAL_RESIDUAL:
            work["saliency"] = self.saliency
        if self.targets:
            work["targets"] = [target.sha256 for target in self.targets]
        return hashlib.sha256(json.dumps(work, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Shard:
    """Every `of`-th unit, from the one at `place` on."""

    place: int = 0
    """0 .. of - 1."""
    of: int = 1

    def __str__(self) -> str:
        return f"{self.place + 1}-of-{self.of}"

    def take(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """The units of this shard."""
        return units[self.place :: self.of]

    def split(self, rank: int, ranks: int) -> Shard:
        """The part of this shard that one of several processes does.

        >>> Shard(1, 2).split(2, 3)
        Shard(place=5, of=6)
        """
        return Shard(self.place + self.of * rank, self.of * ranks)


def plan(
    prompts: Iterable[str],
    pipelines: Iterable[ModelSpec],
    bundle: Bundle,
    images: int = 9,
    seed: int = 7,
    *,
    completion: str = "off",
    grids: int = 1,
    vq2: Vq2Settings | None = None,
    saliency: str = SPECTRAL_RESIDUAL,
    targets: Mapping[str, tuple[TargetImage, ...]] = MappingProxyType({}),
) -> tuple[Unit, ...]:
    """All the work, text-to-image model by text-to-image model, so that each is loaded once; what
    comes twice is done once.

    Args:
        prompts: in order.
        pipelines: text-to-image models, in order.
        bundle: the models that score.
        images: of each grid, in `GRID_SIZES`.
        seed: of the first picture; picture k has `seed + k`.
        completion: whether each seed completes the prompt, see `ModelSpec.completes`.
        grids: of each prompt and text-to-image model; each goes on from the seeds of the last.
        vq2: settings of VQ2; those of the bundle when None.
        saliency: what says where people look, see `find_saliency`.
        targets: prompt -> its target images.

    Raises:
        InvalidRequestError: a prompt or the seed cannot be generated.
    """
    (rows, columns), prompts = sides(images), tuple(prompts)
    units = [
        Unit(
            GridRequest(prompt, rows, columns, first, spec.name, spec.completes(completion)),
            spec,
            bundle,
            vq2,
            saliency,
            targets.get(prompt, ()),
        )
        for spec in pipelines
        for prompt in prompts
        for first in range(seed, seed + grids * images, images)
    ]
    for unit in units:
        validate_request(unit.request, {unit.pipeline.name: unit.pipeline})
    return tuple({unit.id: unit for unit in units}.values())


def sides(images: int) -> tuple[int, int]:
    """Rows and columns of the squarest grid of exactly so many pictures.

    >>> sides(9), sides(8), sides(5)
    ((3, 3), (2, 4), (1, 5))
    """
    rows = max(side for side in range(1, math.isqrt(images) + 1) if images % side == 0)
    return rows, images // rows
