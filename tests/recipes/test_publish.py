"""What the benchmark measured comes onto the card of the checkpoint that earned it."""

from __future__ import annotations

from recipes.publish import CHECKPOINT_METADATA, qualities

MEASURED = {
    "split": "development",
    "answers": {"all": {"balanced_accuracy": 0.98765, "exact": 0.96}},
    "captions": {name: {"auc": 0.9} for name in ("vq2", "vnli", "clip", "mean")},
    "pointed": {"share": 0.99},
    "generated": {"one": 0.95, "two": 0.5},
    "decibels": 32.104,
}


def test_each_figure_is_on_the_card_of_its_checkpoint() -> None:
    found = qualities(MEASURED)
    assert found["sticker-diffusion"] == {
        "development: autoencoder, dB": 32.1,
        "development: one: correct": 0.95,
        "development: two: correct": 0.5,
    }
    assert found["sticker-vlm"]["development: type-C balanced accuracy"] == 0.9877
    assert found["sticker-clip"] == {"development: ROC AUC": 0.9}


def test_nothing_measured_leaves_every_card_without_figures() -> None:
    assert qualities({}) == {name: {} for name in CHECKPOINT_METADATA}
