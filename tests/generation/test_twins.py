"""Every text-to-image model of the hub, on its twin: from its hub id to a grid of images."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import hub
from generation import (
    MODELS,
    GridCell,
    GridRequest,
    ModelSpec,
    SamplingProgress,
    Start,
    load_pipeline,
)
from generation.denoising import on_latents
from generation.loading import pipeline_files
from generation.preview import decoded
from generation.prompt_similarity import prompt_similarity
from generation.validation import truncated_words
from tests.generation.conftest import Twin, generate, pixels
from tests.twins.facts import (
    TEXT_TO_IMAGE,
    text_to_image_facts,
    tokenizers_of,
    tokens_read,
)
from tests.twins.hub_server import serve, use

OFFERED = [name for name, spec in MODELS.items() if not spec.embedded and not spec.quantized]


def two_images(spec: ModelSpec, pipeline: Any, prompt: str = "a red dog") -> SamplingProgress:
    return generate(GridRequest(prompt, 1, 2, 7, spec.name), pipeline, spec)


def test_every_model_that_can_be_chosen_has_a_twin():
    assert sorted(OFFERED) == sorted(TEXT_TO_IMAGE)


@pytest.mark.parametrize("name", OFFERED)
def test_a_model_is_where_the_catalogue_says_and_asks_for_consent_where_it_says(name: str):
    facts, spec = text_to_image_facts(name), MODELS[name]
    assert (spec.source, spec.gated) == (facts.id, facts.gated)
    assert spec.safety == bool(facts.pipeline.get("safety_checker", [None])[0])


@dataclasses.dataclass(frozen=True)
class Loaded:
    """A twin, loaded by its hub id."""

    name: str
    spec: ModelSpec
    pipeline: Any
    grid: SamplingProgress
    """As the model usually generates it."""
    denoised: list[int]
    """How many images were in each forward of the denoiser."""


@pytest.fixture(scope="module", params=OFFERED)
def loaded(request: pytest.FixtureRequest, twin: Twin) -> Loaded:
    spec = twin(request.param)
    pipeline = load_pipeline(spec, "cpu")
    denoiser = getattr(pipeline, "unet", None) or pipeline.transformer
    images: list[int] = []

    def count(_: object, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        images.append(len(given[0] if given else named["hidden_states"]))

    with denoiser.register_forward_pre_hook(count, with_kwargs=True):
        grid = two_images(spec, pipeline)
    return Loaded(request.param, spec, pipeline, grid, images)


def test_a_model_is_loaded_by_its_hub_id_as_the_class_of_its_index(loaded: Loaded):
    facts = text_to_image_facts(loaded.name)
    assert type(loaded.pipeline).__name__ == facts.pipeline["_class_name"]


def test_it_generates_images_that_differ_by_seed_and_prompt(loaded: Loaded):
    images = pixels(loaded.grid)
    assert images.shape == (2, 64, 64, 3)
    assert np.abs(images[0] - images[1]).max() > 2
    owls = two_images(loaded.spec, loaded.pipeline, "nine blue owls")
    assert not np.array_equal(images, pixels(owls))


def test_the_denoiser_runs_as_often_for_an_image_as_its_entry_says(loaded: Loaded):
    """Twice a step with guidance, but for one that reads it; Qwen-Image runs for each apart."""
    assert sum(loaded.denoised) == sum(cell.denoised.passes for cell in loaded.grid.cells)
    assert {*loaded.denoised} == {1 if loaded.name == "qwen-image" else loaded.spec.passes}


def test_a_guidance_that_is_asked_for_reaches_the_images(loaded: Loaded):
    if not loaded.spec.takes_guidance:
        pytest.skip(f"{loaded.name} was made to do without")
    stronger = dataclasses.replace(loaded.spec, guidance=2 * loaded.spec.guidance)
    assert not np.array_equal(pixels(loaded.grid), pixels(two_images(stronger, loaded.pipeline)))


LEFT = np.array([[True, False]])


def test_what_is_held_of_an_image_is_its_own_whatever_the_model(loaded: Loaded):
    def cell(seed: int, **more: Any) -> GridCell:
        request = GridRequest("a red dog", 1, 1, seed, loaded.name)
        return generate(request, loaded.pipeline, loaded.spec, **more).cells[0]

    first = cell(7)
    again = cell(8, start=Start(first.denoised, ((8, 1.0),), LEFT))
    one, other = first.denoised.latents, again.denoised.latents
    kept = (1 - on_latents(LEFT, one)).bool().expand_as(one)
    assert torch.equal(one[kept], other[kept])
    assert not torch.equal(one[~kept], other[~kept])
    assert again.denoised.levels == first.denoised.levels
    if one.ndim == 4:
        (image,) = decoded(loaded.pipeline, one)
        assert np.abs(np.asarray(image, float) - np.asarray(first.image, float)).mean() < 1
    assert again.denoised.passes == first.denoised.passes


READS = {
    "CLIPTokenizer": 77 - 2,
    "GemmaTokenizerFast": 300,
    "T5TokenizerFast": 256 - 1,
    "Qwen2Tokenizer": 512,
    "Qwen2TokenizerFast": 512,
}


def test_a_long_prompt_is_read_as_far_as_the_longest_encoder_reads(loaded: Loaded):
    """One-token words for CLIP, letters for the small tokenizers of T5 and Qwen3."""
    kinds = tokenizers_of(loaded.name)
    tokens, call = max(READS[kind] for kind in kinds), loaded.spec.call
    assert tokens_read(loaded.name) - 2 <= tokens <= tokens_read(loaded.name)
    assert truncated_words("a red dog and two owls", loaded.pipeline, call) == ()
    if kinds == {"CLIPTokenizer"}:
        assert len(truncated_words("dog " * 250, loaded.pipeline, call)) == 250 - tokens
    else:
        assert truncated_words("x" * tokens, loaded.pipeline, call) == ()
        assert truncated_words("x " * 2 * tokens, loaded.pipeline, call) != ()


def test_short_texts_are_padded_as_each_clip_encoder_was_trained(loaded: Loaded):
    """Zeros for those of SD 2 and for the second one of SDXL and SD 3, else the end of the text."""
    for part in ("tokenizer", "tokenizer_2"):
        tokenizer = getattr(loaded.pipeline, part, None)
        if type(tokenizer).__name__ == "CLIPTokenizer":
            zeros = part == "tokenizer_2" or loaded.name in {"sd-2.1", "sd-turbo"}
            ids = tokenizer("a red apple", padding="max_length", max_length=77).input_ids
            assert ids[:5] == [49406, 320, 736, 3055, 49407]
            assert set(ids[5:]) == {0 if zeros else 49407}


def test_prompts_compare_in_every_text_encoder(loaded: Loaded):
    assert prompt_similarity("a cat", "a cat", loaded.pipeline) == pytest.approx(1, abs=1e-3)
    assert prompt_similarity("a cat", "two blue dogs", loaded.pipeline) < 0.9999


@pytest.mark.parametrize("name", OFFERED)
def test_what_is_downloaded_is_what_diffusers_would_download(name: str, twin: Twin, tmp_path: Path):
    """The weights once, in the variant where there is one, and no single-file checkpoints."""
    from diffusers import DiffusionPipeline

    spec = twin(name)
    snapshot = hub.fetch(str(spec.source))
    names = [path.relative_to(snapshot).as_posix() for path in snapshot.rglob("*.*")]
    ours = pipeline_files(names, text_to_image_facts(name).pipeline, spec.variant)
    with serve(snapshot.parents[2]) as server, pytest.MonkeyPatch.context() as patch:
        use(server.endpoint, tmp_path, patch)
        theirs = Path(DiffusionPipeline.download(spec.source, variant=spec.variant))
    assert weights(ours) == weights(
        path.relative_to(theirs).as_posix() for path in theirs.rglob("*.*")
    )
    assert spec.variant is None or any(spec.variant in each for each in ours)


def weights(names: Any) -> set[str]:
    return {name for name in names if name.endswith((".safetensors", ".bin"))}
