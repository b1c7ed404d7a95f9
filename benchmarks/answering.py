"""How much faster are questions about images answered here, and what is kept of an image for it?

Ten yes/no questions are put to images in two ways, by models of four families, of base size with
random weights: here, where an image is read once and its questions go together; and the way
published code does it, one `generate` for each question with the image read each time. The two take
turns image by image, and their answers are held side by side.

On a CPU its seconds are counted, which other work lengthens less than those of the clock; with one
thread (`OMP_NUM_THREADS=1`) none of them waits for another. It takes about eight minutes there.

For example:

    python -m benchmarks answering
    python -m benchmarks answering --images 1 --width 256 --layers 2
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, TypeVar

import typer
from PIL.Image import Image

from alignment.models.adapters import adapter_of
from alignment.models.spec import Templates
from alignment.models.token_rows import in_chat
from alignment.models.vlm import ImageQuestion, VisionLanguageModel, word_tokens
from benchmarks.data.numbers import Number, brief, pivot, publish
from benchmarks.data.random_vlms import FAMILIES, random_vlm
from benchmarks.true_size import noise

QUESTIONS = tuple(
    f"is {answer} true for what color is the {thing} ? in this image ?"
    for thing in ("apple", "backpack")
    for answer in ("black", "green", "red", "pink", "yellow")
)
"""Predicates as VQ2 puts them."""
TEMPLATES = {
    "blip-2": Templates(question="Question: {question} Answer:"),
    "paligemma": Templates(question="<image>answer en {question}"),
}
"""Family -> how it is asked, where not by the question alone."""

Result = TypeVar("Result")


def main(
    images: Annotated[int, typer.Option(min=1, help="That questions are put to.")] = 3,
    side: Annotated[int, typer.Option(min=32, help="Of the square images, in pixels.")] = 512,
    width: Annotated[int, typer.Option(min=64, help="Of the models, a multiple of 64.")] = 768,
    layers: Annotated[int, typer.Option(min=1, help="Of each of their parts.")] = 12,
) -> None:
    """Print the table, then one JSON line."""
    shown = [noise(side, seed) for seed in range(images)]
    numbers = [
        Number(name, {"family": family, "images": images, "width": width, "layers": layers}, value)
        for family in FAMILIES
        for name, value in compare(family, shown, width, layers).items()
    ]
    title = f"{len(QUESTIONS)} questions to each of {images} images, random weights"
    publish("answering", [pivot(title, numbers, ["family"], "name", brief)], numbers)


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds, of the CPU where there is no GPU, and what the work gave."""
    import torch

    clock = time.perf_counter if torch.cuda.is_available() else time.process_time
    start = clock()
    result = work()
    return clock() - start, result


def compare(
    family: str,
    images: Sequence[Image],
    width: int,
    layers: int,
    questions: Sequence[str] = QUESTIONS,
) -> dict[str, float]:
    """Answer in both ways, turn by turn; the first image is answered once more to warm up.

    Returns:
        Seconds with each image read once and its questions together; seconds with one `generate`
        for each question, the image read each time; how many times longer that takes; the largest
        difference of two P(yes); what is kept of one image for its questions, in 10^6 bytes.

    Args:
        family: of `FAMILIES`.
        images: at least one.
        width: of all parts of the network.
        layers: of each part.
        questions: to be answered by yes or no, at least one.
    """
    templates = TEMPLATES.get(family, Templates(question="{question}"))
    spoken = [templates.question.format(question=question) for question in questions]
    network, processor = random_vlm(family, spoken, width, layers)
    model = VisionLanguageModel(adapter_of(network, processor), templates)
    ways = (
        partial(answers_here, model, questions=questions),
        partial(answers_as_published, network, processor, questions=spoken),
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
    here_s, published_s = (sum(seconds for seconds, _ in each) for each in (here, published))
    return {
        "s here": here_s,
        "s published": published_s,
        "times": published_s / here_s,
        "P(yes) differs": max(differences),
        "MB kept of an image": kept_bytes(model, images[0], questions[0]) / 1e6,
    }


def kept_bytes(model: VisionLanguageModel, image: Image, question: str) -> int:
    """What is kept of an image once a question about it was answered."""
    (seen,) = model.encode([image])
    model.p_yes([seen], [ImageQuestion(0, question)])
    tensors = (getattr(seen, "features", seen), *getattr(seen, "levels", ()))
    return int(sum(each.nbytes for each in tensors) + getattr(model.family, "nbytes", 0))


def answers_here(
    model: VisionLanguageModel, images: Sequence[Image], questions: Sequence[str]
) -> list[float]:
    """P(yes), image by image; each image is encoded once."""
    asks = [
        ImageQuestion(image, question) for image in range(len(images)) for question in questions
    ]
    return [verdict.probability for verdict in model.p_yes(model.encode(images), asks)]


def answers_as_published(
    network: Any, processor: Any, images: Sequence[Image], questions: Sequence[str]
) -> list[float]:
    """P(yes), image by image; two tokens for each answer, "yes" and its end."""
    yes, no = (word_tokens(processor.tokenizer, word) for word in ("yes", "no"))
    answers = []
    for image in images:
        for question in questions:
            text = in_chat(processor, question) if processor.chat_template else question
            inputs = processor(images=image, text=text, return_tensors="pt")
            inputs.pop("labels", None)
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
