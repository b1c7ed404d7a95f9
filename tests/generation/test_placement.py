"""How a pipeline is placed, on twins: what a GPU is asked for is asked of the CPU here.

No GPU is needed to see that each pipeline can be loaded straight to a device, that its components
can take turns, and that what is kept in 4 bits is there; how much memory that saves is not seen.
"""

import dataclasses
import importlib.util
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import diffusers
import numpy as np
import pytest
import torch

import hub
from generation import MODELS, SamplingProgress, load_pipeline
from generation.loading import _folder, _index, _read
from generation.memory import images_at_once, make_room, quantization
from tests.generation.conftest import Decoded, Twin, pixels
from tests.generation.test_twins import OFFERED, two_images
from tests.twins.facts import text_to_image_facts

IN_4_BITS = [name for name, spec in MODELS.items() if spec.quantized]
CLASSES = {text_to_image_facts(name).pipeline["_class_name"]: name for name in OFFERED}
"""Pipeline class -> a model that is one."""
SLOW = pytest.mark.hub
"""For `make test-hub`."""
ROUNDING = 2
"""Grey levels."""


def components(name: str) -> set[str]:
    """The components of a model that have weights."""
    return {part for part, each in text_to_image_facts(name).components.items() if each.weights}


def differ(first: SamplingProgress, second: SamplingProgress) -> int:
    """By how many grey levels images differ at most."""
    return int(np.abs(pixels(first) - pixels(second)).max())


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, id=kind, marks=[] if kind == "StableDiffusionPipeline" else SLOW)
        for kind, name in CLASSES.items()
    ],
)
def test_however_a_pipeline_is_placed_it_generates_the_same_images(name: str, twin: Twin):
    spec = twin(name)
    index = _index(spec)
    folder = _folder(spec, index)
    plain, in_turns = (
        _read(spec, index, folder, "cpu", "float32", whole=whole) for whole in (True, False)
    )
    kind = getattr(diffusers, index["_class_name"])
    options = {"dtype": torch.float32, "variant": spec.variant, "device_map": "cpu"}
    straight = kind.from_pretrained(folder, **options)
    images = two_images(spec, plain)
    hooked = {part for part in components(name) if hasattr(getattr(in_turns, part), "_hf_hook")}
    assert hooked == components(name) - {*kind._exclude_from_cpu_offload}
    assert differ(images, two_images(spec, in_turns)) <= ROUNDING
    assert straight.hf_device_map == "cpu"
    assert differ(images, two_images(spec, straight.to("cpu"))) <= ROUNDING


@pytest.mark.parametrize(("free", "expected"), [(16.0, True), (12.0, False), (6.0, None)])
def test_where_a_gpu_is_too_small_for_all_components_they_take_turns(
    free: float, expected: bool | None, monkeypatch: pytest.MonkeyPatch
):
    """SDXL takes 13.2 GB as a whole, its largest component 11.4 GB with what it works on."""
    room = {"cuda": int(free * 1e9), "cpu": 64 * 10**9}
    for place_of in (hub, hub.loaded):
        monkeypatch.setattr(place_of, "make_room", lambda need, device: room[device])
    monkeypatch.setattr(hub, "free_memory", room.__getitem__)
    short = pytest.raises(hub.MemoryShortError) if expected is None else nullcontext()
    with short:
        assert make_room(MODELS["sdxl"], "cuda", "float16") is expected


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_cpu_convolves_in_half_precision_with_channels_last(twin: Twin, dtype: str):
    pipeline = load_pipeline(dataclasses.replace(twin("sd-1.5"), cpu_dtype=dtype), "cpu")
    for part in (pipeline.vae.decoder, pipeline.unet):
        last = part.conv_in.weight.is_contiguous(memory_format=torch.channels_last)
        assert last == (dtype == "bfloat16")


@pytest.mark.parametrize(
    ("name", "free", "together"),
    [
        ("sd-1.5", 30.0, 9),
        ("sd-1.5", 7.0, 5),
        ("sd-1.5", 0.5, 1),
        ("sdxl", 12.0, 2),
        ("qwen-image", 80.0, 1),
    ],
)
def test_as_many_images_go_together_as_there_is_memory_to_decode_at_once(
    name: str, free: float, together: int, monkeypatch: pytest.MonkeyPatch
):
    """Decoding one of 512 pixels takes 1.3 GB; of Qwen-Image each takes long and is shown."""
    monkeypatch.setattr(hub, "free_memory", lambda _: int(free * 1e9))
    assert images_at_once(MODELS[name], "cuda") == together
    assert images_at_once(MODELS[name], "cpu") == images_at_once(MODELS[name], "mps") == 1


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, id=kind, marks=[] if kind == "StableDiffusionPipeline" else SLOW)
        for kind, name in CLASSES.items()
    ],
)
def test_images_that_go_together_are_decoded_at_once_and_are_those_made_alone(
    name: str,
    twin: Twin,
    decoded_by: Callable[[Any], Decoded],
    monkeypatch: pytest.MonkeyPatch,
):
    spec = dataclasses.replace(twin(name), previews=0, cpu_dtype="float32")
    pipeline = load_pipeline(spec, "cpu")
    alone = two_images(spec, pipeline)
    shapes = decoded_by(pipeline)
    monkeypatch.setattr("generation.sampling.images_at_once", lambda *_: 2)
    assert differ(alone, two_images(spec, pipeline)) <= ROUNDING
    assert [images for images, *_ in shapes] == [2]
    assert not pipeline.vae.use_slicing


@pytest.mark.parametrize("name", IN_4_BITS)
def test_what_is_kept_in_4_bits_are_components_with_weights(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    """The configuration is made by the installed libraries, which refuse arguments they lack."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda package: package)
    config: Any = quantization(MODELS[name])
    plain = name.removesuffix("-4bit")
    assert set(config.components_to_quantize) <= components(plain)
    parts = text_to_image_facts(plain).pipeline
    taken = getattr(diffusers, parts["_class_name"]).__init__.__annotations__
    assert set(config.components_to_quantize) <= set(taken)


@pytest.mark.parametrize("name", OFFERED)
def test_half_precision_files_are_asked_for_only_where_every_component_has_them(name: str):
    facts = text_to_image_facts(name)
    variant = MODELS[name].variant
    halved = {
        part
        for part in components(name)
        if any(f".{variant}" in file for file in facts.components[part].weights)
    }
    assert variant is None or halved == components(name)
