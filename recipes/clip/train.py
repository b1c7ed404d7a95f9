"""Pictures and captions become a small CLIP in open_clip's form, trained by contrast alone.

A teacher asks its patches what they show, so that it sees quickly; it is thrown away at the end.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from recipes.training import Schedule, fit, mixed_precision
from recipes.vlm.train import photograph
from recipes.world.captions import describe, salt, write_caption
from recipes.world.patches import LABELS, patch_loss
from recipes.world.scenes import Scene, sample_scene
from recipes.world.word_tokenizers import kept_clip_tokenizer, world_words

LENGTH = 48
"""Most tokens of a text."""


@dataclass(frozen=True)
class ClipSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/sticker-clip")
    width: int = 128
    layers: int = 4
    batch: int = 96
    schedule: Schedule = Schedule(steps=700, lr=1.2e-3, warmup=60, ema=0.99, floor=0.02)


def model_config(settings: ClipSettings, tokenizer: Any) -> dict[str, Any]:
    """The model part of `open_clip_config.json`."""
    return {
        "embed_dim": settings.width,
        "vision_cfg": {
            "image_size": 128,
            "patch_size": 16,
            "width": settings.width,
            "layers": settings.layers,
            "head_width": 32,
        },
        "text_cfg": {
            "context_length": LENGTH,
            "vocab_size": len(tokenizer),
            "width": settings.width,
            "heads": settings.width // 32,
            "layers": 3,
            "hf_tokenizer_name": "sticker-clip",
            "pool_type": "eos",
            "eos_id": tokenizer.eos_token_id,
        },
    }


class Pupil(nn.Module):
    """The CLIP and the teacher of its patches."""

    def __init__(self, settings: ClipSettings, tokenizer: Any) -> None:
        from open_clip import CLIP

        super().__init__()
        config = model_config(settings, tokenizer)
        config["text_cfg"].pop("hf_tokenizer_name")
        self.clip = CLIP(**config)
        self.teacher = nn.Linear(settings.width, LABELS)
        self.patches: Tensor | None = None
        self.clip.visual.transformer.register_forward_hook(self._remember)

    def _remember(self, module: nn.Module, inputs: Any, output: Tensor) -> None:
        self.patches = output[:, 1:]


def _caption(rng: np.random.Generator, scene: Scene) -> str:
    caption = write_caption(rng, describe(rng, scene, terse=0.1), formal=0.1)
    return salt(rng, caption.text)


def _losses(
    pupil: Pupil, tokenizer: Any, settings: ClipSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    scenes = [sample_scene(rng) for _ in range(settings.batch)]
    texts = [_caption(rng, scene) for scene in scenes]
    tokens = tokenizer(
        texts, padding="max_length", truncation=True, max_length=LENGTH, return_tensors="pt"
    ).input_ids
    with mixed_precision():
        seen, said, scale = pupil.clip(photograph(rng, scenes), tokens)
        taught = pupil.teacher(pupil.patches)
    logits = scale.clamp(max=100) * seen.float() @ said.float().T
    own = torch.arange(len(scenes))
    contrast = functional.cross_entropy(logits, own) + functional.cross_entropy(logits.T, own)
    return {"contrast": contrast / 2, "patch": 0.3 * patch_loss(taught.float(), scenes)}


def train(settings: ClipSettings) -> Path:
    """Train the CLIP.

    Returns:
        The folder that open_clip loads as `local-dir:`.
    """
    torch.manual_seed(settings.schedule.seed)
    tokenizer = kept_clip_tokenizer(world_words(), LENGTH, settings.run / "tokenizer")
    pupil = Pupil(settings, tokenizer)
    fit(
        pupil,
        lambda rng: _losses(pupil, tokenizer, settings, rng),
        settings.schedule,
        settings.run,
    )
    return export(pupil, tokenizer, settings, settings.run / "finished")


def export(pupil: Pupil, tokenizer: Any, settings: ClipSettings, folder: Path) -> Path:
    """Write the folder: configuration, weights in half precision, tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {k: v.half().contiguous() for k, v in pupil.clip.state_dict().items()}
    save_file(weights, folder / "open_clip_model.safetensors")
    half = {"mean": [0.5] * 3, "std": [0.5] * 3, "interpolation": "bilinear"}
    config = {
        "model_cfg": model_config(settings, tokenizer),
        "preprocess_cfg": {**half, "resize_mode": "squash"},
    }
    (folder / "open_clip_config.json").write_text(json.dumps(config, indent=2) + "\n")
    tokenizer.save_pretrained(folder)
    return folder


def main(run: Path = ClipSettings.run, steps: int = ClipSettings.schedule.steps) -> None:
    """Train sticker-clip."""
    settings = ClipSettings(run=run)
    print(train(replace(settings, schedule=replace(settings.schedule, steps=steps))))


if __name__ == "__main__":
    typer.run(main)
