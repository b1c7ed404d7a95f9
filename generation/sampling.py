"""Generating a grid, with its progress reported step by step.

The pipeline runs in a thread of its own: whoever reads the progress may stop reading at any step,
and generation stops there too.
"""

from __future__ import annotations

import gc
import inspect
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import hub
from generation.denoising import Denoised, Start, as_given, estimate, level_after
from generation.errors import ModelUnavailableError
from generation.memory import images_at_once
from generation.preview import decoded, preview, preview_steps
from generation.records import (
    GridCell,
    GridRequest,
    ImageSettings,
    SamplingProgress,
    settings_of,
)
from generation.validation import validate_request
from hub.streaming import streamed

if TYPE_CHECKING:
    import torch
    from diffusers import DiffusionPipeline
    from PIL.Image import Image
    from torch import Tensor

    from generation.spec import ModelSpec

    Emit = Callable[[SamplingProgress], None]
    Turn = Callable[[], AbstractContextManager[None]]

_locks: WeakKeyDictionary[DiffusionPipeline, threading.Lock] = WeakKeyDictionary()
"""One lock per pipeline: its scheduler and tokenizers keep state while it generates."""


def sample(
    request: GridRequest,
    pipeline: DiffusionPipeline,
    spec: ModelSpec,
    turn: Turn = nullcontext,
    cells: Mapping[int, int] | None = None,
    start: Start | None = None,
    estimates: frozenset[int] = frozenset(),
) -> Generator[SamplingProgress, None, None]:
    """Generate a grid; closing the iterator stops generation after the step it is at.

    Cell k starts from the noise of a CPU generator seeded with `request.seed + k`, so a cell that
    is generated alone, in another batch or on another device shows the same image, up to
    rounding.

    Args:
        request: what to generate; its model is `spec.name`.
        pipeline: from `load_pipeline(spec)`; it generates one batch at a time, others wait.
        spec: how the pipeline wants to be called.
        turn: makes what is held open while a batch is generated, for fair turns of many grids.
        cells: which are generated, each with its seed; all of the request when None.
        start: where a grid of one image begins, if not with the noise of its seed.
        estimates: after which steps its previews are the denoised estimate, and generating waits
            for whoever reads them, who may close the iterator; nothing is shown where the latents
            are packed, or at the first step that is made.

    Returns:
        One item per denoising step and one per finished batch; the last one has all these cells.

    Raises:
        InvalidRequestError: see `validate_request`.
        MemoryShortError: there is not even memory for one image.
        ModelUnavailableError: what the model computes is not finite.
    """
    validate_request(request, {spec.name: spec})
    spec = spec.asked(request.steps, request.guidance)
    seeds = dict(enumerate(request.seeds)) if cells is None else cells

    def generate(emit: Emit) -> None:
        _Generation(request, pipeline, spec, emit, turn, seeds, start, estimates).run()

    return streamed(
        generate, "text-to-image model", lambda shown: bool(estimates and shown.previews)
    )


