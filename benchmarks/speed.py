"""How many seconds does each stage of a grid take, and how much faster are questions answered here?

Everything is warm: each stage has run once before it is timed.

Then ten yes/no questions are put to each image in two ways by a BLIP-2 of base size with random
weights: here, where an image is encoded once and its questions go together; and the way published
code does it, one `generate` for each question with the image encoded each time. The two take turns
image by image, so that whatever else the machine does slows both; their answers are held side by
side.

It takes about two minutes on a CPU.

For example:

    python -m benchmarks speed
    python -m benchmarks speed --rows 1 --columns 2 --width 256 --layers 2
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

import typer
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from alignment.evaluation import evaluate
from alignment.models.adapters import adapter_of
from alignment.models.loading import Models
from alignment.models.spec import Templates
from alignment.models.vlm import ImageQuestion, VisionLanguageModel, word_tokens
from benchmarks import options as given
from benchmarks.data.numbers import blank_table
from generation import (
    GridRequest,
    ModelSpec,
    find_model,
    load_pipeline,
    sample,
    validate_request,
)

PROMPT = "a black apple and a green backpack"
QUESTIONS = tuple(
    f"is {answer} true for what color is the {thing} ? in this image ?"
    for thing in ("apple", "backpack")
    for answer in ("black", "green", "red", "pink", "yellow")
)
"""Predicates as VQ2 puts them."""
TEMPLATE = "Question: {question} Answer:"
MARKS = list("?:,.abcdefghijklmnopqrstuvwxyz")

Result = TypeVar("Result")


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

    def __str__(self) -> str:
        """Both ways, side by side."""
        return (
            f"{self.questions} questions about each of {self.images} images by a random BLIP-2: "
            f"{self.here_s:.2f} s here, {self.published_s:.2f} s with one generate for each "
            f"question ({self.ratio:.1f} times as long); P(yes) differs by "
            f"{self.difference:.1e} at most."
        )


def main(
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    prompt: Annotated[str, typer.Option(help="What the grid shows.")] = PROMPT,
    rows: Annotated[int, typer.Option(min=1, help="Of the grid.")] = 3,
    columns: Annotated[int, typer.Option(min=1, help="Of the grid.")] = 3,
    width: Annotated[
        int, typer.Option(min=64, help="Of the random BLIP-2, a multiple of 64.")
    ] = 768,
    layers: Annotated[int, typer.Option(min=1, help="Of each of its three parts.")] = 12,
) -> None:
    """Print the tables, then one JSON line."""
    request = GridRequest(prompt, rows, columns)
    validate_request(request)
    models, console = Models(given.bundle_with(bundle, role or ())), Console()
    generating, images = generate(request, find_model(request.model))
    stages = stage_seconds(request.prompt, images, request.rows, request.columns, models)
    seconds = {"generate": generating, **stages}
    console.print(_stage_table(request, seconds))
    network, processor = random_blip2(QUESTIONS, width, layers)
    model = VisionLanguageModel(adapter_of(network, processor), Templates(question=TEMPLATE))
    compared = compare(network, processor, model, images, QUESTIONS)
    console.print(str(compared))
    answering = {**asdict(compared), "ratio": compared.ratio}
    signed = f"blip-2|random|width:{width}|layers:{layers}|side:224"
    print(json.dumps({"seconds": seconds, "signature": signed, "answering": answering}))


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds, and what the work gave."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def generate(request: GridRequest, spec: ModelSpec) -> tuple[float, list[Image]]:
    """Seconds of a warm generating, and its images."""
    pipeline = load_pipeline(spec)

    def whole() -> list[Image]:
        *_, last = sample(request, pipeline, spec)
        return [cell.image for cell in last.cells]

    whole()
    return timed(whole)


def stage_seconds(
    prompt: str, images: Sequence[Image], rows: int, columns: int, models: Models
) -> Mapping[str, float]:
    """Seconds of each stage of a warm evaluation."""
    stages = (stage for _ in range(2) for stage in evaluate(prompt, images, rows, columns, models))
    reports = [stage.report for stage in stages if stage.report]
    return reports[-1].timings


def _stage_table(request: GridRequest, seconds: Mapping[str, float]) -> Table:
    """The seconds of each stage, and together."""
    title = f"Seconds of a warm {request.rows} x {request.columns} grid"
    table = blank_table(title, "stage", "seconds")
    for stage, taken in {**seconds, "together": sum(seconds.values())}.items():
        table.add_row(stage, f"{taken:.2f}")
    return table


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
