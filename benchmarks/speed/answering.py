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


TEMPLATE = "Question: {question} Answer:"
MARKS = list("?:,.abcdefghijklmnopqrstuvwxyz")


def random_blip2(
    questions: Sequence[str], width: int = 768, layers: int = 12, side: int = 224
) -> tuple[Any, Any]:
    """A network and its processor; as given, ViT-B/14, a BERT-base Q-Former and a T5 base inside.

    Args:
        questions: what its tokenizer reads word by word.
        width: of all three parts, a multiple of 64.
        layers: of each part.
        side: of the images, in pixels, a multiple of 14.
    """
    import torch
    from transformers import Blip2Config, Blip2ForConditionalGeneration

    processor = _processor(questions, side)
    parts = {"hidden_size": width, "intermediate_size": 4 * width, "num_hidden_layers": layers}
    parts["num_attention_heads"] = width // 64
    config = Blip2Config(
        vision_config={**parts, "image_size": side, "patch_size": 14, "initializer_range": 0.02},
        qformer_config={**parts, "encoder_hidden_size": width},
        text_config=_t5(width, layers),
        num_query_tokens=processor.num_query_tokens,
        image_token_index=processor.tokenizer.convert_tokens_to_ids("<image>"),
    )
    torch.manual_seed(0)
    network = Blip2ForConditionalGeneration(config).eval()
    return network.to("cuda" if torch.cuda.is_available() else "cpu"), processor


def _processor(questions: Sequence[str], side: int) -> Any:
    from transformers import Blip2Processor, BlipImageProcessor, T5Tokenizer

    words = {word for text in (TEMPLATE, "yes no", *questions) for word in text.split()}
    pieces = ["<pad>", "</s>", "<unk>", *sorted(f"▁{word}" for word in words), "▁", *MARKS]
    tokenizer = T5Tokenizer(vocab=[(piece, -1.0) for piece in pieces], extra_ids=0)
    images = BlipImageProcessor(size={"height": side, "width": side})
    return Blip2Processor(images, tokenizer, num_query_tokens=32)


def _t5(width: int, layers: int) -> dict[str, Any]:
    """As Flan-T5 base has it, its 32,128 words included."""
    return {
        "model_type": "t5",
        "vocab_size": 32128,
        "d_model": width,
        "d_ff": width * 8 // 3,
        "num_layers": layers,
        "num_heads": width // 64,
        "feed_forward_proj": "gated-gelu",
        "decoder_start_token_id": 0,
        "pad_token_id": 0,
        "eos_token_id": 1,
    }
