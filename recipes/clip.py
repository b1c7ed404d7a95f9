"""Training of the CLIP of icons, in open_clip's form.

It is contrastive: an image is to be nearer to its caption than to those of others, and nearer than
to the caption with one claim changed, after Yuksekgonul et al., "When and Why Vision-Language
Models Behave like Bags-of-Words, and What to Do About It?". With an auxiliary loss on what its
patches show it learns to see sooner.
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
from recipes.world.domains import ICONS, STICKERS_AMONG_ICONS, Domain
from recipes.world.image_augmentation import add_flaws
from recipes.world.scenes import Scene
from recipes.world.word_tokenizers import clip_tokenizer, world_words

LENGTH = 48
"""Most tokens of a text."""


BESIDE = 0.3
"""How many steps show the other look of the world."""


@dataclass(frozen=True)
class ClipSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/icon-clip")
    domain: Domain = ICONS
    beside: Domain = STICKERS_AMONG_ICONS
    """Another look of the same world, which a part of the steps show instead."""
    width: int = 128
    layers: int = 4
    batch: int = 96
    schedule: Schedule = Schedule(steps=2000, lr=1.2e-3, warmup=100, ema=0.995, floor=0.02)


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
            "hf_tokenizer_name": "icon-clip",
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
        self.patch_head = nn.Linear(settings.width, settings.domain.patch_logits)
        self.patches: Tensor | None = None
        self.clip.visual.transformer.register_forward_hook(self._remember)

    def _remember(self, module: nn.Module, inputs: Any, output: Tensor) -> None:
        self.patches = output[:, 1:]


def _captions(rng: np.random.Generator, scene: Scene, domain: Domain) -> tuple[str, str]:
    """What a scene shows, and the same with one claim changed to what training may show."""
    claim = domain.describe(rng, scene)
    wrong, _, _ = domain.distort(rng, claim)
    right, other = (write_caption(rng, each, domain.world, formal=0.1) for each in (claim, wrong))
    return add_noise_word(rng, right.text), add_noise_word(rng, other.text)


def _losses(
    wrapper: ClipWithHead, tokenizer: Any, settings: ClipSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    domain = settings.beside if rng.random() < BESIDE else settings.domain
    scenes = [domain.sample(rng, "train") for _ in range(settings.batch)]
    right, wrong = zip(*(_captions(rng, scene, domain) for scene in scenes), strict=True)
    pixels = add_flaws(rng, domain.photographs(scenes)).to(device())
    tokens = tokenizer(
        [*right, *wrong],
        padding="max_length",
        truncation=True,
        max_length=LENGTH,
        return_tensors="pt",
    ).input_ids.to(device())
    with mixed_precision():
        seen, said, scale = wrapper.clip(pixels, tokens)
        taught = wrapper.patch_head(wrapper.patches)
    logits = scale.clamp(max=100) * seen.float() @ said.float().T
    own = torch.arange(len(scenes), device=device())
    of_texts = functional.cross_entropy(logits[:, : len(scenes)].T, own)
    contrast = (functional.cross_entropy(logits, own) + of_texts) / 2
    return {"contrast": contrast, "patch": 0.3 * domain.patch_loss(taught.float(), scenes)}


def train(settings: ClipSettings) -> Path:
    """Train the CLIP; open_clip loads its folder as `local-dir:`."""
    torch.manual_seed(settings.schedule.seed)
    tokenizer = clip_tokenizer(world_words(settings.domain.world), LENGTH)
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
