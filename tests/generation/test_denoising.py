"""Going on from an image, by the embedded model; those of the hub do so in test_twins.py."""

from typing import Any

import numpy as np
import pytest

from generation import MODELS, GridCell, GridRequest, ModelSpec, Start, load_pipeline, sample
from tests.generation.conftest import generate

LEFT = np.array([[True, False]])


def generated(spec: ModelSpec, pipeline: Any, prompt: str, seed: int, **more: Any) -> GridCell:
    (cell,) = generate(GridRequest(prompt, 1, 1, seed, spec.name), pipeline, spec, **more).cells
    return cell


@pytest.fixture(scope="module")
def icons() -> tuple[ModelSpec, Any]:
    spec = MODELS["icons"]
    return spec, load_pipeline(spec, "cpu")


@pytest.fixture(scope="module")
def apple(icons: tuple[ModelSpec, Any]) -> GridCell:
    return generated(*icons, "a red apple", 7)


def test_pixels_outside_the_region_stay_nearly_as_they_are(icons: tuple[ModelSpec, Any]):
    spec, pipeline = icons
    first = generated(spec, pipeline, "a red apple and a blue chair", 7)
    start = Start(first.denoised, ((8, 1.0),), LEFT)
    again = generated(spec, pipeline, "a green duck and a blue chair", 8, start=start)
    change = np.abs(np.asarray(first.image, float) - np.asarray(again.image, float)).mean((0, 2))
    assert change[80:].max() < 4, "grey levels, a quarter of the image's width from the region"
    assert change[:56].mean() > 4


def test_beginning_with_the_noise_of_its_own_seed_gives_the_same_image(
    icons: tuple[ModelSpec, Any], apple: GridCell
):
    again = generated(*icons, "a red apple", 7, start=Start(apple.denoised, ((7, 1.0),)))
    assert np.array_equal(np.asarray(apple.image), np.asarray(again.image))


def test_mixed_noise_has_the_variance_of_one(apple: GridCell):
    mixed = Start(apple.denoised, ((7, 0.9), (8, 0.436))).latents()
    assert float(mixed.std()) == pytest.approx(1, abs=0.05)


def test_an_estimate_is_nearer_to_the_image_than_its_noisy_latents(
    icons: tuple[ModelSpec, Any], apple: GridCell
):
    spec, pipeline = icons
    steps = sample(GridRequest("a red apple", 1, 1, 7), pipeline, spec, estimates=frozenset({4}))
    shown = [each.previews[0].image for each in steps if each.previews]
    assert len(shown) == 1
    change = np.abs(np.asarray(shown[0], float) - np.asarray(apple.image, float)).mean()
    assert change < 16


def test_closing_at_an_estimate_makes_no_further_step(icons: tuple[ModelSpec, Any]):
    spec, pipeline = icons
    calls = []
    hook = pipeline.unet.register_forward_hook(lambda *_: calls.append(1))
    steps = sample(GridRequest("a red apple", 1, 1, 7), pipeline, spec, estimates=frozenset({4}))
    next(each for each in steps if each.previews)
    steps.close()
    *_, last = sample(GridRequest("a red apple", 1, 1, 7), pipeline, spec)  # waits for its turn
    hook.remove()
    assert len(calls) == 4 + 8
    assert last.cells
