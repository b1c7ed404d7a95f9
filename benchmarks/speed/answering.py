"""Seconds of answering yes/no questions about images, here and as published code does it."""

from __future__ import annotations

import resource
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PIL.Image import Image

from alignment.models.vlm import ImageQuestion, VisionLanguageModel, word_tokens
from benchmarks.speed.stages import timed


@dataclass(frozen=True)
class AnsweringComparison:
    """The same questions about the same images, put to the same weights in two ways."""

    images: int
    questions: int
    """For each image."""
    here_s: float
    """Seconds with each image encoded once and its questions together."""
    published_s: float
    """Seconds with one `generate` for each question, the image encoded each time."""
    difference: float
    """Largest difference of two P(yes)."""

    @property
    def ratio(self) -> float:
        """How many times longer the published way takes."""
        return self.published_s / self.here_s


def compare(
    network: Any,
    processor: Any,
    model: VisionLanguageModel,
    images: Sequence[Image],
    questions: Sequence[str],
) -> AnsweringComparison:
    """Answer in both ways, turn by turn; the first image is answered once more to warm up.

    Args:
        network: a BLIP-2.
        processor: its own.
        model: the same network as the scorers use it.
        images: at least one.
        questions: to be answered by yes or no, at least one.
    """
    spoken = [model.templates.question.format(question=question) for question in questions]
    ways = (
        partial(answers_here, model, questions=questions),
        partial(_answers_as_published, network, processor, questions=spoken),
    )
    _, *turns = [
        [timed(partial(way, images=[image])) for way in ways] for image in (images[0], *images)
    ]
    here, published = zip(*turns, strict=True)
    differences = (
        abs(one - other)
        for (_, ours), (_, theirs) in turns
        for one, other in zip(ours, theirs, strict=True)
    )
    return AnsweringComparison(
        len(images),
        len(questions),
        sum(seconds for seconds, _ in here),
        sum(seconds for seconds, _ in published),
        max(differences),
    )


def answers_here(
    model: VisionLanguageModel, images: Sequence[Image], questions: Sequence[str]
) -> list[float]:
    """P(yes), image by image; each image is encoded once."""
    asks = [
        ImageQuestion(image, question) for image in range(len(images)) for question in questions
    ]
    return [verdict.probability for verdict in model.p_yes(model.encode(images), asks)]


def _answers_as_published(
    network: Any, processor: Any, images: Sequence[Image], questions: Sequence[str]
) -> list[float]:
    """P(yes), image by image; two tokens for each answer, "yes" and its end."""
    yes, no = (word_tokens(processor.tokenizer, word) for word in ("yes", "no"))
    answers = []
    for image in images:
        for question in questions:
            inputs = processor(images=image, text=question, return_tensors="pt")
            output = network.generate(
                **inputs.to(network.device),
                max_new_tokens=2,
                do_sample=False,
                return_dict_in_generate=True,
                output_logits=True,
            )
            logits = output.logits[0][0].float()
            answers.append((logits[yes].logsumexp(0) - logits[no].logsumexp(0)).sigmoid().item())
    return answers


def growth(
    model: VisionLanguageModel, images: Sequence[Image], questions: Sequence[str]
) -> dict[int, float]:
    """Number of images -> seconds to answer about them here: one, a third of them, all."""
    counts = sorted({1, max(1, len(images) // 3), len(images)})
    return {n: timed(partial(answers_here, model, images[:n], questions))[0] for n in counts}


def peak_memory() -> float:
    """The most memory this process has held, in GB: of the accelerator where it has one."""
    import torch

    if torch.cuda.is_available():
        return float(torch.cuda.max_memory_allocated() / 1e9)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
