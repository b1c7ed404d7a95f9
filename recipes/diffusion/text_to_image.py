"""Captioned latents become a painter: a text encoder and a UNet, trained by flow matching.

First the text encoder learns alone to read, which takes minutes: its tokens must say what the
caption claims. Then both learn to paint. Three teachers help and are thrown away at the end: that
of the tokens, one that asks the middle of the UNet what will cover each patch of the picture, and
one that watches which words are looked at where.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.functional import cross_entropy as entropy

from recipes.diffusion.attention_loss import binding_loss, watch
from recipes.diffusion.claims import claim_loss
from recipes.diffusion.group_norm import quicken
from recipes.diffusion.latent_cache import Shelf, fill_shelf
from recipes.diffusion.text_encoder import LENGTH, Reader, caption_of, read_captions, reading_losses
from recipes.training import Schedule, fit, mixed_precision
from recipes.world.captions import Caption, Description
from recipes.world.patches import COLOURS, LABELS
from recipes.world.word_tokenizers import kept_clip_tokenizer, world_words

SILENCE = Caption("", Description(()), ())
SILENT = 0.1
"""How many pictures come without their caption, for guidance."""


@dataclass(frozen=True)
class TextToImageSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/painter")
    encoder: Path = Path("runs/autoencoder/encoder")
    scenes: int = 30_000
    """Scenes rendered and encoded once; captions and noise are new each time."""
    practice: int = 20_000
    """More of them, in which any thing may have any colour."""
    latents: int = 6
    text_width: int = 192
    text_layers: int = 4
    channels: tuple[int, ...] = (48, 128, 192)
    batch: int = 32
    reading: Schedule = Schedule(steps=1700, lr=1.5e-3, warmup=200, floor=0.05)
    schedule: Schedule = Schedule(steps=15_500, lr=8e-4, warmup=300, ema=0.999, floor=0.02)


class Painter(nn.Module):
    """The text encoder and the UNet, with their teachers."""

    def __init__(self, settings: TextToImageSettings, tokenizer: Any) -> None:
        from diffusers import UNet2DConditionModel

        super().__init__()
        width = settings.text_width
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
        self.reader = Reader(tokenizer, width, settings.text_layers)
        self.middle: Tensor | None = None
        self.unet.mid_block.register_forward_hook(self._remember)
        self.watched = watch(self.unet)

    def _remember(self, module: nn.Module, inputs: Any, output: Tensor) -> None:
        self.middle = output

    def patches(self) -> tuple[Tensor, Tensor]:
        """Logits of the look and the colour of each patch, from the middle of the UNet."""
        logits = functional.pixel_shuffle(self.patch_teacher(self.middle), 2).float()
        return logits[:, : -len(COLOURS)], logits[:, -len(COLOURS) :]


def losses(
    painter: Painter, tokenizer: Any, shelf: Shelf, batch: int, rng: np.random.Generator
) -> dict[str, Tensor]:
    """One step: the flow to be predicted, and what the three teachers ask."""
    chosen = shelf.draw(rng, batch)
    captions = [caption_of(rng, shelf.scenes[i]) for i in chosen]
    captions = [SILENCE if rng.random() < SILENT else caption for caption in captions]
    tokens, labels, about = read_captions(tokenizer, captions)
    index = torch.from_numpy(chosen)
    clean = shelf.latents[index].float()
    noise = torch.randn_like(clean)
    time = _times(batch)
    wide = time.view(-1, 1, 1, 1)
    with mixed_precision():
        words, said = painter.reader(tokens)
        noisy = (1 - wide) * clean + wide * noise
        flow = painter.unet(noisy, time * 1000, words).sample
        look, colour = painter.patches()
    truth = shelf.labels[index].long()
    return {
        "flow": (flow.float() - (noise - clean)).square().mean(),
        "patch": 0.1 * (entropy(look, truth[:, 0]) + entropy(colour, truth[:, 1])),
        "claims": 0.1 * claim_loss(said, labels),
        "binding": 0.1 * binding_loss(painter.watched, about, shelf.cover[index].float()),
    }


def _times(batch: int) -> Tensor:
    """Moments of the flow, 0 to 1; many are late: there it is decided what goes where."""
    late = 0.7 + 0.3 * torch.rand(batch)
    return torch.where(torch.rand(batch) < 0.4, late, torch.sigmoid(torch.randn(batch) * 1.1 + 0.2))


def train(settings: TextToImageSettings) -> Path:
    """Train the painter.

    Returns:
        The folder of its text encoder, tokenizer and UNet, without the teachers.
    """
    torch.manual_seed(settings.schedule.seed)
    tokenizer = kept_clip_tokenizer(world_words(), LENGTH, settings.run / "tokenizer")
    painter = Painter(settings, tokenizer)
    painter.unet.to(memory_format=torch.channels_last)
    quicken(painter)
    fit(
        painter.reader,
        lambda rng: reading_losses(painter.reader, tokenizer, 2 * settings.batch, rng),
        settings.reading,
        settings.run / "reading",
    )
    shelf = fill_shelf(
        settings.run,
        settings.encoder,
        settings.scenes,
        settings.practice,
        settings.schedule.seed,
    )
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
    painter.reader.text.save_pretrained(folder / "text_encoder")
    tokenizer.save_pretrained(folder / "tokenizer")
    return folder


def main(
    run: Path = TextToImageSettings.run, steps: int = TextToImageSettings.schedule.steps
) -> None:
    """Train the text encoder and the UNet of sticker-diffusion."""
    settings = TextToImageSettings(run=run)
    print(train(replace(settings, schedule=replace(settings.schedule, steps=steps))))


if __name__ == "__main__":
    typer.run(main)
