"""Prompts with held-out compositions, on which text-to-image models are measured.

A hundred of each kind: one coloured thing, two, several of a kind, one beside another, and three or
four things of more than one kind. Each asks for something that training never shows. There are not
so many such colours and counts of one thing (16 and 50 among these), so that a claim may come
again, in other words and to be generated from another seed. Beside the prompt stands what the
image must hold.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from recipes.world.captions import Description, write_caption
from recipes.world.scenes import Scene, sample_scene
from recipes.world.splits import is_held_out

SETS = {
    "development": (Path("assets/benchmarks/prompts/held_out.jsonl"), 41),
    "test": (Path("assets/benchmarks/prompts/held_out_test.jsonl"), 4141),
}
"""Set -> its file and its seed. No prompt of the test set stands in the development set."""
EACH = 100
KINDS = ("one", "two", "count", "relation", "many")


def held_out_prompt(rng: np.random.Generator, kind: str) -> tuple[str, Description]:
    """A prompt of a kind, and what it claims."""
    while True:
        claim = _claim(sample_scene(rng, split="test"), kind)
        if claim and any(map(is_held_out, claim.compositions)):
            return write_caption(rng, claim).text, claim


def _claim(scene: Scene, kind: str) -> Description | None:
    """What a prompt of that kind says of a scene, if it can."""
    groups = tuple(replace(group, size="", state="") for group in scene.groups)
    counts = [group.count for group in groups]
    if kind == "relation":
        return Description(groups, scene.where) if scene.where else None
    if kind == "count":
        return Description(groups) if len(counts) == 1 and counts[0] > 1 else None
    if kind == "many":
        return Description(groups) if len(counts) > 1 and sum(counts) > 2 else None
    colours = {group.colour for group in groups} - {""}
    wanted = {"one": [1], "two": [1, 1]}[kind]
    return Description(groups) if counts == wanted and len(colours) == len(wanted) else None


def line(rng: np.random.Generator, kind: str) -> Mapping[str, Any]:
    """One line of the file."""
    prompt, claim = held_out_prompt(rng, kind)
    groups = [{k: v for k, v in asdict(group).items() if v} for group in claim.groups]
    return {
        "prompt": prompt,
        "kind": kind,
        "groups": groups,
        "relation": claim.relation,
        "background": claim.background,
    }


def write_prompts(target: Path, seed: int, known: Collection[str] = ()) -> None:
    """Write the file, without prompts that are known."""
    rng, lines = np.random.default_rng(seed), []
    for kind in (kind for kind in KINDS for _ in range(EACH)):
        found = line(rng, kind)
        while found["prompt"] in known:
            found = line(rng, kind)
        lines.append(json.dumps(found) + "\n")
    target.write_text("".join(lines), "utf-8")
