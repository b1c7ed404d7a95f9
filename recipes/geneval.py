"""GenEval's prompts (Ghosh et al., 2023): how many images of icons show what one asks for.

In place of a detector an image is held against the drawings of what it should show; where that
leaves it in doubt, this is said. How often it agrees with a person is in `recipes/LOG.md`. A number
is meant exactly, also where GenEval would let more pass.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL.Image import Image

from alignment.statistics.intervals import measured_mean
from benchmarks.data.numbers import Number
from benchmarks.progress import watched
from benchmarks.stickers.detector import to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from recipes.diffusion.recognition import recognise
from recipes.world.captions import Description
from recipes.world.domains import WHOLE_ICONS
from recipes.world.scenes import Group
from recipes.world.truth import entailed

SEED = 660_000
"""Of the first image of the first prompt."""
SIDE = 2
"""Rows and columns of the images of a prompt."""
CLEAR = 0.8
"""How much like its drawing a thing looks that counts as shown."""
ALL = "all"


@dataclass(frozen=True)
class GenevalPrompt:
    """A prompt and what its images must show."""

    part: str
    prompt: str
    claim: Description
    seed: int
    """Of its first image."""

    @classmethod
    def of(cls, line: dict[str, Any], number: int = 0) -> GenevalPrompt:
        """A line of GenEval's evaluation_metadata.jsonl, and its number.

        >>> bench, dog = {"class": "bench", "count": 1}, {"class": "dog", "count": 1}
        >>> asked = [bench, {**dog, "position": ["right of", 0]}]
        >>> found = GenevalPrompt.of({"tag": "position", "include": asked, "prompt": "a dog ..."})
        >>> [group.name for group in found.claim.groups], found.claim.relation
        (['dog', 'bench'], 'right')
        """
        include = sorted(line["include"], key=lambda each: "position" not in each)
        groups = [Group(e["class"], e.get("color", ""), count=e["count"]) for e in include]
        place = include[0].get("position")
        relation = place[0].removesuffix(" of") if place else ""
        claim = Description(tuple(groups), relation)
        return cls(line["tag"], line["prompt"], claim, SEED + SIDE**2 * number)

    def is_right(self, image: Image) -> bool | None:
        """Whether an image shows what is asked for; None where that is in doubt."""
        pixels = to_pixels([image])[0]
        shown = recognise(pixels, self.claim.groups, WHOLE_ICONS, clear=CLEAR)
        return None if shown is None else entailed(self.claim, shown)


def read_prompts(file: Path) -> list[GenevalPrompt]:
    """The prompts of GenEval's evaluation_metadata.jsonl."""
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    return [GenevalPrompt.of(line, number) for number, line in enumerate(lines)]


def measure(prompts: Sequence[GenevalPrompt], generator: LoadedGenerator) -> Iterator[Number]:
    """Shares of right images and of doubtful ones, of each part and of all images.

    The intervals draw prompts.
    """
    told = [
        (prompt, answer)
        for prompt in watched(prompts, "images of prompts")
        for image in generator.grid(prompt.prompt, (SIDE, SIDE), prompt.seed)
        for answer in [prompt.is_right(image)]
    ]
    for part in (*dict.fromkeys(prompt.part for prompt in prompts), ALL):
        some = [(prompt.prompt, answer) for prompt, answer in told if part in (prompt.part, ALL)]
        units, answers = zip(*some, strict=True)
        for name, wanted in (("right", True), ("in doubt", None)):
            values = [answer is wanted for answer in answers]
            found = measured_mean(values, np.random.default_rng(7), units)
            yield Number.of(name, {"part": part, "n": len(values)}, found)
