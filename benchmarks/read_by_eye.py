"""Do scores agree with a person about generated images: right ones, wrong ones, smears?

Four images of each prompt were read before any score was known. Of stickers, read once more beside
the drawings: 51 prompts name a colour of a thing that the held-out models were never shown, 25 are
hard. Of icons, read once: 72 prompts drawn as those of training are, 24 hard ones, most of several
things, some chosen because a model drew them wrongly, 24 of two things that touch, and 8 that rule
something out. The images are generated again
from their seeds, with the text-to-image model that they were read of. An image counts as praised
when its calibrated chance of being right is one half or more, and as condemned when it is less.

    python -m benchmarks read_by_eye
    python -m benchmarks read_by_eye --model icons
    python -m benchmarks read_by_eye --limit 2
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import typer

from alignment.evaluation import evaluate
from alignment.models.catalogue import EMBEDDED
from alignment.models.loading import Models
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from benchmarks.stickers.generated import LoadedGenerator

FOLDER = Path(__file__).parents[1] / "assets" / "benchmarks" / "prompts"
READ = {"stickers": FOLDER / "read_by_eye.jsonl", "icons": FOLDER / "read_by_eye_icons.jsonl"}
"""Text-to-image model -> the file of its prompts and of what was seen in their images."""
SIDE = 2
SEED = 7
"""Of the draws of prompts."""
METHODS = ("vq2", "vnli")
KINDS = {"r": "right", "w": "wrong", "s": "smear", "u": "undecided"}
"""What a letter of `ReadPrompt.read` means: as asked for; clear but not as asked for; something
that was asked for cannot be recognised; two looks did not settle it."""
MISTAKES = {"right": "condemned", "wrong": "praised", "smear": "praised"}


@dataclass(frozen=True)
class ReadPrompt:
    """A prompt and what a person saw in its images."""

    part: str
    prompt: str
    seed: int
    """Of the first image."""
    read: str
    """A letter of `KINDS` for each image."""


@dataclass(frozen=True)
class JudgedImage:
    """What a person saw in an image, and how likely each method holds it to be right."""

    prompt: ReadPrompt
    kind: str
    """One of `KINDS`."""
    chances: Mapping[str, float | None]
    """Method -> chance; None where it could not judge."""

    def mistaken(self, method: str) -> bool | None:
        """Whether the method says otherwise than the person; None where it says nothing."""
        chance = self.chances[method]
        return None if chance is None else (chance >= 0.5) != (self.kind == "right")


def main(
    model: Annotated[
        Literal["stickers", "icons"], typer.Option(help="The text-to-image model that was read.")
    ] = "stickers",
    limit: given.Limit = None,
) -> None:
    """Generate the images again, score them, and count where scores and the person disagree."""
    models = Models(EMBEDDED)
    generator = LoadedGenerator.of(model)
    judged = [
        image
        for each in watched(read_prompts(model)[:limit], "scoring")
        for image in _judge(each, generator, models)
    ]
    numbers = [*_numbers(judged)]
    title = "Images that scores and a person judge differently (95 %, prompts drawn)"
    publish("read_by_eye", [pivot(title, numbers, ["part", "name"], "method")], numbers)


def read_prompts(model: str) -> list[ReadPrompt]:
    """The prompts of a text-to-image model, and what was seen in their images."""
    lines = READ[model].read_text("utf-8").splitlines()
    return [ReadPrompt(**json.loads(line)) for line in lines]


def _judge(prompt: ReadPrompt, generator: LoadedGenerator, models: Models) -> Iterator[JudgedImage]:
    images = generator.grid(prompt.prompt, (SIDE, SIDE), prompt.seed)
    *_, last = evaluate(prompt.prompt, images, SIDE, SIDE, models)
    chances = last.report.relevance if last.report else {}
    for cell, letter in enumerate(prompt.read):
        yield JudgedImage(
            prompt, KINDS[letter], {method: chances[method][cell] for method in METHODS}
        )


def _numbers(judged: Sequence[JudgedImage]) -> Iterator[Number]:
    """How many images of each part and kind each method judges otherwise than the person.

    Images of one prompt are alike, so the intervals draw prompts.
    """
    for part in dict.fromkeys(image.prompt.part for image in judged):
        for kind, mistake in MISTAKES.items():
            for method in METHODS:
                told = [
                    (mistaken, image.prompt.seed)
                    for image in judged
                    if (image.prompt.part, image.kind) == (part, kind)
                    and (mistaken := image.mistaken(method)) is not None
                ]
                if told:
                    mistakes, prompts = zip(*told, strict=True)
                    share = measured_mean(mistakes, np.random.default_rng(SEED), prompts)
                    about = {"part": part, "method": method, "n": len(told)}
                    yield Number.of(f"{kind} {mistake}", about, share)
