import dataclasses
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from threading import enumerate as running_threads
from typing import Any

import numpy as np
import pytest
import torch

from generation import (
    MODELS,
    GridRequest,
    InvalidRequestError,
    ModelSpec,
    ModelUnavailableError,
    SamplingProgress,
    UnknownModelError,
    load_pipeline,
    sample,
)
from generation.preview import decoded, preview
from hub import MemoryShortError
from tests.generation.conftest import Decoded, generate, pixels
from tests.tiny_pipelines import save_stable_diffusion

REQUEST = GridRequest("a red dog", rows=1, columns=3, seed=7, model="tiny")


@pytest.fixture(scope="module")
def pipeline(tiny_pipeline: ModelSpec) -> Any:
    return load_pipeline(tiny_pipeline)


def test_a_grid_has_an_image_of_the_asked_size_for_every_cell(pipeline: Any, tiny_pipeline):
    grid = generate(REQUEST, pipeline, tiny_pipeline)
    assert [(cell.cell, cell.seed) for cell in grid.cells] == [(0, 7), (1, 8), (2, 9)]
    assert {cell.image.size for cell in grid.cells} == {(32, 32)}
    assert not any(cell.filtered for cell in grid.cells)


def test_different_seeds_give_different_images(pipeline: Any, tiny_pipeline: ModelSpec):
    first, second, third = pixels(generate(REQUEST, pipeline, tiny_pipeline))
    assert np.abs(first - second).max() > 2
    assert np.abs(second - third).max() > 2


def test_a_cell_made_again_alone_shows_the_same_image(pipeline: Any, tiny_pipeline: ModelSpec):
    """Within one grey level: a batch of one rounds differently from a batch of two."""
    alone = GridRequest("a red dog", rows=1, columns=1, seed=8, model="tiny")
    again = pixels(generate(alone, pipeline, tiny_pipeline))[0]
    assert np.abs(again - pixels(generate(REQUEST, pipeline, tiny_pipeline))[1]).max() <= 1


def test_the_prompt_and_the_guidance_reach_the_image(pipeline: Any, tiny_pipeline: ModelSpec):
    one = pixels(generate(REQUEST, pipeline, tiny_pipeline))
    other = dataclasses.replace(REQUEST, prompt="nine blue owls")
    unguided = dataclasses.replace(tiny_pipeline, guidance=0.0)
    assert not np.array_equal(one, pixels(generate(other, pipeline, tiny_pipeline)))
    assert not np.array_equal(one, pixels(generate(REQUEST, pipeline, unguided)))


def test_every_step_is_reported_and_cells_appear_batch_by_batch(pipeline: Any, tiny_pipeline):
    """Three cells in batches of two, four steps each, one preview half-way."""
    seen = [
        (progress.step, len(progress.cells), [cell.cell for cell in progress.previews])
        for progress in sample(REQUEST, pipeline, tiny_pipeline)
    ]
    assert seen == [
        (1, 0, []),
        (2, 0, [0, 1]),
        (3, 0, [0, 1]),
        (4, 0, [0, 1]),
        (4, 2, []),
        (5, 2, []),
        (6, 2, [2]),
        (7, 2, [2]),
        (8, 2, [2]),
        (8, 3, []),
    ]


def test_a_preview_has_the_seed_and_the_size_of_its_cell(pipeline: Any, tiny_pipeline: ModelSpec):
    progress = next(item for item in sample(REQUEST, pipeline, tiny_pipeline) if item.previews)
    assert [cell.seed for cell in progress.previews] == [7, 8]
    assert progress.previews[0].image.size == (32, 32)


def test_previews_are_not_decoded_but_by_a_map_that_is_fitted_once_to_a_few_small_images(
    tiny_pipeline: ModelSpec, decoded_by: Callable[[Any], Decoded]
):
    pipeline = load_pipeline(tiny_pipeline)
    shapes = decoded_by(pipeline)
    for _ in range(2):
        found = [item for item in sample(REQUEST, pipeline, tiny_pipeline) if item.previews]
        assert len(found) == 6
    (fitting,) = (shape for shape in shapes if shape[0] == 4)
    assert fitting == (4, 4, 8, 8)
    assert len(shapes) == 1 + 2 * 2


