"""Two steps of each recipe that learns from images; what they save loads as the app loads it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage
from safetensors.torch import load_file

from alignment.models.image_models import ICON_CLIP, ICON_VLM
from alignment.models.loading import load_clip, load_vision
from alignment.models.vlm import ImageQuestion
from benchmarks.stickers.generated import LoadedGenerator
from generation import MODELS, GridRequest, load_pipeline, sample
from generation.models import CHECKPOINTS
from recipes import clip
from recipes.diffusion import autoencoder, generated_images, pipeline, text_to_image
from recipes.diffusion.generated_images import GeneratedSettings, write_set
from recipes.diffusion.guidance import Unguided
from recipes.diffusion.text_to_image import TextToImageSettings
from recipes.training import Schedule, fit
from recipes.vlm import last_phase
from recipes.vlm import train as vlm
from recipes.vlm.answered_images import read_answers, write_images
from recipes.world import domains, held_out_images
from recipes.world.art import draw
from recipes.world.domains import PRACTICE_STICKERS, STICKERS
from recipes.world.image_augmentation import add_flaws
from recipes.world.scenes import sample_scene
from tests.recipes.art import needs_art

TWO = Schedule(steps=2, lr=1e-3, warmup=1, ema=0.9)
seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def trained_autoencoder(runs: Path) -> Path:
    return autoencoder.train(
        autoencoder.AutoencoderSettings(
            run=runs / "autoencoder",
            channels=(8,) * len(autoencoder.AutoencoderSettings.channels),
            batch=1,
            together=replace(TWO, ema=0.0),
            alone=TWO,
        )
    )


@needs_art
def test_photographs_hold_every_pixel_of_the_drawn_scenes() -> None:
    rng = np.random.default_rng(0)
    scenes = [sample_scene(rng) for _ in range(3)]
    pixels = STICKERS.photographs(scenes)
    assert pixels.is_contiguous(memory_format=torch.channels_last)
    for scene, taken in zip(scenes, pixels, strict=True):
        drawn = ((taken.permute(1, 2, 0) + 1) * 127.5).round().byte().numpy()
        np.testing.assert_array_equal(drawn, np.asarray(draw(scene)))


@needs_art
def test_flaws_leave_an_image_recognisable() -> None:
    """Each flawed image is still nearest to its own scene."""
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    scenes = [sample_scene(rng) for _ in range(8)]
    flawed = add_flaws(rng, STICKERS.photographs(scenes))
    assert flawed.abs().max() <= 1
    distance = (flawed[:, None] - STICKERS.photographs(scenes)[None]).abs().mean(dim=(2, 3, 4))
    assert (distance.diagonal() > 0.005).all()
    assert distance.argmin(dim=1).tolist() == list(range(8))


@needs_art
def test_nothing_is_said_of_the_colours_of_a_grey_image() -> None:
    rng = np.random.default_rng(0)
    scenes, pixels = vlm.practice_images(rng, PRACTICE_STICKERS, 40)
    grey = [(image == image[:1]).all().item() for image in pixels]
    assert 4 < sum(grey) < 20
    said = [any(group.colour for group in scene.groups) for scene in scenes]
    assert not any(colours for colours, colourless in zip(said, grey, strict=True) if colourless)
    assert any(said)


@needs_art
def test_the_autoencoder_scales_its_latents_to_unit_deviation(trained_autoencoder: Path) -> None:
    from diffusers import AutoencoderKL

    model = AutoencoderKL.from_pretrained(trained_autoencoder)
    rng = np.random.default_rng(0)
    pixels = STICKERS.photographs([sample_scene(rng) for _ in range(16)])
    with torch.no_grad():
        latents = model.encode(pixels).latent_dist.mean * model.config.scaling_factor
    side = 128 // 2 ** (len(autoencoder.AutoencoderSettings.channels) - 1)
    assert latents.shape == (16, autoencoder.AutoencoderSettings.latents, side, side)
    assert latents.std() == pytest.approx(1, abs=0.3)


@needs_art
def test_the_second_phase_leaves_the_encoder_as_it_was(trained_autoencoder: Path) -> None:
    from diffusers import AutoencoderKL

    first, last = (
        AutoencoderKL.from_pretrained(folder).state_dict()
        for folder in (trained_autoencoder.parent / "encoder", trained_autoencoder)
    )
    changed = {name.split(".")[0] for name in first if not first[name].equal(last[name])}
    assert changed == {"decoder", "post_quant_conv"}


@pytest.fixture(scope="module")
def text_to_image_settings(trained_autoencoder: Path, runs: Path) -> TextToImageSettings:
    return TextToImageSettings(
        run=runs / "text-to-image",
        encoder=trained_autoencoder.parent / "encoder",
        scenes=4,
        text_width=64,
        text_layers=1,
        channels=(32,) * len(TextToImageSettings.channels),
        batch=2,
        reading=TWO,
        schedule=TWO,
    )


@pytest.fixture(scope="module")
def teacher(
    trained_autoencoder: Path, text_to_image_settings: TextToImageSettings, runs: Path
) -> Path:
    parts = text_to_image.train(text_to_image_settings)
    return pipeline.assemble(trained_autoencoder, parts, runs / "teacher")


def two_images(folder: Path, guidance: float) -> list[PillowImage.Image]:
    spec = replace(MODELS["stickers"], source=folder, steps=2, previews=0, guidance=guidance)
    request = GridRequest("a red apple", rows=1, columns=2, model=spec.name)
    *_, last = sample(request, load_pipeline(spec), spec)
    return [cell.image for cell in last.cells]


@needs_art
def test_text_to_image_model_and_autoencoder_make_a_pipeline(teacher: Path) -> None:
    first, second = two_images(teacher, guidance=3.0)
    assert first.size == second.size == (128, 128)
    assert first.tobytes() != second.tobytes()


@needs_art
def test_what_has_learned_to_do_without_guidance_is_a_pipeline_with_the_same_decoder(
    teacher: Path, text_to_image_settings: TextToImageSettings, runs: Path
) -> None:
    generated = replace(
        text_to_image_settings,
        run=runs / "generated",
        start=teacher,
        domain=domains.TEXT_TO_IMAGE_ICONS,
        unguided=Unguided(steps=2),
    )
    student = text_to_image.train(generated)
    first, second = two_images(student, guidance=0.0)
    assert first.tobytes() != second.tobytes()

    def changed(part: str) -> bool:
        name = "diffusion_pytorch_model.safetensors"
        before, after = (load_file(folder / part / name) for folder in (teacher, student))
        return any(not before[name].equal(after[name]) for name in before)

    assert changed("unet")
    assert not changed("vae")


@needs_art
def test_the_vlm_answers_after_its_three_phases(runs: Path) -> None:
    folder = vlm.train(
        vlm.VlmSettings(
            run=runs / "sticker-vlm",
            width=64,
            vision_layers=1,
            text_layers=1,
            images=2,
            naming="fe",
            answering="pfe",
            see=TWO,
            name=TWO,
            answer=TWO,
        )
    )
    model = load_vision(replace(ICON_VLM, source=folder))
    images = [PillowImage.new("RGB", (128, 128), name) for name in ("navy", "navy", "red")]
    features = model.encode(images)
    first, twin, other = (
        verdict.probability
        for verdict in model.p_yes(
            features, [ImageQuestion(cell, "is night true?") for cell in range(3)]
        )
    )
    assert first == pytest.approx(twin, abs=1e-6)
    assert first != pytest.approx(other, abs=1e-6)
    asked = [ImageQuestion(cell, "what animal is there?") for cell in range(2)]
    assert len(set(model.answer(features, asked))) == 1


@needs_art
def test_the_vlm_of_the_icon_world_goes_on_from_one_of_the_same_widths(runs: Path) -> None:
    start = CHECKPOINTS / "icon-vlm"
    settings = replace(vlm.SETTINGS["icons"], start=start, run=runs / "icons-vlm", images=6)
    folder = vlm.train(replace(settings, see=TWO, name=TWO, answer=TWO))
    model = load_vision(replace(ICON_VLM, source=folder))
    assert model.family.network.config.text_config.vocab_size > 1522
    features = model.encode([PillowImage.new("RGB", (128, 128), "navy")])
    (verdict,) = model.p_yes(features, [ImageQuestion(0, "is a zebra true?")])
    assert 0 < verdict.probability < 1


@needs_art
@pytest.mark.parametrize(("beside", "kept"), [(0.0, 0.0), (1.0, 1.0)], ids=["icons", "stickers"])
def test_the_last_phase_of_the_vlm_goes_on_from_the_shipped_one_and_keeps_a_share_of_it(
    runs: Path, monkeypatch: pytest.MonkeyPatch, beside: float, kept: float
) -> None:
    monkeypatch.setattr(last_phase, "BESIDE", beside)
    monkeypatch.setattr(generated_images, "AT_ONCE", 3)
    generated = write_set(GeneratedSettings(runs / "generated-images", count=3))
    settings = last_phase.LastPhaseSettings(
        start=CHECKPOINTS / "icon-vlm",
        generated=generated,
        generated_beside=generated,
        answered=write_images(
            read_answers()[:1], runs / "answered-images.pt", lambda _: LoadedGenerator.of("icons")
        ),
        run=runs / f"vlm-last-phase-{beside}",
        shares=(1, 1, 1, 1, 1),
        asked="pfe",
        heads=TWO,
        schedule=replace(TWO, kept=kept),
    )
    model = load_vision(replace(ICON_VLM, source=last_phase.train(settings)))
    seen, start = (
        next(each.family.network.model.vision_tower.parameters())
        for each in (model, load_vision(ICON_VLM))
    )
    assert torch.equal(seen, start) == bool(kept)
    features = model.encode([PillowImage.new("RGB", (128, 128), "navy")])
    (verdict,) = model.p_yes(features, [ImageQuestion(0, "is night true?")])
    assert 0 < verdict.probability < 1


@needs_art
def test_the_clip_embeds_images_and_texts_after_two_steps(runs: Path) -> None:
    folder = clip.train(
        clip.ClipSettings(run=runs / "icon-clip", width=32, layers=1, batch=4, schedule=TWO)
    )
    model = load_clip(replace(ICON_CLIP, source=folder))
    images = model.encode([PillowImage.new("RGB", (128, 128), name) for name in ("red", "navy")])
    text = model.embed_text("a red apple")
    assert images.shape == (2, 32)
    assert not torch.allclose(images[0], images[1], atol=1e-4)
    assert torch.linalg.vector_norm(text) == pytest.approx(1, abs=1e-3)
    assert model.max_tokens("a red apple") is None
    assert model.max_tokens("a red apple and " * 30) == clip.LENGTH


def test_training_that_goes_on_ends_where_undisturbed_training_ends(tmp_path: Path) -> None:
    """At a constant rate, two steps and two more are four."""
    schedule = Schedule(steps=4, lr=0.1, warmup=0, floor=1.0, ema=0.5)
    whole, resumed = line(), line()
    fit(whole, lambda rng: distance(whole, rng), schedule, tmp_path / "whole")
    fit(resumed, lambda rng: distance(resumed, rng), replace(schedule, steps=2), tmp_path / "two")
    again = line()
    fit(again, lambda rng: distance(again, rng), schedule, tmp_path / "two")
    assert again.weight.equal(whole.weight)
    assert not again.weight.equal(resumed.weight)


def test_half_of_what_a_training_begins_with_can_be_kept(tmp_path: Path) -> None:
    schedule, start = Schedule(steps=2, lr=0.1, warmup=0, ema=0.5), line().weight
    whole, half = line(), line()
    fit(whole, lambda rng: distance(whole, rng), schedule, tmp_path / "whole")
    fit(half, lambda rng: distance(half, rng), replace(schedule, kept=0.5), tmp_path / "half")
    assert not whole.weight.equal(start)
    assert torch.allclose(half.weight, (start + whole.weight) / 2)


def line() -> torch.nn.Linear:
    torch.manual_seed(0)
    return torch.nn.Linear(3, 1, bias=False)


def distance(model: torch.nn.Linear, rng: np.random.Generator) -> dict[str, torch.Tensor]:
    x = torch.from_numpy(rng.normal(size=(8, 3))).float()
    return {"square": (model(x) - x.sum(1, keepdim=True)).square().mean()}


@pytest.mark.parametrize(("step", "rate"), [(0, 0.5), (1, 1.0), (2, 1.0), (6, 0.6), (10, 0.2)])
def test_the_learning_rate_warms_up_and_falls_along_a_half_cosine(step: int, rate: float) -> None:
    schedule = Schedule(steps=10, lr=1.0, warmup=2, floor=0.2)
    assert schedule.rate(step) == pytest.approx(rate)


@given(seeds)
@settings(max_examples=10)
def test_an_example_of_the_test_set_says_of_each_kind_one_true_thing_and_one_that_nobody_would_say(
    seed: int,
) -> None:
    (example,) = held_out_images.examples(seed, 1)
    labels = Counter((asked.kind, asked.holds) for asked in example.questions)
    assert set(labels.values()) == {1}
    assert {kind for kind, holds in labels if holds} == {
        kind for kind, holds in labels if not holds
    }
    for asked in example.questions:
        if asked.kind in ("object", "colour", "state", "background"):
            assert (asked.answer.lower() in asked.accepted) == asked.holds


def test_kinds_of_foils_that_are_rare_so_far_are_preferred() -> None:
    kinds = Counter(example.changed.kind for example in held_out_images.examples(1, 40))
    assert len(kinds) == 8
    assert max(kinds.values()) <= 10
