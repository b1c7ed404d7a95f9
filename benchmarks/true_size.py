"""How much memory, and how long, do scoring models of the hub take at their true size?

Each model is built from its true configuration with random weights, in a process of its own, and
encodes pictures of noise through the code that scores grids; nothing is downloaded. Memory is the
peak of that process, with what it was before the model was built beside it. Without NAMES all
models are measured, which takes some 15 minutes on a CPU.

For example:

    python -m benchmarks true_size
    python -m benchmarks true_size clip-vit-l-14 siglip2-so400m --pictures 5
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

import typer
from PIL import Image as PillowImage
from PIL.Image import Image

from benchmarks.data.numbers import Number, brief, pivot, publish
from benchmarks.data.random_vlms import smolvlm_processor
from session.errors import DataError

QUESTION = "Does this image entail the description: a black apple? Answer yes or no."
SMOLVLM_500M: Mapping[str, Any] = MappingProxyType(
    {
        "scale_factor": 4,
        "tie_word_embeddings": False,
        "text_config": {
            "model_type": "llama",
            "hidden_size": 960,
            "intermediate_size": 2560,
            "num_hidden_layers": 32,
            "num_attention_heads": 15,
            "num_key_value_heads": 5,
            "vocab_size": 49280,
            "max_position_embeddings": 8192,
        },
        "vision_config": {
            "hidden_size": 768,
            "intermediate_size": 3072,
            "num_hidden_layers": 12,
            "num_attention_heads": 12,
            "image_size": 512,
            "patch_size": 16,
        },
    }
)
"""SmolVLM2-500M: SmolLM2 360M behind SigLIP base, 507 M weights, 2.03 GB in single precision."""
BATCH = 8
"""Pictures that are encoded at once, to see what each of them takes."""


Dtype: TypeAlias = Literal["float32", "bfloat16"]


Run = tuple[Any, Callable[[Sequence[Image]], Any], Callable[[Any], Any] | None]
"""A network, what encodes pictures with it, and what asks about them."""


def _open_clip_run(architecture: str, dtype: Any) -> Run:
    """A model of open_clip, by its name there."""
    import open_clip

    from alignment.models.clip import OpenClip

    network, _, preprocess = open_clip.create_model_and_transforms(architecture, pretrained=None)
    network = network.to(dtype).eval()
    model = OpenClip(network, lambda image: preprocess(image).to(dtype), None)
    return network, model.encode, None


def _blip2_tower_run(dtype: Any) -> Run:
    """The EVA tower of BLIP-2, 39 layers of width 1408, as its processor feeds it."""
    import torch
    from transformers import Blip2VisionConfig, Blip2VisionModel, BlipImageProcessor

    config = Blip2VisionConfig(initializer_range=0.02)
    network = Blip2VisionModel(config).to(dtype).eval()
    processor = BlipImageProcessor(size={"height": 224, "width": 224})

    def encode(images: Sequence[Image]) -> Any:
        pixels = processor(list(images), return_tensors="pt")["pixel_values"].to(dtype)
        with torch.inference_mode():
            return network(pixels).last_hidden_state

    return network, encode, None


def _smolvlm_run(dtype: Any, tiles: int) -> Run:
    """SmolVLM2-500M behind its adapter; a picture becomes at most tiles x tiles tiles."""
    from transformers import SmolVLMConfig, SmolVLMForConditionalGeneration

    from alignment.models.adapters import adapter_of
    from alignment.models.spec import Templates
    from alignment.models.vlm import ImageQuestion, VisionLanguageModel

    processor = smolvlm_processor([QUESTION], tiles)
    image = processor.tokenizer.convert_tokens_to_ids("<image>")
    config = SmolVLMConfig(**SMOLVLM_500M, image_token_id=image, pad_token_id=0)
    network = SmolVLMForConditionalGeneration(config).to(dtype).eval()
    model = VisionLanguageModel(adapter_of(network, processor), Templates())

    def ask(features: Any) -> Any:
        return model.p_yes(features, [ImageQuestion(0, QUESTION)])

    return network, model.encode, ask


MODELS: Mapping[str, Callable[[Any], Run]] = MappingProxyType(
    {
        "clip-vit-b-32": lambda dtype: _open_clip_run("ViT-B-32", dtype),
        "clip-rn50x64": lambda dtype: _open_clip_run("RN50x64-quickgelu", dtype),
        "clip-vit-l-14": lambda dtype: _open_clip_run("ViT-L-14-quickgelu", dtype),
        "siglip2-so400m": lambda dtype: _open_clip_run("ViT-SO400M-14-SigLIP2", dtype),
        "blip2-tower": _blip2_tower_run,
        "smolvlm2-500m": lambda dtype: _smolvlm_run(dtype, 1),
        "smolvlm2-500m-tiled": lambda dtype: _smolvlm_run(dtype, 4),
    }
)
"""What can be measured; the last one cuts pictures into 4 x 4 tiles and a view of the whole."""


def measure(name: str, dtype: str, count: int, side: int) -> dict[str, float]:
    """Build a model in this process, then encode `count` pictures after a first one.

    Returns:
        Its weights; memory of the process before it was built, libraries included; the most memory
        that it ever had, one picture at a time; what each picture of a batch takes beyond the
        first; seconds to encode one picture, the mean over those after the first; where questions
        are asked, seconds of one about an encoded picture.
    """
    import open_clip  # noqa: F401  the memory of the libraries is not the model's
    import torch
    import transformers  # noqa: F401

    start = peak_gb()
    torch.manual_seed(0)
    network, encode, ask = MODELS[name](getattr(torch, dtype))
    pictures = [noise(side, seed) for seed in range(count + 1)]
    features = encode(pictures[:1])
    began = time.perf_counter()
    for picture in pictures[1:]:
        encode([picture])
    encoding = (time.perf_counter() - began) / count
    asking = {} if ask is None else {"s a question": seconds(lambda: ask(features))}
    weights, peak = sum(each.numel() for each in network.parameters()), peak_gb()
    encode([noise(side, seed) for seed in range(BATCH)])
    more = (peak_gb() - peak) / (BATCH - 1) * 1e3
    return {
        "weights (M)": weights / 1e6,
        "before (GB)": start,
        "peak (GB)": peak,
        "MB a picture": more,
        "s a picture": encoding,
        **asking,
    }


def seconds(work: Callable[[], Any]) -> float:
    """How long it takes the second time."""
    work()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def peak_gb() -> float:
    """The most memory that this process ever had, in units of 10^9 bytes.

    On Linux `getrusage` counts what the process that started it had, too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text("ascii").split("VmHWM:")[1].split()[0]) * 1024 / 1e9
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def noise(side: int, seed: int) -> Image:
    """A square picture of random pixels."""
    import numpy as np

    pixels = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
    return PillowImage.fromarray(pixels)


def apart(*arguments: Any) -> dict[str, float]:
    """`measure` in a process that ends with it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, *arguments).result()


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help=f"Of {', '.join(MODELS)}; all without a name.")
    ] = None,
    pictures: Annotated[int, typer.Option(help="Timed ones, after a first.", min=1)] = 2,
    side: Annotated[int, typer.Option(help="Of the square pictures, in pixels.", min=32)] = 512,
    dtype: Annotated[Dtype, typer.Option(help="Number format of the weights.")] = "float32",
) -> None:
    """Print the table, then one JSON line."""
    unknown = sorted({*(names or ())} - MODELS.keys())
    if unknown:
        raise DataError(f"no model {', '.join(unknown)}; known: {', '.join(MODELS)}")
    numbers = [
        Number(what, {"model": name, "dtype": dtype, "side": side, "pictures": pictures}, value)
        for name in names or MODELS
        for what, value in apart(name, dtype, pictures, side).items()
    ]
    title = f"Pictures of {side} x {side}, random weights"
    publish("true_size", [pivot(title, numbers, ["model", "dtype"], "name", brief)], numbers)