def test_a_fitted_map_shows_what_the_images_will_be():
    """On the embedded autoencoder, by its own decoder."""
    spec = MODELS["stickers"]
    pipeline = load_pipeline(spec, "cpu")
    request = GridRequest("a red apple and a blue chair", 2, 2, 7, spec.name)
    for cell in generate(request, pipeline, spec).cells:
        (shown,) = preview(spec, pipeline, cell.denoised.latents)
        both = [np.asarray(each.resize((16, 16)), float).ravel() for each in (shown, cell.image)]
        assert np.corrcoef(both)[0, 1] > 0.9


def test_a_pipeline_without_a_step_callback_or_guidance_is_reported_batch_by_batch(
    pipeline: Any, tiny_pipeline: ModelSpec
):
    class Plain(type(pipeline)):  # type: ignore[misc]
        def __call__(self, **given: Any) -> Any:
            assert not {"callback_on_step_end", "guidance_scale"} & given.keys()
            return super().__call__(**given)

    plain = Plain(**pipeline.components, requires_safety_checker=False)
    plain.set_progress_bar_config(disable=True)
    seen = [(each.step, len(each.cells)) for each in sample(REQUEST, plain, tiny_pipeline)]
    assert seen == [(4, 2), (8, 3)]


def test_a_decoder_that_leaves_the_range_of_float16_decodes_in_single_precision(
    tiny_pipeline: ModelSpec,
):
    pipeline = load_pipeline(tiny_pipeline)
    latents = torch.randn(1, 4, 16, 16)
    expected = np.asarray(decoded(pipeline, latents)[0], float)
    vae, seen = pipeline.vae.half(), []
    vae.decoder.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0].dtype))
    assert np.abs(np.asarray(decoded(pipeline, latents)[0], float) - expected).mean() < 1
    assert seen == [torch.float32]
    assert vae.dtype == torch.float16


def pipelines() -> list[Thread]:
    return [thread for thread in running_threads() if thread.name.startswith("text-to-image model")]


def test_closing_stops_the_generating_between_steps(pipeline: Any, tiny_pipeline: ModelSpec):
    endless = dataclasses.replace(tiny_pipeline, steps=1000)
    progress = sample(REQUEST, pipeline, endless)
    assert next(progress).step == 1
    progress.close()
    deadline = time.monotonic() + 5
    while pipelines() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not pipelines()


def test_after_a_stop_the_pipeline_generates_as_before(pipeline: Any, tiny_pipeline: ModelSpec):
    before = pixels(generate(REQUEST, pipeline, tiny_pipeline))
    stopped = sample(REQUEST, pipeline, tiny_pipeline)
    next(stopped)
    stopped.close()
    assert np.array_equal(before, pixels(generate(REQUEST, pipeline, tiny_pipeline)))


def test_two_who_ask_at_once_both_get_their_own_images(pipeline: Any, tiny_pipeline: ModelSpec):
    other = dataclasses.replace(REQUEST, prompt="nine blue owls", seed=70)
    expected = [pixels(generate(request, pipeline, tiny_pipeline)) for request in (REQUEST, other)]
    progress = [sample(request, pipeline, tiny_pipeline) for request in (REQUEST, other)]
    last: list[SamplingProgress] = list(list(zip(*progress, strict=True))[-1])
    for item, grid in zip(last, expected, strict=True):
        assert np.array_equal(pixels(item), grid)


def test_what_goes_wrong_while_generating_reaches_the_reader(
    pipeline: Any, tiny_pipeline: ModelSpec
):
    crooked = dataclasses.replace(tiny_pipeline, size=33)
    with pytest.raises(ValueError, match="divisible by"):
        list(sample(REQUEST, pipeline, crooked))


