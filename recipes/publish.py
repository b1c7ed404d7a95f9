"""Finished trainings as the checkpoints of the project, each with its card."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch

from recipes.cards import write_card

CHECKPOINTS = Path("assets/checkpoints")
STICKER_ART = "scenes of the sticker world, drawn with Fluent emoji (Microsoft, MIT)"
ICON_ART = (
    "scenes of the icon world, drawn with Fluent emoji (Microsoft), Huge Icons, Phosphor and "
    "Tabler (MIT), Noto Emoji, Material Design Icons, Material Symbols and IconPark (Apache-2.0), "
    "Lucide Lab (ISC) and icons of game-icons.net by Lorc, Delapouite and others (CC BY 3.0)"
)
SEED = 0


@dataclass(frozen=True)
class CheckpointMetadata:
    """What a card says that no file knows."""

    commands: tuple[str, ...]
    states: tuple[str, ...]
    """The run's states, whose clocks add up."""
    limits: tuple[str, ...]
    data: str = STICKER_ART


CHECKPOINT_METADATA: Mapping[str, CheckpointMetadata] = {
    "sticker-diffusion": CheckpointMetadata(
        (
            "autoencoder",
            "text-to-image",
            "pipeline",
            "text-to-image --last-phase",
            "pipeline --text-to-image runs/text-to-image-whole/finished "
            "--target runs/whole-teacher",
            "distil --last-phase",
        ),
        (
            "autoencoder/together.pt",
            "autoencoder/state.pt",
            "text-to-image/reading/state.pt",
            "text-to-image/state.pt",
            "text-to-image-whole/reading/state.pt",
            "text-to-image-whole/state.pt",
            "distillation-whole/state.pt",
        ),
        (
            "Draws the 48 things of the world and nothing else, 128 x 128.",
            "It has seen every composition: figures of held-out ones are of the model before.",
            "Order, size and state left open are always the same: first named, first placed, large "
            "and, of an umbrella, open.",
            "Distilled to four steps without guidance; it has learned no other steps or guidance.",
            "Small things are soft; a thing of one colour in the world seldom takes another.",
        ),
    ),
    "icon-diffusion": CheckpointMetadata(
        (
            "autoencoder --world icons",
            "text-to-image --world icons --steps 6200",
            "pipeline --autoencoder runs/icons-autoencoder/finished "
            "--text-to-image runs/icons-text-to-image/finished --target runs/icons-teacher",
            "text-to-image --world icons --last-phase",
            "pipeline --autoencoder runs/icons-autoencoder/finished --text-to-image "
            "runs/icons-text-to-image-whole/finished --target runs/icons-whole-teacher",
            "distil --world icons --last-phase",
        ),
        (
            "icons-autoencoder/state.pt",
            "icons-text-to-image/reading/state.pt",
            "icons-text-to-image/state.pt",
            "icons-text-to-image-whole/reading/state.pt",
            "icons-text-to-image-whole/state.pt",
            "icons-distillation-whole/state.pt",
        ),
        (
            "Draws the 156 things of the icon world and nothing else, 128 x 128.",
            "Small things are soft, and of thin parts (fork, wine glass) little is left.",
            "It has seen every composition, those of GenEval's prompts among them.",
            "Distilled to eight steps without guidance; it has learned no other steps or guidance.",
            "Made in several trainings (recipes/LOG.md); the time is that of the last ones only. "
            "The command does all in one and comes near it.",
        ),
        ICON_ART,
    ),
    "icon-vlm": CheckpointMetadata(
        (
            "vlm",
            "vlm --world icons --steps 3351",
            "generated-pictures",
            "generated-pictures --world icons",
            "vlm-last-phase",
        ),
        (
            "sticker-vlm/see/state.pt",
            "sticker-vlm/name/state.pt",
            "sticker-vlm/answer/state.pt",
            "icons-vlm/see/state.pt",
            "icons-vlm/name/state.pt",
            "icons-vlm/answer/state.pt",
            "icons-vlm-whole/heads/state.pt",
            "icons-vlm-whole/state.pt",
        ),
        (
            "Knows pictures of icons and stickers only; on photographs its answers mean nothing.",
            "It has seen every composition: figures of held-out ones are of the model before.",
            "Made in several runs (recipes/LOG.md); the command does all in one and comes near it.",
        ),
        ICON_ART,
    ),
    "sticker-clip": CheckpointMetadata(
        ("clip",),
        ("sticker-clip/state.pt",),
        ("Trained by contrast of random scenes: swapped colours and positions look alike to it.",),
    ),
}

RUNS = {
    "sticker-diffusion": "distillation-whole",
    "icon-diffusion": "icons-distillation-whole",
    "icon-vlm": "icons-vlm-whole",
}
"""Checkpoint -> the run that ends in it, where that has another name."""


def publish(name: str, runs: Path) -> Path:
    """Put a finished run where the app looks for it; the checkpoint there stays until then.

    Raises:
        FileNotFoundError: the run is not finished.
    """
    target = CHECKPOINTS / name
    finished = runs / RUNS.get(name, name) / "finished"
    if not finished.is_dir():
        raise FileNotFoundError(f"{finished} is not there: {name} is not trained to its end")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(finished, target)
    for tokenizer in target.rglob("tokenizer.json"):
        content = json.loads(tokenizer.read_text(encoding="utf-8"))
        compact = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        tokenizer.write_text(compact, encoding="utf-8")
    return target


def certify(name: str, runs: Path) -> Path:
    """Write the card of a published run; its figures come with `python -m recipes figures`."""
    metadata = CHECKPOINT_METADATA[name]
    clocks = [torch.load(runs / state, weights_only=True)["seconds"] for state in metadata.states]
    return write_card(
        CHECKPOINTS / name,
        command=" && ".join(f"OMP_NUM_THREADS=1 python -m recipes {c}" for c in metadata.commands),
        seed=SEED,
        data=metadata.data,
        licence="Apache-2.0",
        quality={},
        limits=metadata.limits,
        wall_time_s=sum(clocks),
    )
