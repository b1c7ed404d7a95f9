"""Images of prompts as people type them, and what readers answered to the page's own questions.

Sixteen writers (language models), who saw no image, typed 5,200 prompts, in the last half of which
four nouns of five are known (two of three before); of 4,802 something is judged. Three images of
each were generated as on the page, and of the first half nine more where right and wrong ones were
among them, three more where none was right. Two readers answered each question about each image: y
where its answer is true of it, n where not, x where it speaks of what is not there, or is a smear.
They agree about .97; the rest, and what a sheet cut off, is u. One reader answered 3,737 questions
about 915 more images, of things on, in or worn by others, by the text-to-image model after that;
515 of their prompts were put together from lists of nouns, and mostly the one of two images was
taken whose answers the VLM was least sure of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from pydantic import TypeAdapter
from rich.console import Console
from rich.progress import track
from torch import Tensor

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.words import spelled
from alignment.scorers.vq2 import predicate
from benchmarks.stickers.detector import to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from recipes.diffusion.generated_images import as_bytes, faulty_and_others, in_range
from recipes.history import READ_AT, icons_at
from recipes.vlm.examples import TEMPLATES, VqaExample

FILE = Path(__file__).with_name("answered_images.jsonl")
IMAGES = Path("runs/answered-images.pt")
HELD_OUT_IMAGES = Path("runs/answered-images-held-out.pt")
COLUMNS = 3
"""Of the grid that the images of a prompt are, where they are so many."""
TRUE, FALSE = "y", "n"
SIDES = re.compile(r"\b(?:left|right)\b")
"""Words that are no longer true of an image that is mirrored."""


class AnsweredPrompt(NamedTuple):
    """A prompt, its questions, and what readers answered."""

    prompt: str
    seed: int
    """Of its first image; a prompt may have more images in a row of its own."""
    pairs: tuple[tuple[str, str], ...]
    """Questions, each with the answer that the prompt gives."""
    letters: tuple[str, ...]
    """By image, a letter for each pair."""
    whole: bool = False
    """Whether every word of it is asked about, so that the letters say whether it holds."""
    held_out: bool = False
    """Kept from training, to measure and calibrate scores with: one prompt in five."""
    commit: str = READ_AT
    """That whose `icons` its images are of."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the grid that its images are."""
        return -(-len(self.letters) // COLUMNS), min(len(self.letters), COLUMNS)

    def examples(self, letters: str) -> tuple[VqaExample, ...]:
        """What is asked of an image with these letters, where readers settled it."""
        said = {TRUE: "yes", FALSE: "no"}
        asked = (QuestionAnswer(q, AnswerSpan(a, 0, len(a)), 1.0) for q, a in self.pairs)
        settled = [
            VqaExample(predicate(pair, TEMPLATES), said[letter])
            for pair, letter in zip(asked, letters, strict=True)
            if letter in said
        ]
        right = is_right(letters)
        if self.whole and right is not None:
            text = TEMPLATES.entailment.format(text=spelled(self.prompt))
            settled.append(VqaExample(text, "yes" if right else "no"))
        return tuple(settled)


def is_right(letters: str) -> bool | None:
    """Whether all that was asked of an image is true; None where readers did not settle it.

    >>> is_right("yy"), is_right("ynx"), is_right("yu")
    (True, False, None)
    """
    if FALSE in letters:
        return False
    return True if {*letters} == {TRUE} else None


def read_answers(*, held_out: bool | None = None) -> tuple[AnsweredPrompt, ...]:
    """What was asked and answered: all of it, that to learn from, or that held out.

    >>> len(read_answers()), len(read_answers(held_out=True))
    (6280, 1081)
    """
    lines = FILE.read_text(encoding="utf-8").splitlines()
    every = map(TypeAdapter(AnsweredPrompt).validate_json, lines)
    return tuple(each for each in every if held_out is None or each.held_out == held_out)


def write_images(
    asked: Sequence[AnsweredPrompt],
    file: Path,
    generator: Callable[[str], LoadedGenerator] = icons_at,
) -> Path:
    """Generate the images of some prompts; those of a file that has just these stay."""
    seeds = [each.seed for each in asked]
    if file.exists() and torch.load(file, weights_only=True, mmap=True).get("seeds") == seeds:
        return file
    loaded, pixels = cache(generator), list[Tensor]()
    for each in track(asked, "generating images", console=Console(stderr=True)):
        images = loaded(each.commit).grid(each.prompt, each.shape, each.seed, completion=True)
        pixels.append(as_bytes(to_pixels(images)))
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"seeds": seeds, "pixels": torch.cat(pixels)}, file)
    return file


@dataclass(frozen=True, eq=False)
class AnsweredSet:
    """Images, and what is asked of each."""

    examples: tuple[tuple[VqaExample, ...], ...]
    """Yes or no to each pair that both readers answered so, and to a prompt asked about wholly."""
    pixels: Tensor
    """(n, 3, 128, 128), bytes."""
    prompts: tuple[str, ...]
    """Of each image."""

    @classmethod
    def read(cls, file: Path = IMAGES) -> AnsweredSet:
        """The images that `write_images` generated, with their answers."""
        found = torch.load(file, weights_only=True)
        known = {each.seed: each for each in read_answers()}
        asked = [(known[seed], said) for seed in found["seeds"] for said in known[seed].letters]
        told = tuple(each.examples(letters) for each, letters in asked)
        return cls(told, found["pixels"], tuple(each.prompt for each, _ in asked))

    @cached_property
    def pictures(self) -> list[Image.Image]:
        """The images as evaluators take them."""
        return [Image.fromarray(each.permute(1, 2, 0).numpy()) for each in self.pixels]

    @cached_property
    def chances(self) -> NDArray[Any]:
        """How often each is drawn; never one of which nothing was answered."""
        wrong = np.array([any(e.answer == "no" for e in each) for each in self.examples])
        right = np.array([len(each) > 0 for each in self.examples]) & ~wrong
        return faulty_and_others(wrong, right)

    def draw(
        self, rng: np.random.Generator, count: int, questions: int
    ) -> tuple[list[VqaExample], Tensor]:
        """Some of them, in [-1, 1], with so many questions each; every other is mirrored, where
        nothing that is asked speaks of left or right.
        """
        chosen = rng.choice(len(self.examples), size=count, p=self.chances)
        pixels = in_range(self.pixels, chosen)
        asked = list[VqaExample]()
        for place, index in enumerate(chosen):
            own = self.examples[index]
            if rng.random() < 0.5 and not any(SIDES.search(each.prompt) for each in own):
                pixels[place] = pixels[place].flip(-1)
            weights = np.array([2.0 if each.answer == "no" else 1.0 for each in own])
            asked += [own[at] for at in rng.choice(len(own), questions, p=weights / weights.sum())]
        return asked, pixels