def test_a_bad_request_is_refused_before_anything_is_generated(pipeline: Any, tiny_pipeline):
    with pytest.raises(InvalidRequestError):
        sample(dataclasses.replace(REQUEST, rows=7), pipeline, tiny_pipeline)


def test_a_request_for_another_model_is_refused(pipeline: Any, tiny_pipeline: ModelSpec):
    with pytest.raises(UnknownModelError, match="no model 'stickers'; known: tiny"):
        sample(dataclasses.replace(REQUEST, model="stickers"), pipeline, tiny_pipeline)


@pytest.mark.parametrize("verdict", [True, False])
def test_images_the_safety_checker_blacks_out_are_marked(
    tmp_path: Path, tiny_pipeline: ModelSpec, verdict: bool
):
    save_stable_diffusion(tmp_path, checker_verdict=verdict)
    guarded = dataclasses.replace(tiny_pipeline, source=tmp_path, safety=True)
    grid = generate(REQUEST, load_pipeline(guarded), guarded)
    assert [cell.filtered for cell in grid.cells] == [verdict] * 3
    assert (pixels(grid).max() == 0) == verdict


@contextmanager
def room_for(images: int, pipeline: Any) -> Iterator[None]:
    """A denoiser that runs out of memory over more images, each with and without the prompt."""
    import torch

    def check(_: Any, inputs: tuple[Any, ...]) -> None:
        if len(inputs[0]) > 2 * images:
            raise torch.OutOfMemoryError

    hook = pipeline.unet.register_forward_pre_hook(check)
    yield
    hook.remove()


def test_a_batch_that_memory_is_too_short_for_is_halved(pipeline: Any, tiny_pipeline: ModelSpec):
    spec = dataclasses.replace(tiny_pipeline, batch=3)
    expected = pixels(generate(REQUEST, pipeline, spec))
    with room_for(1, pipeline):
        progress = list(sample(REQUEST, pipeline, spec))
    assert np.abs(pixels(progress[-1]) - expected).max() <= 1
    assert progress[-1].step == progress[-1].steps == 12


def test_where_not_even_one_image_fits_a_sentence_says_so(pipeline: Any, tiny_pipeline: ModelSpec):
    with room_for(0, pipeline), pytest.raises(MemoryShortError, match="one image of 32 x 32"):
        list(sample(REQUEST, pipeline, tiny_pipeline))


def test_each_cell_of_a_completed_request_is_given_its_own_prompt(
    pipeline: Any, tiny_pipeline: ModelSpec
):
    request = GridRequest("a red car", 1, 3, seed=3, model="tiny", completion=True)
    assert len({request.given(seed) for seed in request.seeds}) == 3
    together = pixels(generate(request, pipeline, dataclasses.replace(tiny_pipeline, batch=3)))
    for cell, seed in enumerate(request.seeds):
        said = GridRequest(request.given(seed), 1, 1, seed, "tiny")
        alone = pixels(generate(said, pipeline, tiny_pipeline))[0]
        assert np.abs(together[cell] - alone).max() <= 1


def test_a_model_that_computes_no_numbers_gives_an_error_and_no_black_image(
    pipeline: Any, tiny_pipeline: ModelSpec
):
    with torch.no_grad():
        weight = pipeline.unet.conv_out.weight
        kept = weight.clone()
        weight.fill_(torch.inf)
    try:
        with pytest.raises(ModelUnavailableError, match="computes no numbers in float32 on cpu"):
            list(sample(REQUEST, pipeline, tiny_pipeline))
    finally:
        with torch.no_grad():
            weight.copy_(kept)


def test_on_a_cpu_a_model_of_the_hub_generates_one_image_at_a_time(
    pipeline: Any, tiny_pipeline: ModelSpec
):
    spec = dataclasses.replace(tiny_pipeline, source="somebody/model", batch=3)
    steps = [len(each.cells) for each in sample(REQUEST, pipeline, spec)]
    assert {*range(REQUEST.size + 1)} == {*steps}
