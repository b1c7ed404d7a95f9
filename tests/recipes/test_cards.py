"""What the benchmark measured comes onto the card of the checkpoint that earned it."""

import json
from pathlib import Path

import pytest

from recipes.cards import Figure, write_figures
from recipes.publish import qualities

CHECKPOINTS = Path(__file__).parents[2] / "assets" / "checkpoints"


def number(
    signature: str, value: float, low: float, high: float, units: int = 420
) -> dict[str, object]:
    return {"signature": signature, "value": value, "low": low, "high": high, "units": units}


JUDGED = number("yes or no, balanced|kind:all|asked:9", 0.98765, 0.985, 0.99) | {"chance": 0.5}
CLIP = number("AUC|method:clip|changed:all|n:420", 0.9, 0.88, 0.92) | {"chance": 0.5}
GENERATED = number("generated right|kind:one|prompts:one coloured thing", 0.95, 0.888, 0.978, 100)
DECIBELS = number("decibels|n:420", 32.104, 31.9, 32.3)
OTHERS = [
    number("yes or no, balanced|kind:colour|asked:3", 0.9, 0.8, 1.0),
    {"signature": "AUC|method:clip|changed:colour|n:9", "value": 0.5},
]
NUMBERS = [JUDGED, CLIP, GENERATED, DECIBELS, *OTHERS]
MEASURED = {
    "split": "development",
    "bundle": "embedded",
    "model": "stickers",
    "numbers": NUMBERS,
}


def test_each_figure_is_on_the_card_of_its_checkpoint() -> None:
    found = qualities(MEASURED)
    assert found["sticker-diffusion"] == {
        "development: autoencoder, dB": Figure(32.1, 31.9, 32.3, 420, "pictures"),
        "development: one: correct": Figure(0.95, 0.888, 0.978, 100, "prompts"),
    }
    judged = found["icon-vlm"]["development: type-C balanced accuracy"]
    assert judged == Figure(0.9877, 0.985, 0.99, 420, "pictures", chance=0.5)
    clip = {"development: ROC AUC": Figure(0.9, 0.88, 0.92, 420, "pictures", chance=0.5)}
    assert found["icon-clip"] == clip


def test_of_other_images_the_evaluators_and_the_autoencoder_asked_for_have_figures() -> None:
    others = {"model": "icons", "images": "runs/icon-images/test"}
    found = qualities({**MEASURED, **others})
    assert [*found] == ["icon-vlm", "icon-clip", "icon-diffusion"]
    assert [*found["icon-diffusion"]] == ["development of icon-images: autoencoder, dB"]


@pytest.mark.parametrize(
    ("other", "told"), [({"bundle": "small"}, "small"), ({"steps": 8}, "steps")]
)
def test_figures_of_another_bundle_or_other_steps_are_on_no_card(
    other: dict[str, object], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        qualities({**MEASURED, **other})


def test_what_was_not_measured_is_on_no_card() -> None:
    assert [*qualities({**MEASURED, "numbers": [DECIBELS, *OTHERS]})] == ["sticker-diffusion"]


def test_a_figure_that_is_measured_again_replaces_its_own_and_nothing_else(tmp_path: Path) -> None:
    old = {"seed": 3, "quality": {"a": {"value": 1.0}, "b": {"value": 2.0}}}
    (tmp_path / "card.json").write_text(json.dumps(old))
    write_figures(tmp_path, {"b": Figure(2.5, 2.0, 3.0, 9, "prompts")})
    card = json.loads((tmp_path / "card.json").read_text())
    again = {"value": 2.5, "low": 2.0, "high": 3.0, "n": 9, "unit": "prompts"}
    assert card == {"seed": 3, "quality": {"a": {"value": 1.0}, "b": again}}


@pytest.mark.parametrize("folder", sorted(CHECKPOINTS.iterdir()), ids=lambda folder: folder.name)
def test_every_figure_of_a_card_has_its_n_and_an_interval_around_it(folder: Path) -> None:
    quality = json.loads((folder / "card.json").read_text())["quality"]
    assert quality
    for name, each in quality.items():
        assert each["low"] <= each["value"] <= each["high"], name
        assert each["n"] >= 50, name
        assert each["unit"], name
