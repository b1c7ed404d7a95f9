"""Captioned latents become a painter: a text encoder and a UNet, trained by flow matching.

Two teachers speed it up and are thrown away afterwards: the middle of the UNet must say what will
cover each patch of the picture, and each word of the caption what is claimed of its thing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from recipes.fast_norm import quicken
from recipes.patches import COLOURS, LABELS, LOOKS, patch_labels
from recipes.training import Schedule, fit, mixed_precision
from recipes.words import clip_tokenizer, world_words
from recipes.world.art import photographs
from recipes.world.captions import Caption, describe, salt, write_caption
from recipes.world.scenes import Scene, sample_scene

LENGTH = 32
"""Most tokens of a prompt."""


@dataclass(frozen=True)
class Settings:
    """What `train` needs to know."""

    run: Path = Path("runs/painter")
    encoder: Path = Path("runs/autoencoder/encoder")
    scenes: int = 16_000
    """Scenes rendered and encoded once; captions and noise are new each time."""
    latents: int = 6
    text_width: int = 192
    text_layers: int = 3
    channels: tuple[int, ...] = (48, 128, 192)
    batch: int = 32
    schedule: Schedule = Schedule(steps=3000, lr=8e-4, warmup=300, ema=0.998, floor=0.03)


@dataclass(frozen=True)
class Shelf:
    """Encoded scenes, ready to be captioned and noised."""

    scenes: tuple[Scene, ...]
    latents: Tensor
    """(n, latents, 16, 16), scaled to unit deviation, bf16."""
    labels: Tensor
    """(n, 2, 8, 8)."""


@torch.no_grad()
def fill_shelf(settings: Settings) -> Shelf:
    """Draw and encode the training scenes; kept in the run folder for the next time."""
    rng = np.random.default_rng(settings.schedule.seed)
    scenes = tuple(_training_scene(rng) for _ in range(settings.scenes))
    labels = torch.from_numpy(np.stack([patch_labels(scene) for scene in scenes])).to(torch.int8)
    stored = settings.run / "latents.pt"
    if not stored.exists():
        settings.run.mkdir(parents=True, exist_ok=True)
        torch.save(_encode(settings, scenes), stored)
    return Shelf(scenes, torch.load(stored, weights_only=True), labels)


def _training_scene(rng: np.random.Generator) -> Scene:
    scene = sample_scene(rng)
    while len(scene.groups) > 1 and rng.random() < 0.25:
        scene = sample_scene(rng)
    return scene


def _encode(settings: Settings, scenes: tuple[Scene, ...]) -> Tensor:
    from diffusers import AutoencoderKL

    model = AutoencoderKL.from_pretrained(settings.encoder).to(memory_format=torch.channels_last)
    parts = []
    for start in range(0, len(scenes), 50):
        with mixed_precision():
            latents = model.encode(photographs(scenes[start : start + 50])).latent_dist.mean
        parts.append((latents * model.config.scaling_factor).bfloat16())
    return torch.cat(parts)


class Painter(nn.Module):
    """The text encoder and the UNet, with their teachers."""

    def __init__(self, settings: Settings, tokenizer: Any) -> None:
        from diffusers import UNet2DConditionModel
        from transformers import CLIPTextConfig, CLIPTextModel

        super().__init__()
        width = settings.text_width
        self.text = CLIPTextModel(
            CLIPTextConfig(
                vocab_size=len(tokenizer),
                hidden_size=width,
                intermediate_size=4 * width,
                projection_dim=width,
                num_hidden_layers=settings.text_layers,
                num_attention_heads=width // 64,
                max_position_embeddings=LENGTH,
                bos_token_id=tokenizer.bos_token_id,
                eos_token_id=tokenizer.eos_token_id,
                pad_token_id=tokenizer.pad_token_id,
            )
        )
        self.unet = UNet2DConditionModel(
            sample_size=16,
            in_channels=settings.latents,
            out_channels=settings.latents,
            block_out_channels=settings.channels,
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
            up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
            layers_per_block=1,
            cross_attention_dim=width,
            attention_head_dim=tuple(c // 32 for c in settings.channels),
            norm_num_groups=16,
        )
        coarse = settings.channels[-1]
        self.patch_teacher = nn.Conv2d(coarse, 4 * LABELS, 1)
        self.word_teacher = nn.Linear(width, len(LOOKS) + len(COLOURS) + 5)
        self.middle: Tensor | None = None
        self.unet.mid_block.register_forward_hook(self._remember)

    def _remember(self, module: nn.Module, inputs: Any, output: Tensor) -> None:
        self.middle = output

    def patches(self) -> tuple[Tensor, Tensor]:
        """Logits of the look and the colour of each patch, from the middle of the UNet."""
        logits = functional.pixel_shuffle(self.patch_teacher(self.middle), 2).float()
        return logits[:, : -len(COLOURS)], logits[:, -len(COLOURS) :]


def _caption(rng: np.random.Generator, scene: Scene) -> Caption:
    return write_caption(rng, describe(rng, scene, terse=0.08), formal=0.1)


def _word_labels(tokens: Any, row: int, caption: Caption) -> NDArray[Any]:
    """For each token of a noun what is claimed of it: (look, colour, count); -100 elsewhere."""
    labels = np.full((LENGTH, 3), -100)
    for span in caption.spans:
        if span.kind != "object":
            continue
        group = caption.claim.groups[span.group]
        token = tokens.char_to_token(row, span.end - 1)
        states = [i for i, look in enumerate(LOOKS) if look[0] == group.name]
        look = next((i for i in states if LOOKS[i][1] == group.state), states[0])
        labels[token] = look, COLOURS.index(group.colour), group.count
    return labels


def losses(
    painter: Painter, tokenizer: Any, shelf: Shelf, batch: int, rng: np.random.Generator
) -> dict[str, Tensor]:
    """One step: the flow to be predicted, and what the two teachers ask."""
    chosen = rng.integers(len(shelf.scenes), size=batch)
    captions = [_caption(rng, shelf.scenes[i]) for i in chosen]
    silent = rng.random(batch) < 0.1
    texts = ["" if quiet else salt(rng, c.text) for quiet, c in zip(silent, captions, strict=True)]
    tokens = tokenizer(texts, padding="max_length", truncation=True, return_tensors="pt")
    labels = np.stack(
        [
            _word_labels(tokens, row, caption)
            if text == caption.text
            else np.full((LENGTH, 3), -100)
            for row, (text, caption) in enumerate(zip(texts, captions, strict=True))
        ]
    )
    index = torch.from_numpy(chosen)
    clean = shelf.latents[index].float()
    noise = torch.randn_like(clean)
    time = torch.sigmoid(torch.randn(batch) * 1.1 + 0.2)
    wide = time.view(-1, 1, 1, 1)
    with mixed_precision():
        words = painter.text(tokens.input_ids).last_hidden_state
        noisy = (1 - wide) * clean + wide * noise
        flow = painter.unet(noisy, time * 1000, words).sample
        look, colour = painter.patches()
        claims = painter.word_teacher(words).float()
    truth = shelf.labels[index].long()
    said = torch.from_numpy(labels)
    return {
        "flow": (flow.float() - (noise - clean)).square().mean(),
        "patch": 0.1 * _by_patch(look, truth[:, 0]) + 0.1 * _by_patch(colour, truth[:, 1]),
        "word": 0.05 * _by_word(claims, said),
    }


def _by_patch(logits: Tensor, labels: Tensor) -> Tensor:
    return functional.cross_entropy(logits, labels)


def _by_word(claims: Tensor, said: Tensor) -> Tensor:
    parts = claims.split([len(LOOKS), len(COLOURS), 5], dim=-1)
    return torch.stack(
        [
            functional.cross_entropy(p.flatten(0, 1), said[..., i].flatten())
            for i, p in enumerate(parts)
        ]
    ).sum()


def train(settings: Settings) -> Path:
    """Train the painter.

    Returns:
        The folder of its text encoder, tokenizer and UNet, without the teachers.
    """
    torch.manual_seed(settings.schedule.seed)
    tokenizer = clip_tokenizer(world_words(), LENGTH)
    painter = Painter(settings, tokenizer)
    painter.unet.to(memory_format=torch.channels_last)
    quicken(painter)
    shelf = fill_shelf(settings)
    fit(
        painter,
        lambda rng: losses(painter, tokenizer, shelf, settings.batch, rng),
        settings.schedule,
        settings.run,
    )
    return export(painter, tokenizer, settings.run / "finished")


def export(painter: Painter, tokenizer: Any, folder: Path) -> Path:
    """Write what the pipeline needs."""
    painter.unet.save_pretrained(folder / "unet")
    painter.text.save_pretrained(folder / "text_encoder")
    tokenizer.save_pretrained(folder / "tokenizer")
    return folder


def main(run: Path = Settings.run, steps: int = Settings.schedule.steps) -> None:
    """Train the text encoder and the UNet of sticker-diffusion."""
    settings = Settings(run=run)
    print(train(replace(settings, schedule=replace(settings.schedule, steps=steps))))


if __name__ == "__main__":
    typer.run(main)
