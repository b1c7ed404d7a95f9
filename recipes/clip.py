"""Training of the CLIP of stickers, in open_clip's form.

It is contrastive, with an auxiliary loss on what its patches show, so that it learns to see sooner.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from recipes.training import Schedule, device, fit, mixed_precision
from recipes.world.captions import add_noise_word, write_caption
from recipes.world.domains import STICKERS
from recipes.world.picture_augmentation import add_flaws
from recipes.world.scenes import Scene
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


def _model_config(settings: ClipSettings, tokenizer: Any) -> dict[str, Any]:
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


class ClipWithHead(nn.Module):
    """The CLIP, and a head on its patches."""

    def __init__(self, settings: ClipSettings, tokenizer: Any) -> None:
        from open_clip import CLIP

        super().__init__()
        config = _model_config(settings, tokenizer)
        config["text_cfg"].pop("hf_tokenizer_name")
        self.clip = CLIP(**config)
        self.patch_head = nn.Linear(settings.width, STICKERS.patch_logits)
        self.patches: Tensor | None = None
        self.clip.visual.transformer.register_forward_hook(self._remember)

    def _remember(self, module: nn.Module, inputs: Any, output: Tensor) -> None:
        self.patches = output[:, 1:]


def _caption(rng: np.random.Generator, scene: Scene) -> str:
    caption = write_caption(rng, STICKERS.describe(rng, scene), STICKERS.world, formal=0.1)
    return add_noise_word(rng, caption.text)


def _losses(
    wrapper: ClipWithHead, tokenizer: Any, settings: ClipSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    scenes = [STICKERS.sample(rng, "train") for _ in range(settings.batch)]
    texts = [_caption(rng, scene) for scene in scenes]
    pixels = add_flaws(rng, STICKERS.photographs(scenes)).to(device())
    tokens = tokenizer(
        texts, padding="max_length", truncation=True, max_length=LENGTH, return_tensors="pt"
    ).input_ids.to(device())
    with mixed_precision():
        seen, said, scale = wrapper.clip(pixels, tokens)
        taught = wrapper.patch_head(wrapper.patches)
    logits = scale.clamp(max=100) * seen.float() @ said.float().T
    own = torch.arange(len(scenes), device=device())
    contrast = functional.cross_entropy(logits, own) + functional.cross_entropy(logits.T, own)
    return {"contrast": contrast / 2, "patch": 0.3 * STICKERS.patch_loss(taught.float(), scenes)}


def train(settings: ClipSettings) -> Path:
    """Train the CLIP; open_clip loads its folder as `local-dir:`."""
    torch.manual_seed(settings.schedule.seed)
    words = world_words(STICKERS.world)
    tokenizer = kept_clip_tokenizer(words, LENGTH, settings.run / "tokenizer")
    wrapper = ClipWithHead(settings, tokenizer)
    fit(
        wrapper,
        lambda rng: _losses(wrapper, tokenizer, settings, rng),
        settings.schedule,
        settings.run,
    )
    return export(wrapper, tokenizer, settings, settings.run / "finished")


def export(wrapper: ClipWithHead, tokenizer: Any, settings: ClipSettings, folder: Path) -> Path:
    """Write the folder: configuration, weights in half precision, tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {k: v.half().contiguous() for k, v in wrapper.clip.state_dict().items()}
    save_file(weights, folder / "open_clip_model.safetensors")
    half = {"mean": [0.5] * 3, "std": [0.5] * 3, "interpolation": "bilinear"}
    config = {
        "model_cfg": _model_config(settings, tokenizer),
        "preprocess_cfg": {**half, "resize_mode": "squash"},
    }
    (folder / "open_clip_config.json").write_text(json.dumps(config, indent=2) + "\n")
    tokenizer.save_pretrained(folder)
    return folder
