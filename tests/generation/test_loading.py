import dataclasses
import time
from collections import OrderedDict
from pathlib import Path

import pytest

import hub
from generation import (
    MODELS,
    CheckpointMissingError,
    ModelSpec,
    ModelUnavailableError,
    load_pipeline,
)
from hub import BrokenCopyError, HubUnreachableError, MemoryShortError
from tests.generation.conftest import Twin


def test_a_cpu_gets_the_dtype_the_model_has_for_it(tiny_pipeline: ModelSpec):
    import torch

    brief = dataclasses.replace(tiny_pipeline, cpu_dtype="bfloat16")
    exact = dataclasses.replace(tiny_pipeline, cpu_dtype="float32")
    assert load_pipeline(exact, "cpu").unet.dtype == torch.float32
    assert load_pipeline(brief, "cpu").unet.dtype == torch.bfloat16


def test_a_missing_checkpoint_is_answered_with_the_recipe_that_makes_it(tmp_path: Path):
    spec = dataclasses.replace(MODELS["stickers"], source=tmp_path / "nowhere")
    with pytest.raises(CheckpointMissingError, match=r"recipes distil --last-phase` makes"):
        load_pipeline(spec)


def test_a_model_that_needs_its_safety_checker_is_not_used_without_one(tiny_pipeline: ModelSpec):
    with pytest.raises(ModelUnavailableError, match="tiny came without its safety checker"):
        load_pipeline(dataclasses.replace(tiny_pipeline, safety=True))


def test_a_hub_model_out_of_reach_is_refused_at_once_and_embedded_ones_are_named():
    began = time.monotonic()
    with pytest.raises(HubUnreachableError, match=r"sd-turbo is on .* choose an embedded model"):
        load_pipeline(without_its_memory("sd-turbo"))
    assert time.monotonic() - began < 3


def without_its_memory(name: str) -> ModelSpec:
    """The model, taken for one that fits anywhere."""
    return dataclasses.replace(MODELS[name], parameters=0)


def test_a_broken_copy_is_told_from_a_hub_out_of_reach(twin: Twin):
    spec = twin("bk-sdm-tiny")
    weights = hub.fetch(str(spec.source)) / "unet" / "diffusion_pytorch_model.fp16.safetensors"
    whole = weights.read_bytes()
    try:
        weights.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(BrokenCopyError, match="hf cache rm model/nota-ai/bk-sdm-tiny"):
            load_pipeline(spec, "cpu")
    finally:
        weights.write_bytes(whole)


def test_a_model_larger_than_the_memory_is_refused_with_both_numbers(
    twin: Twin, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("hub.loaded._loaded", OrderedDict())  # the models of other tests stay
    vast = dataclasses.replace(twin("sd-turbo"), parameters=9000.0)
    with pytest.raises(MemoryShortError, match=r"sd-turbo needs \d+\.\d GB .* and \d+\.\d GB are"):
        load_pipeline(vast, "cpu")


def test_a_model_in_4_bits_says_that_it_needs_a_gpu(twin: Twin):
    four_bits = dataclasses.replace(twin("flux.2-klein"), quantized=("transformer",))
    with pytest.raises(ModelUnavailableError, match=r"needs a CUDA GPU.* choose flux\.2-klein$"):
        load_pipeline(four_bits, "cpu")
