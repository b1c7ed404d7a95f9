"""Finished trainings as the checkpoints of the project, and their figures for its cards."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from benchmarks.stickers.prompts import KINDS
from generation import find_model
from recipes.cards import CHECKPOINTS, Figure, write_card
from recipes.synonyms import teach_clip

RUNS = {
    "sticker-diffusion": (
        "autoencoder",
        "text-to-image",
        "text-to-image-whole",
        "distillation-whole",
    ),
    "icon-diffusion": (
        "icons-autoencoder",
        "icons-text-to-image",
        "icons-text-to-image-whole",
    ),
    "icon-vlm": ("sticker-vlm", "icons-vlm", "icons-vlm-whole"),
    "icon-clip": ("icon-clip",),
    "sticker-t5": ("sticker-t5",),
}
"""Checkpoint -> the folders of its runs, whose clocks add up; it is what the last one ends in."""
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


def publish(name: str, runs: Path, *, further: bool = False) -> Path:
    """Put a finished run where the app looks for it; the checkpoint there stays until then.

    Its card keeps what no file knows: command, data, licence, limits. Figures come with
    `python -m recipes figures` and `t5-accuracy --card`.

    Args:
        further: whether the last run began with the checkpoint that is there, whose clock goes on;
            the states of the runs before it are not needed then.

    Returns:
        The card.

    Raises:
        FileNotFoundError: a run is not there or not finished, or the checkpoint has had no card.
    """
    target, own = CHECKPOINTS / name, [runs / run for run in RUNS[name]]
    finished = own[-1] / "finished"
    if not finished.is_dir():
        raise FileNotFoundError(f"{finished} is not there: {name} is not trained to its end")
    known = json.loads((target / "card.json").read_text(encoding="utf-8"))
    own = own[-1:] if further else own
    if lost := [run for run in own if not (run / "state.pt").is_file()]:
        raise FileNotFoundError(f"{lost[0]} has no state.pt, which says how long it was trained")
    states = [file for run in own for file in run.rglob("state.pt")]
    seconds = sum(torch.load(file, weights_only=True)["seconds"] for file in states)
    seconds += known["wall_time_s"] if further else 0
    shutil.rmtree(target)
    shutil.copytree(finished, target)
    if name == CLIP:
        teach_clip(target)
    for tokenizer in target.rglob("tokenizer.json"):
        content = json.loads(tokenizer.read_text(encoding="utf-8"))
        compact = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        tokenizer.write_text(compact, encoding="utf-8")
    for config in (*target.rglob("config.json"), *target.rglob("model_index.json")):
        content = json.loads(config.read_text(encoding="utf-8"))
        content.pop("_name_or_path", None)  # a folder of the machine it was trained on
        config.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return write_card(target, known, seconds)


def qualities(measured: Mapping[str, Any]) -> dict[str, dict[str, Figure]]:
    """Checkpoint -> its figures in the output of `python -m benchmarks stickers`.

    Each names the split it was measured on.

    Args:
        measured: the JSON line of the output; what `--only` left out of it is on no card. Of other
            images than those of stickers the evaluators and the autoencoder have figures.

    Raises:
        ValueError: the figures are of another bundle, or of other steps or guidance.
    """
    if measured["bundle"] != "embedded":
        raise ValueError(f"cards are of the bundle embedded, these figures of {measured['bundle']}")
    if {"steps", "guidance"} & {*measured}:
        raise ValueError("cards are of a model's own steps and guidance, these figures of others")
    found: dict[str, dict[str, Figure]] = {}
    split = measured["split"]
    if "images" in measured:
        split += f" of {Path(measured['images']).parent.name}"
    models = {DIFFUSION: Path(find_model(measured["model"]).source).name}
    for begins, role, name, unit in FIGURES:
        if "images" in measured and unit == "prompts":
            continue
        checkpoint = models.get(role, role)
        for each in measured["numbers"]:
            if each["signature"].startswith(begins):
                bounds = each["value"], each["low"], each["high"], each["units"]
                figure = Figure(*bounds, unit, each.get("chance"))
                card = found.setdefault(checkpoint, {})
                card[f"{split}: {name}"] = figure.rounded(DIGITS.get(name, 4))
    return found
