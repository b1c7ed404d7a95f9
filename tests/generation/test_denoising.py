"""Going on from an image: every pipeline, embedded or of the hub, by one implementation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from generation import MODELS, GridCell, GridRequest, ModelSpec, Start, load_pipeline, sample
from generation.denoising import on_latents
from generation.preview import decoded
from tests.generation.conftest import Twin

OFFERED = [name for name, spec in MODELS.items() if not spec.embedded and not spec.quantized]
LEFT = np.array([[True, False]])


def generated(spec: ModelSpec, pipeline: Any, prompt: str, seed: int, **more: Any) -> GridCell:
    *_, last = sample(GridRequest(prompt, 1, 1, seed, spec.name), pipeline, spec, **more)
    (cell,) = last.cells
    return cell


@pytest.fixture(scope="module")
def stickers() -> tuple[ModelSpec, Any]:
    spec = MODELS["stickers"]
    return spec, load_pipeline(spec, "cpu")


@pytest.mark.parametrize("name", OFFERED)
def test_what_is_held_of_an_image_is_its_own_whatever_the_model(name: str, twin: Twin):
    spec = twin(name)
    pipeline = load_pipeline(spec, "cpu")
    first = generated(spec, pipeline, "a red dog", 7)
    assert first.denoised is not None
    start = Start(first.denoised, ((8, 1.0),), LEFT)
    again = generated(spec, pipeline, "a red dog", 8, start=start)
    assert again.denoised is not None
    kept = (1 - on_latents(LEFT, first.denoised.latents)).bool().expand_as(first.denoised.latents)
    one, other = first.denoised.latents, again.denoised.latents
    assert torch.equal(one[kept], other[kept])
    assert not torch.equal(one[~kept], other[~kept])
    assert again.denoised.levels == first.denoised.levels
    if one.ndim == 4:
        (image,) = decoded(pipeline, one)
        assert np.abs(np.asarray(image, float) - np.asarray(first.image, float)).mean() < 1
    assert again.denoised.passes == first.denoised.passes


def test_pixels_outside_the_region_stay_nearly_as_they_are(stickers: tuple[ModelSpec, Any]):
    spec, pipeline = stickers
    first = generated(spec, pipeline, "a red apple and a blue chair", 7)
    assert first.denoised is not None
    start = Start(first.denoised, ((8, 1.0),), LEFT)
    again = generated(spec, pipeline, "a green duck and a blue chair", 8, start=start)
    change = np.abs(np.asarray(first.image, float) - np.asarray(again.image, float)).mean((0, 2))
    assert change[80:].max() < 4, "grey levels, a quarter of the image's width from the region"
    assert change[:56].mean() > 4


def test_beginning_with_the_noise_of_its_own_seed_gives_the_same_image(
    stickers: tuple[ModelSpec, Any],
):
    spec, pipeline = stickers
    first = generated(spec, pipeline, "a red apple", 7)
    assert first.denoised is not None
    again = generated(spec, pipeline, "a red apple", 7, start=Start(first.denoised, ((7, 1.0),)))
    assert np.array_equal(np.asarray(first.image), np.asarray(again.image))


def test_mixed_noise_has_the_variance_of_one(stickers: tuple[ModelSpec, Any]):
    spec, pipeline = stickers
    first = generated(spec, pipeline, "a red apple", 7)
    assert first.denoised is not None
    mixed = Start(first.denoised, ((7, 0.9), (8, 0.436))).latents()
    assert float(mixed.std()) == pytest.approx(1, abs=0.05)


def test_an_estimate_is_nearer_to_the_image_than_its_noisy_latents(
    stickers: tuple[ModelSpec, Any],
):
    spec, pipeline = stickers
    last = generated(spec, pipeline, "a red apple", 7)
    steps = sample(GridRequest("a red apple", 1, 1, 7), pipeline, spec, estimates=frozenset({2}))
    shown = [each.previews[0].image for each in steps if each.previews]
    assert len(shown) == 1
    change = np.abs(np.asarray(shown[0], float) - np.asarray(last.image, float)).mean()
    assert change < 16


def test_closing_at_an_estimate_makes_no_further_step(stickers: tuple[ModelSpec, Any]):
    spec, pipeline = stickers
    calls = []
    hook = pipeline.unet.register_forward_hook(lambda *_: calls.append(1))
    steps = sample(GridRequest("a red apple", 1, 1, 7), pipeline, spec, estimates=frozenset({2}))
    next(each for each in steps if each.previews)
    steps.close()
    *_, last = sample(GridRequest("a red apple", 1, 1, 7), pipeline, spec)  # waits for its turn
    hook.remove()
    assert len(calls) == 2 + 4
    assert last.cells
