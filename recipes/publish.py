"""Finished trainings as the checkpoints of the project, each with its card."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import torch

from recipes.cards import write_card

CHECKPOINTS = Path("assets/checkpoints")
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
        "icons-distillation-whole",
    ),
    "icon-vlm": ("sticker-vlm", "icons-vlm", "icons-vlm-whole"),
    "icon-clip": ("icon-clip",),
    "sticker-t5": ("sticker-t5",),
}
"""Checkpoint -> the folders of its runs, whose clocks add up; it is what the last one ends in."""


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
    for tokenizer in target.rglob("tokenizer.json"):
        content = json.loads(tokenizer.read_text(encoding="utf-8"))
        compact = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        tokenizer.write_text(compact, encoding="utf-8")
    return write_card(target, known, seconds)
