"""The training loop of every recipe: seeded, logged and resumable.

It runs on the processor, on a GPU, or on several when `accelerate launch` starts it.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from accelerate import PartialState
from accelerate.utils import reduce
from rich.console import Console
from rich.progress import track
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

StepLosses = Callable[[np.random.Generator], dict[str, Tensor]]
"""A step's random generator -> named losses; their sum is minimised."""


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn."""

    steps: int
    lr: float
    warmup: int = 200
    weight_decay: float = 0.01
    ema: float = 0.0
    """Decay of the moving average of the weights; 0 keeps none."""
    kept: float = 0.0
    """Share of the weights that it began with in those that it ends with, so that a training that
    goes on forgets less (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022)."""
    floor: float = 0.05
    """Last learning rate, as a part of the highest."""
    cooldown: float = 1.0
    """Over which part of the steps, the last one, the rate falls; before, it stays the highest."""
    seed: int = 0

    def rate(self, step: int) -> float:
        """Learning rate of a step: linear warm-up, the highest rate, then a half cosine.

        >>> Schedule(steps=100, lr=1.0, warmup=10, floor=0.0).rate(100)
        0.0
        >>> Schedule(steps=100, lr=1.0, warmup=10, cooldown=0.2).rate(80)
        1.0
        """
        if step < self.warmup:
            return self.lr * (step + 1) / self.warmup
        falling = self.cooldown * max(1, self.steps - self.warmup)
        done = max(0.0, 1 - (self.steps - step) / falling)
        return self.lr * (self.floor + (1 - self.floor) * (1 + math.cos(math.pi * done)) / 2)


def process() -> PartialState:
    """This process among those that `accelerate launch` started."""
    return PartialState(cpu=not torch.cuda.is_available())


def device() -> torch.device:
    """The GPU of this process where there is one.

    The processor has no number: PyTorch stores tensors of "cpu:1" that it cannot load again.
    """
    own = process().device
    return torch.device("cpu") if own.type == "cpu" else own


def share(batch: int) -> int:
    """The part of a step's batch that this process draws; all of them together have the whole."""
    return batch // int(process().num_processes)


def mixed_precision() -> AbstractContextManager[None]:
    """bf16 where the processor multiplies it quickly, else fp32."""
    quick = device().type != "cpu" or torch.cpu._is_avx512_bf16_supported()
    context: AbstractContextManager[None] = torch.autocast(
        device().type, torch.bfloat16, enabled=quick
    )
    return context


def _plain_attention() -> AbstractContextManager[None]:
    """Attention as matrix products: on a CPU its backward pass is twice as fast as the fused."""
    every = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    context: AbstractContextManager[None] = sdpa_kernel(
        every if device().type != "cpu" else SDPBackend.MATH
    )
    return context


def fit(model: nn.Module, losses: StepLosses, schedule: Schedule, run: Path) -> None:
    """Train in place, going on from `run/state.pt` where there is one.

    Step s draws its data from the generator seeded (seed, s), so that a resumed run sees what an
    undisturbed one would. With `schedule.ema` the model ends with the averaged weights, with
    `schedule.kept` with a share of those that it is called with. Where
    several processes train, each draws data of its own, (seed, s, process), and their gradients are
    averaged; the first of them writes state and log.
    """
    run.mkdir(parents=True, exist_ok=True)
    state = _State(model.to(device()), schedule, run / "state.pt")
    start = [each.detach().clone() for each in model.parameters()] if schedule.kept else []
    state.load()
    model.train()
    left = range(state.step, schedule.steps)
    for _ in track(left, f"training {run.name}", console=Console(stderr=True)):
        state.advance(losses)
    state.save()
    process().wait_for_everyone()
    if schedule.ema:
        model.load_state_dict(state.average, strict=False)
    if start:
        torch._foreach_lerp_([each.detach() for each in model.parameters()], start, schedule.kept)


def stored(shards: Mapping[Path, Callable[[], Tensor]]) -> Tensor:
    """The tensors of some files, end to end; what is missing the processes compute side by side."""
    missing = [file for file in shards if not file.exists()]
    process().wait_for_everyone()
    for file in missing[process().process_index :: process().num_processes]:
        file.parent.mkdir(parents=True, exist_ok=True)
        torch.save(shards[file](), file.with_suffix(".new"))
        file.with_suffix(".new").replace(file)
    process().wait_for_everyone()
    return torch.cat([torch.load(file, weights_only=True) for file in shards])


class _State:
    """Weights, optimiser, average and clock of one run."""

    def __init__(self, model: nn.Module, schedule: Schedule, path: Path) -> None:
        self.model, self.schedule, self.path = model, schedule, path
        weights = [p for p in model.parameters() if p.requires_grad]
        self.optimiser = torch.optim.AdamW(
            weights, schedule.lr, betas=(0.9, 0.98), weight_decay=schedule.weight_decay, fused=True
        )
        self.average = {k: v.detach().clone() for k, v in model.named_parameters()}
        self.step, self.seconds, self.saved = 0, 0.0, 0.0
        self.recent: dict[str, float] = {}

    def load(self) -> None:
        if not self.path.exists():
            return
        state = torch.load(self.path, weights_only=True, map_location=device())
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average = state["average"]
        self.step, self.seconds = state["step"], state["seconds"]
        self.saved = self.seconds

    def save(self) -> None:
        self.saved = self.seconds
        if not process().is_main_process:
            return
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average,
            "step": self.step,
            "seconds": self.seconds,
        }
        torch.save(state, self.path.with_suffix(".new"))
        self.path.with_suffix(".new").replace(self.path)

    def advance(self, losses: StepLosses) -> None:
        start = time.monotonic()
        for group in self.optimiser.param_groups:
            group["lr"] = self.schedule.rate(self.step)
        rank = process().process_index
        torch.manual_seed(self.schedule.seed * 1_000_003 + self.step + rank * 7_919)
        self.optimiser.zero_grad(set_to_none=True)
        with _plain_attention():
            own = (rank,) if rank else ()
            parts = losses(np.random.default_rng((self.schedule.seed, self.step, *own)))
            torch.stack(list(parts.values())).sum().backward()
        self._average_gradients()
        nn.utils.clip_grad_norm_(self.optimiser.param_groups[0]["params"], 1.0)
        self.optimiser.step()
        self._follow()
        self.step += 1
        self.seconds += time.monotonic() - start
        self._report(parts)

    def _average_gradients(self) -> None:
        if process().num_processes == 1:
            return
        weights = self.optimiser.param_groups[0]["params"]
        gradients = [each.grad for each in weights if each.grad is not None]
        mean = reduce(torch.cat([each.flatten() for each in gradients]), "mean")
        parts = mean.split([each.numel() for each in gradients])
        for each, part in zip(gradients, parts, strict=True):
            each.copy_(part.view_as(each))

    def _follow(self) -> None:
        if not self.schedule.ema:
            return
        decay = min(self.schedule.ema, (1 + self.step) / (10 + self.step))
        ours = list(self.average.values())
        theirs = [p.detach() for p in self.model.parameters()]
        torch._foreach_lerp_(ours, theirs, 1 - decay)

    def _report(self, parts: dict[str, Tensor]) -> None:
        for name, value in parts.items():
            old = self.recent.get(name, float(value.detach()))
            self.recent[name] = 0.98 * old + 0.02 * float(value.detach())
        if self.step % 100 == 0 and process().is_main_process:
            line = {"step": self.step, "seconds": round(self.seconds), **self.recent}
            with (self.path.parent / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")
        if self.seconds - self.saved > 120:
            self.save()
