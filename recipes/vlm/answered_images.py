"""Images of prompts as people type them, and what readers answered to the page's own questions.

Four writers (language models), who saw no image, typed 1,200 prompts, two thirds of whose nouns are
known; of 1,120 something is judged. Three images of each were generated as on the page. Two readers
answered each question about each image: y where its answer is true of it, n where not, x where it
speaks of what is not there, or is a smear. They agree about .98; the rest is u. The images are of
the `icons` of commit fe22261d.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import TypeAdapter
from torch import Tensor

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.scorers.vq2 import predicate
from benchmarks.stickers.detector import to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from recipes.diffusion.generated_images import faulty_and_others, in_range
from recipes.vlm.examples import TEMPLATES, VqaExample

FILE = Path(__file__).with_name("answered_images.jsonl")
IMAGES = Path("runs/answered-images.pt")
TRUE, FALSE = "y", "n"
SIDES = re.compile(r"\b(?:left|right)\b")
"""Words that are no longer true of an image that is mirrored."""


class AnsweredPrompt(NamedTuple):
    """A prompt, its questions, and what readers answered."""

    prompt: str
    seed: int
    """Of its first image."""
    pairs: tuple[tuple[str, str], ...]
    """Questions, each with the answer that the prompt gives."""
    letters: tuple[str, ...]
    """By image, a letter for each pair."""


def read_answers() -> tuple[AnsweredPrompt, ...]:
    """What was asked and answered, prompt by prompt.

    >>> len(read_answers())
    1120
    """
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(map(TypeAdapter(AnsweredPrompt).validate_json, lines))


def write_images(file: Path = IMAGES, count: int | None = None) -> Path:
    """Generate the images of the first `count` prompts, or of all.

    Those of a file that has just these prompts are not generated again.
    """
    asked = read_answers()[:count]
    prompts = [each.prompt for each in asked]
    if file.exists() and torch.load(file, weights_only=True)["prompts"] == prompts:
        return file
    generator, pixels = LoadedGenerator.of("icons"), list[Tensor]()
    for each in asked:
        images = generator.grid(each.prompt, (1, len(each.letters)), each.seed, completion=True)
        pixels.append(((to_pixels(images) + 1) * 127.5).round().byte())
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"prompts": prompts, "pixels": torch.cat(pixels)}, file)
    return file


@dataclass(frozen=True, eq=False)
class AnsweredSet:
    """Images, and what is asked of each."""

    examples: tuple[tuple[VqaExample, ...], ...]
    """Yes or no to each pair that both readers answered so."""
    pixels: Tensor
    """(n, 3, 128, 128), bytes."""

    @classmethod
    def read(cls, file: Path = IMAGES) -> AnsweredSet:
        """The images that `write_images` generated, with their answers."""
        found = torch.load(file, weights_only=True)
        known = {each.prompt: each for each in read_answers()}
        asked = [known[prompt] for prompt in found["prompts"]]
        told = [_examples(each.pairs, letters) for each in asked for letters in each.letters]
        return cls(tuple(told), found["pixels"])

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


def _examples(pairs: tuple[tuple[str, str], ...], letters: str) -> tuple[VqaExample, ...]:
    said = {TRUE: "yes", FALSE: "no"}
    asked = (QuestionAnswer(q, AnswerSpan(a, 0, len(a)), 1.0) for q, a in pairs)
    return tuple(
        VqaExample(predicate(pair, TEMPLATES), said[letter])
        for pair, letter in zip(asked, letters, strict=True)
        if letter in said
    )
