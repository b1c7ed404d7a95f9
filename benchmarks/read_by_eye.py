"""Do scores agree with a person about generated images: right ones, wrong ones, smears?

Readers saw four images of each prompt, and no scores. Of stickers, read once more beside the
drawings: 51 prompts name a colour of a thing that the held-out models were never shown, 25 are
hard. Of icons, read once: 72 prompts drawn as those of training are; by four readers, who were told
which words the page does not judge: 24 hard ones, most of several things, some chosen because a
model drew them wrongly, 24 of two things that touch, 8 that rule something out; and of 228 prompts
as people type them, and 93 new ones, one image each, completed by its seed as on the page: only
those of which some word is known, and nothing was chosen by the new ones. The
images are generated again from their seeds, with the text-to-image model that they were read of. An
image counts as praised when its calibrated chance of being right is one half or more, and as
condemned when it is less; it is called right or wrong where the page gives that verdict.

    python -m benchmarks read_by_eye
    python -m benchmarks read_by_eye --model icons
    python -m benchmarks read_by_eye --limit 2
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated, Literal, cast

import numpy as np
import typer

from alignment.abstention import verdict
from alignment.evaluation import evaluate
from alignment.models.catalogue import EMBEDDED
from alignment.models.loading import Models
from alignment.records import GridReport
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from benchmarks.stickers.generated import LoadedGenerator

FOLDER = Path(__file__).parents[1] / "assets" / "benchmarks" / "prompts"
READ = {"stickers": FOLDER / "read_by_eye.jsonl", "icons": FOLDER / "read_by_eye_icons.jsonl"}
"""Text-to-image model -> the file of its prompts and of what was seen in their images."""
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
    completed: bool = False
    """Whether the seed completes the prompt."""


@dataclass(frozen=True)
class JudgedImage:
    """What a person saw in an image, and how likely each method holds it to be right."""

    prompt: ReadPrompt
    kind: str
    """One of `KINDS`."""
    chances: Mapping[str, float | None]
    """Method -> chance; None where it could not judge."""
    thresholds: Mapping[str, float]
    """Method -> the chance from which it gives a verdict."""

    def mistaken(self, method: str) -> bool | None:
        """Whether the method says otherwise than the person; None where it says nothing."""
        chance = self.chances[method]
        return None if chance is None else (chance >= 0.5) != (self.kind == "right")

    def called(self, method: str) -> bool | None:
        """Whether the page calls it right by the method; None where it gives no verdict."""
        chance = self.chances[method]
        return None if chance is None else verdict(chance, self.thresholds[method])


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
    seen, apart, held = [*_seen(judged)], [*_numbers(judged)], [*_verdicts(judged)]
    by_method = ["part", "name"], "method"
    tables = [
        pivot(f"{title} (95 %, prompts drawn)", numbers, rows, columns)
        for title, numbers, rows, columns in (
            ("What was read", seen, ["part"], "name"),
            ("Images that scores and a person judge differently", apart, *by_method),
            ("Verdicts of the page that a person shares", held, *by_method),
        )
    ]
    publish("read_by_eye", tables, [*seen, *apart, *held])


def read_prompts(model: str) -> list[ReadPrompt]:
    """The prompts of a text-to-image model, and what was seen in their images."""
    lines = READ[model].read_text("utf-8").splitlines()
    return [ReadPrompt(**json.loads(line)) for line in lines]


def _judge(prompt: ReadPrompt, generator: LoadedGenerator, models: Models) -> Iterator[JudgedImage]:
    side = math.isqrt(len(prompt.read))
    images = generator.grid(prompt.prompt, (side, side), prompt.seed, completion=prompt.completed)
    *_, last = evaluate(prompt.prompt, images, side, side, models)
    report = cast("GridReport", last.report)
    for cell, letter in enumerate(prompt.read):
        chances = {method: report.relevance[method][cell] for method in METHODS}
        yield JudgedImage(prompt, KINDS[letter], chances, report.thresholds)


def _seen(judged: Sequence[JudgedImage]) -> Iterator[Number]:
    """The shares of the images of each part that are right, wrong, smears and undecided."""
    for part in dict.fromkeys(image.prompt.part for image in judged):
        own = [image for image in judged if image.prompt.part == part]
        for kind in KINDS.values():
            yield _share(kind, {"part": part}, [(e.kind == kind, e.prompt.seed) for e in own])


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
                    yield _share(f"{kind} {mistake}", {"part": part, "method": method}, told)


def _verdicts(judged: Sequence[JudgedImage]) -> Iterator[Number]:
    """How many images that the page calls right, and wrong, a person calls so, too.

    By chance as many as the person calls so of all.
    """
    for part in dict.fromkeys(image.prompt.part for image in judged):
        own = [each for each in judged if each.prompt.part == part and each.kind != "undecided"]
        for right, name in ((True, "called right"), (False, "called wrong")):
            agreed = [(each.kind == "right") == right for each in own]
            for method in METHODS:
                told = [
                    (held, each.prompt.seed)
                    for held, each in zip(agreed, own, strict=True)
                    if each.called(method) is right
                ]
                if told:
                    about = {"part": part, "method": method}
                    yield _share(name, about, told, fmean(agreed))


def _share(
    name: str,
    about: Mapping[str, str],
    told: Sequence[tuple[bool, int]],
    chance: float | None = None,
) -> Number:
    """How many of some images it is true of, each with the seed of its prompt."""
    values, prompts = zip(*told, strict=True)
    share = measured_mean(values, np.random.default_rng(SEED), prompts)
    return Number.of(name, {**about, "n": len(told)}, share, chance)
