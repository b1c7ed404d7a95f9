"""How often a pipeline generates development prompts right, as the detector reads its pictures.

Steps, guidance and students are chosen by these prompts. Training shows nothing of what they ask
for, and none of them is a prompt of the benchmark, which measures what was chosen.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.data.numbers import Number
from benchmarks.progress import watched
from benchmarks.stickers.command import generated_right
from benchmarks.stickers.detector import load_detector
from benchmarks.stickers.generated import LoadedGenerator, generate
from benchmarks.stickers.prompts import EvaluationPrompt, RequestedGroup, read_prompts
from generation import find_model, load_pipeline
from recipes.world.captions import Description
from recipes.world.held_out_prompts import KINDS, held_out_prompt

SEED = 550_003


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


def accuracy(folder: Path, each: int, steps: int, guidance: float) -> list[Number]:
    """Generate a picture of each prompt; the share of each kind, and of all, that is right.

    Args:
        folder: a pipeline of stickers.
        each: prompts of each kind.
        steps: of denoising.
        guidance: 0 is none.
    """
    spec = replace(find_model("stickers"), source=folder, steps=steps, guidance=guidance)
    generator, prompts = LoadedGenerator(load_pipeline(spec), spec), development_prompts(each)
    pictures = generate(prompts, generator, load_detector())
    return [*generated_right([*watched(pictures, "pictures", len(prompts))])]


def evaluation_prompt(text: str, claim: Description, kind: str) -> EvaluationPrompt:
    """What a picture of a prompt must hold, of which the claim is known."""
    groups = tuple(
        RequestedGroup(each.name, each.count, each.colour, each.state, each.size)
        for each in claim.groups
    )
    return EvaluationPrompt(text, kind, groups, claim.relation, claim.background)