@dataclass
class _Generation:
    """One request while it is generated, batch by batch."""

    request: GridRequest
    pipeline: DiffusionPipeline
    spec: ModelSpec
    emit: Emit
    turn: Turn
    seeds: Mapping[int, int]
    """Of each cell."""
    start: Start | None = None
    estimates: frozenset[int] = frozenset()
    cells: tuple[GridCell, ...] = ()
    previews: tuple[GridCell, ...] = ()
    batches: list[list[int]] = field(init=False)
    """Cells that are generated together."""
    latents: Tensor | None = None
    """After the latest step of a batch."""
    levels: list[tuple[float, float]] = field(default_factory=list)
    """After each step of a batch, see `Denoised`."""

    def __post_init__(self) -> None:
        cells, batch = [*self.seeds], images_at_once(self.spec, self.pipeline.device.type)
        self.batches = [cells[start : start + batch] for start in range(0, len(cells), batch)]

    def run(self) -> None:
        lock = _locks.setdefault(self.pipeline, threading.Lock())
        done = 0
        while done < len(self.batches):
            with self.turn(), lock, hub.in_use(self.pipeline):
                done += self.try_batch(done)

    def try_batch(self, at: int) -> int:
        """Generate a batch, or halve it where memory is short; the batches that are finished."""
        import torch

        try:
            self.generate_batch(self.batches[at])
        except torch.OutOfMemoryError:
            self.batches[at : at + 1] = self.halves(self.batches[at])
            gc.collect()
            return 0
        return 1

    def halves(self, batch: list[int]) -> list[list[int]]:
        if len(batch) == 1:
            device = self.pipeline.device.type
            raise hub.MemoryShortError(
                f"one image of {self.spec.size} x {self.spec.size} by {self.spec.name} is more "
                f"than the {hub.readable_size(hub.free_memory(device))} of memory that are free on "
                f"{device}; choose a smaller model"
            )
        middle = len(batch) // 2
        return [batch[:middle], batch[middle:]]

    def generate_batch(self, batch: list[int]) -> None:
        self.latents, self.levels = None, []
        output = self.call(batch)
        filtered = getattr(output, "nsfw_content_detected", None) or [False] * len(batch)
        self.cells += self.as_cells(batch, output.images, filtered, self.denoised())
        self.previews = ()
        self.report(batch, self.spec.steps)

    def call(self, batch: list[int]) -> Any:
        return self.pipeline(
            **self.prompts(batch),
            **self.beginning(),
            generator=[_noise(self.seeds[cell]) for cell in batch],
            num_inference_steps=self.spec.steps,
            height=self.spec.size,
            width=self.spec.size,
            **self.taken(batch),
            **self.spec.call,
        )

    def beginning(self) -> dict[str, Any]:
        """What a call begins with, where that is not the noise of the seeds."""
        if self.start is None:
            return {}
        return {"latents": as_given(self.pipeline, self.start.latents())}

    def taken(self, batch: list[int]) -> dict[str, Any]:
        """What not every pipeline's call takes: one without callback reports batch by batch."""
        parameters = inspect.signature(type(self.pipeline).__call__).parameters
        offered = {
            self.spec.guidance_argument: self.spec.guidance,
            "callback_on_step_end": partial(self.after_step, batch),
        }
        return {name: value for name, value in offered.items() if name in parameters}

    def prompts(self, batch: list[int]) -> dict[str, Any]:
        """One prompt for the batch, read once; one for each cell where each is completed."""
        if not self.request.completion:
            return {"prompt": self.request.worded, "num_images_per_prompt": len(batch)}
        return {"prompt": [self.request.given(self.seeds[cell]) for cell in batch]}

    def after_step(
        self,
        batch: list[int],
        pipeline: DiffusionPipeline,
        _step: int,
        _timestep: object,
        tensors: dict[str, Any],
    ) -> dict[str, Any]:
        """The pipeline's `callback_on_step_end`; some schedulers take one step more than asked.

        Raises:
            ModelUnavailableError: the model computes nothing here.
        """
        if not tensors["latents"].isfinite().all():
            raise ModelUnavailableError(
                f"{self.spec.name} computes no numbers in {str(pipeline.dtype)[6:]} on "
                f"{pipeline.device.type}, so there is no image; choose another model"
            )
        before, done = self.latents, len(self.levels) + 1
        self.levels.append(level_after(pipeline.scheduler, done))
        if self.start is not None:
            tensors["latents"] = self.start.held(tensors["latents"], done)
        self.latents = tensors["latents"]
        if (shown := self.shown(before, done)) is not None:
            show = decoded if self.estimates else partial(preview, self.spec)
            images = show(pipeline, shown)
            self.previews = self.as_cells(batch, images, [False] * len(batch))
        self.report(batch, min(done, self.spec.steps))
        self.previews = () if self.estimates else self.previews
        return tensors

    def shown(self, before: Tensor | None, done: int) -> Tensor | None:
        """The latents to be decoded after so many steps: with their noise, or the estimate."""
        if not self.estimates:
            return self.latents if done in preview_steps(self.spec) else None
        if done not in self.estimates or before is None or before.ndim != 4:
            return None
        return estimate(before, self.latents, (self.levels[-2], self.levels[-1]))

    def denoised(self) -> list[Denoised | None]:
        """From where each image of a batch can be gone on with."""
        passes = len(self.levels) * self.spec.passes
        latents = [] if self.latents is None else self.latents.cpu().split(1)
        return [Denoised(each, tuple(self.levels), passes) for each in latents]

    def as_cells(
        self,
        batch: list[int],
        images: list[Image],
        filtered: list[bool],
        denoised: Sequence[Denoised | None] = (),
    ) -> tuple[GridCell, ...]:
        seeds = [self.seeds[cell] for cell in batch]
        ends = denoised or [None] * len(batch)
        settings = map(self.settings, batch)
        return tuple(map(GridCell, batch, seeds, images, filtered, settings, ends))

    def settings(self, cell: int) -> ImageSettings:
        """Of an image; one with another seed than its cell has in the grid is a grid of its own."""
        seed, request, sampler = self.seeds[cell], self.request, type(self.pipeline.scheduler)
        if seed != request.seed + cell:
            request = replace(request, rows=1, columns=1, seed=seed)
        return settings_of(request, seed, self.spec, sampler.__name__)

    def report(self, batch: list[int], step: int) -> None:
        before = self.spec.steps * self.batches.index(batch)
        steps = self.spec.steps * len(self.batches)
        self.emit(SamplingProgress(before + step, steps, self.cells, self.previews))


def _noise(seed: int) -> torch.Generator:
    import torch

    return torch.Generator("cpu").manual_seed(seed)
