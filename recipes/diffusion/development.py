"""How often a pipeline generates development prompts right, as the detector reads its pictures.

Steps, guidance and students are chosen by these prompts. Training shows nothing of what they ask
for, and none of them is a prompt of the benchmark, which measures what was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from rich.progress import track
from rich.table import Table

from alignment.statistics.intervals import Measured, measured_proportion
from benchmarks.data.numbers import blank_table
from benchmarks.stickers.detector import Detector, detect, load_detector, to_pixels
from benchmarks.stickers.prompts import EvaluationPrompt, read_prompts, satisfies
from recipes.world.held_out_prompts import KINDS, held_out_prompt
from recipes.world.labelled_pairs import evaluation_prompt

SEED = 550_003
IMAGE_SEED = 31_000
AT_ONCE = 25
"""Pictures that are generated together."""


@dataclass(frozen=True)
class Sampling:
    """How a pipeline is called."""

    steps: int
    guidance: float


def development_prompts(each: int, seed: int = SEED) -> list[EvaluationPrompt]:
    """So many prompts of each kind, none of them a prompt of the benchmark, in either split."""
    benchmark = read_prompts() + read_prompts(split="test")
    tested = {prompt.prompt for prompt in benchmark}
    rng, found = np.random.default_rng(seed), list[EvaluationPrompt]()
    for kind in KINDS:
        while sum(prompt.kind == kind for prompt in found) < each:
            text, claim = held_out_prompt(rng, kind)
            if text not in tested:
                found.append(evaluation_prompt(text, claim, kind))
    return found


def accuracy(
    pipeline: Any, prompts: Sequence[EvaluationPrompt], sampling: Sampling
) -> dict[str, Measured]:
    """Generate a picture of each prompt; the share of each kind, and of all, that is right."""
    detector, right = load_detector(), list[bool]()
    for start in track(range(0, len(prompts), AT_ONCE), "generating development prompts"):
        asked = prompts[start : start + AT_ONCE]
        right += _right(pipeline, asked, sampling, IMAGE_SEED + start, detector)
    kinds: dict[str, list[bool]] = {}
    for prompt, good in zip(prompts, right, strict=True):
        kinds.setdefault(prompt.kind, []).append(good)
    kinds["all"] = right
    return {kind: measured_proportion(sum(good), len(good)) for kind, good in kinds.items()}


def _right(
    pipeline: Any,
    prompts: Sequence[EvaluationPrompt],
    sampling: Sampling,
    seed: int,
    detector: Detector,
) -> Iterator[bool]:
    pictures = pipeline(
        [each.prompt for each in prompts],
        num_inference_steps=sampling.steps,
        guidance_scale=sampling.guidance,
        generator=[torch.Generator().manual_seed(seed + index) for index in range(len(prompts))],
    ).images
    scenes = detect(detector, to_pixels(pictures))
    return map(satisfies, scenes, prompts)


def accuracy_table(found: Mapping[str, Measured], sampling: Sampling) -> Table:
    """Right pictures by kind, and of all, with 95 % intervals over prompts."""
    title = f"Right in {sampling.steps} steps at guidance {sampling.guidance:g}"
    table = blank_table(title, "prompt", "right", "of", "95 %")
    for kind, each in found.items():
        table.add_row(kind, f"{each.value:.3f}", str(each.n), each.interval)
    return table
