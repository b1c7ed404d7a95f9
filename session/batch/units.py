"""Units of work: one prompt for one text-to-image model, each with a stable id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType

from alignment.models.spec import Bundle
from alignment.questions.settings import default_settings
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL
from generation import ModelSpec, validate_request
from request import Request
from session.batch.targets import TargetImage


@dataclass(frozen=True)
class Unit:
    """One prompt for one text-to-image model: generated, scored and recorded together."""

    request: Request
    pipeline: ModelSpec
    bundle: Bundle
    targets: tuple[TargetImage, ...] = ()
    """What the prompt should have looked like; images are scored by how close they come, too."""

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits, the same for the same work on every machine.

        It is made of the request, of how the text-to-image model is called and of the bundle's
        name; new weights under an old name go unseen, and want a folder of their own.
        """
        request, pipeline = self.request, self.pipeline
        grid = asdict(request.grid)
        if not request.completion:  # so that earlier runs keep their ids
            del grid["completion"]
        work = {
            **grid,
            "steps": pipeline.steps,
            "guidance": pipeline.guidance,
            "size": pipeline.size,
            "call": dict(pipeline.call),
            "bundle": self.bundle.name,
        }
        if request.vq2 and request.vq2 != default_settings(self.bundle.name):
            work["vq2"] = str(request.vq2.signature)
        if request.saliency != SPECTRAL_RESIDUAL:
            work["saliency"] = request.saliency
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
    systems: Iterable[tuple[Request, ModelSpec]],
    bundle: Bundle,
    grids: int = 1,
    targets: Mapping[str, tuple[TargetImage, ...]] = MappingProxyType({}),
) -> tuple[Unit, ...]:
    """All the work, text-to-image model by text-to-image model, so that each is loaded once; what
    comes twice is done once.

    Args:
        prompts: in order.
        systems: text-to-image models, in order, each with all of a request but the prompt.
        bundle: the models that score.
        grids: of each prompt and text-to-image model; each goes on from the seeds of the last.
        targets: prompt -> its target images.

    Raises:
        InvalidRequestError: a prompt or a seed cannot be generated.
    """
    prompts = tuple(prompts)
    units = [
        Unit(
            replace(request, prompt=prompt, seed=request.seed + grid * request.size),
            spec,
            bundle,
            targets.get(prompt, ()),
        )
        for request, spec in systems
        for prompt in prompts
        for grid in range(grids)
    ]
    for unit in units:
        validate_request(unit.request, {unit.pipeline.name: unit.pipeline})
    return tuple({unit.id: unit for unit in units}.values())
