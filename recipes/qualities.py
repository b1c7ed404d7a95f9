"""What the output of `python -m benchmarks stickers` says of each checkpoint, for its card."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.stickers.prompts import KINDS
from generation import find_model
from recipes.cards import Figure

DIFFUSION, VLM, CLIP = "sticker-diffusion", "icon-vlm", "icon-clip"


FIGURES: tuple[tuple[str, str, str, str], ...] = (
    ("yes or no, balanced|kind:all|", VLM, "type-C balanced accuracy", "pictures"),
    ("free answer right|kind:all|", VLM, "free answers exact", "pictures"),
    ("AUC|method:vq2|changed:all|", VLM, "VQ2 ROC AUC", "pictures"),
    ("AUC|method:vnli|changed:all|", VLM, "VNLI ROC AUC", "pictures"),
    ("AUC|method:clip|changed:all|", CLIP, "ROC AUC", "pictures"),
    ("pointed|changed:all|", VLM, "weakest pair is about the changed word", "foils"),
    ("decibels|", DIFFUSION, "autoencoder, dB", "pictures"),
    *(
        (f"generated right|kind:{each}|", DIFFUSION, f"{each}: correct", "prompts")
        for each in KINDS
    ),
)
"""How a signature begins, on which card the number goes, what it is called there, of what."""
DIGITS = {"autoencoder, dB": 2}
"""After the point, where that is not four."""


def qualities(measured: Mapping[str, Any]) -> dict[str, dict[str, Figure]]:
    """Checkpoint -> its figures; each names the split it was measured on.

    Args:
        measured: the JSON line; what `--only` left out of it is on no card. Of other pictures than
            those of stickers the evaluators and the autoencoder have figures.

    Raises:
        ValueError: the figures are of another bundle, or of other steps or guidance.
    """
    if measured["bundle"] != "embedded":
        raise ValueError(f"cards are of the bundle embedded, these figures of {measured['bundle']}")
    if {"steps", "guidance"} & {*measured}:
        raise ValueError("cards are of a model's own steps and guidance, these figures of others")
    found: dict[str, dict[str, Figure]] = {}
    split = measured["split"]
    if "pictures" in measured:
        split += f" of {Path(measured['pictures']).parent.name}"
    models = {DIFFUSION: Path(find_model(measured["model"]).source).name}
    for begins, role, name, unit in FIGURES:
        if "pictures" in measured and unit == "prompts":
            continue
        checkpoint = models.get(role, role)
        for each in measured["numbers"]:
            if each["signature"].startswith(begins):
                bounds = each["value"], each["low"], each["high"], each["units"]
                figure = Figure(*bounds, unit, each.get("chance"))
                card = found.setdefault(checkpoint, {})
                card[f"{split}: {name}"] = figure.rounded(DIGITS.get(name, 4))
    return found
