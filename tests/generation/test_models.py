import pytest
from typer.testing import CliRunner

from generation import MODELS, GridRequest, UnknownModelError, find_model
from generation.counted import COUNTED
from recipes.__main__ import app


def test_every_model_has_its_name_and_its_licence():
    for name, spec in MODELS.items():
        assert find_model(name).name == name
        assert spec.licence


def test_icons_is_the_default_and_stickers_needs_no_hub_either():
    assert [spec.name for spec in MODELS.values() if spec.embedded] == ["icons", "stickers"]
    assert GridRequest("a dog").model == "icons"


def test_an_unknown_model_is_answered_with_those_that_are_known():
    with pytest.raises(
        UnknownModelError, match="no model 'dall-e'; known: icons, stickers, bk-sdm"
    ):
        find_model("dall-e")


CALLED = {
    "bk-sdm-tiny": (25, 7.5, 512, "float16"),
    "sd-turbo": (1, 0.0, 512, "float16"),
    "sd-1.4": (50, 7.5, 512, "float16"),
    "sd-1.5": (50, 7.5, 512, "float16"),
    "sd-2.1": (50, 7.5, 768, "float16"),
    "sdxl": (50, 5.0, 1024, "float16"),
    "sdxl-turbo": (1, 0.0, 512, "float16"),
    "playground-v2.5": (50, 3.0, 1024, "float16"),
    "openjourney-v4": (50, 7.5, 512, "float16"),
    "lcm-dreamshaper-v7": (4, 8.0, 768, "float16"),
    "sd-3-medium": (28, 7.0, 1024, "float16"),
    "sd-3.5-medium": (40, 4.5, 1024, "bfloat16"),
    "flux.1-schnell": (4, 0.0, 1024, "bfloat16"),
    "flux.2-klein": (4, 1.0, 1024, "bfloat16"),
    "z-image-turbo": (8, 0.0, 1024, "bfloat16"),
    "z-image": (50, 4.0, 1024, "bfloat16"),
    "qwen-image": (50, 4.0, 1328, "bfloat16"),
    "sd-3.5-large": (28, 3.5, 1024, "bfloat16"),
    "sana": (20, 4.5, 1024, "bfloat16"),
}
"""Steps, guidance, side and half precision of the example on each model's card, or the defaults of
its pipeline where that has none."""


BESIDE: dict[str, dict[str, object]] = {
    "flux.1-schnell": {"max_sequence_length": 256},
    "qwen-image": {"negative_prompt": " "},
    "sana": {"use_resolution_binning": False},
}
"""Further arguments: Qwen-Image is guided away from a space, and Sana makes the size asked for."""


@pytest.mark.parametrize("name", CALLED)
def test_a_model_is_called_as_on_its_card(name: str):
    spec = MODELS[name]
    assert (spec.steps, spec.guidance, spec.size, spec.half) == CALLED[name]
    assert spec.call == BESIDE.get(name, {})


def test_of_every_model_of_the_hub_it_is_known_how_it_is_called_and_what_it_takes():
    hub = {name for name, spec in MODELS.items() if not (spec.embedded or spec.quantized)}
    assert hub == CALLED.keys() == COUNTED.keys()


def test_models_of_twenty_steps_and_more_are_shown_on_their_way_with_a_step_between():
    """But for Qwen-Image, whose latents are packed."""
    shown = {name for name, spec in MODELS.items() if spec.previews}
    slow = {name for name, spec in MODELS.items() if spec.steps >= 20}
    assert slow - shown == {"qwen-image", "qwen-image-4bit"}
    assert shown <= slow
    assert all(spec.previews < spec.steps for spec in MODELS.values())


def test_the_recipe_of_every_embedded_model_is_there():
    recipes = [spec.recipe for spec in MODELS.values() if spec.embedded]
    runner = CliRunner()
    for recipe in recipes:
        asked = runner.invoke(app, [*recipe.split()[1:], "--help"])
        assert asked.exit_code == 0, asked.output
