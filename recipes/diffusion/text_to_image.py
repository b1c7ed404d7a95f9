"""Training of the text-to-image model: a text encoder and a UNet, by flow matching on latents.

First the text encoder learns alone to read, which takes minutes: its tokens must say what the
caption claims. Then both learn to generate. Three auxiliary losses help and are dropped at the end:
that of the tokens, one that asks the middle of the UNet what will cover each patch of the image,
and one on which words are attended to where.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from recipes.cards import CHECKPOINTS
from recipes.diffusion.attention_loss import attention_loss, record_attention
from recipes.diffusion.autoencoder import STICKERS_AUTOENCODER
from recipes.diffusion.claims import GROUPS, ClaimLabels
from recipes.diffusion.guidance import Unguided, any_moments, unprompted
from recipes.diffusion.latent_cache import LatentCache, encode_data_set
from recipes.diffusion.pipeline import flow_scheduler, read_pipeline
from recipes.diffusion.text_encoder import (
    LENGTH,
    CaptionEncoder,
    caption_of,
    claim_losses,
    tokenise_captions,
)
from recipes.synonyms import in_pieces, take_up, teach
from recipes.training import Schedule, device, fit, mixed_precision, share
from recipes.warm_start import begin_from
from recipes.world import domains
from recipes.world.captions import Description, SceneCaption
from recipes.world.things import LEARNED_LATER, READ_AS
from recipes.world.vocabulary import text_to_image_words
from recipes.world.word_tokenizers import clip_tokenizer

NULL_CAPTION = SceneCaption("", Description(()), ())
CAPTION_DROPOUT = 0.1
"""How many images come with the null caption, for classifier-free guidance."""


@dataclass(frozen=True)
class TextToImageSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/text-to-image")
    encoder: Path = Path("runs/autoencoder/encoder")
    start: Path | None = None
    """Folder of a pipeline whose weights it begins with."""
    reads: bool = False
    """Whether that one reads these captions already: then only the head of claims learns to."""
    domain: domains.Domain = domains.FREE_STICKERS
    scenes: int = 50_000
    """Scenes rendered and encoded once; captions and noise are new each time."""
    latents: int = 6
    text_width: int = 192
    text_layers: int = 4
    channels: tuple[int, ...] = (48, 128, 192)
    unguided: Unguided | None = None
    """Set for a model that is to do without guidance; it begins with a pipeline."""
    batch: int = 32
    reading: Schedule = Schedule(steps=1700, lr=1.5e-3, warmup=200, floor=0.05)
    schedule: Schedule = Schedule(steps=15_500, lr=8e-4, warmup=300, ema=0.999, floor=0.02)


SETTINGS = {
    "stickers": TextToImageSettings(),
    "icons": TextToImageSettings(
        run=Path("runs/icons-text-to-image"),
        encoder=STICKERS_AUTOENCODER,
        start=Path("runs/teacher"),
        domain=domains.TELLING_ICONS,
        scenes=30_000,
        batch=128,
        reading=Schedule(steps=1000, lr=1e-3, warmup=100, floor=0.05),
        schedule=Schedule(steps=6200, lr=5e-4, warmup=100, ema=0.999, floor=0.02, cooldown=0.2),
    ),
}
"""World -> settings that are known to work."""
LAST_PHASE = {
    "stickers": TextToImageSettings(
        run=Path("runs/text-to-image-whole"),
        encoder=STICKERS_AUTOENCODER,
        start=Path("runs/teacher"),
        domain=domains.WHOLE_FREE_STICKERS,
        scenes=10_000,
        batch=64,
        reading=Schedule(steps=300, lr=1e-3, warmup=30, floor=0.05),
        schedule=Schedule(steps=900, lr=4e-4, warmup=50, ema=0.996, floor=0.02, cooldown=0.5),
    ),
    "icons": replace(
        SETTINGS["icons"],
        run=Path("runs/icons-text-to-image-whole"),
        start=Path("runs/icons-teacher"),
        domain=domains.TEXT_TO_IMAGE_ICONS,
        unguided=Unguided(),
        scenes=320_000,
        batch=512,
        schedule=Schedule(steps=6000, lr=8e-4, warmup=500, ema=0.9995, floor=0.01, cooldown=0.6),
    ),
}
"""The same for the model that ships, which has seen every composition: it begins with the one that
is measured. That of icons learns to do without guidance in the same phase, which takes minutes on a
GPU and most of a night on two cores; what ships began with the weights that shipped before."""
FURTHER = replace(
    LAST_PHASE["icons"],
    start=CHECKPOINTS / "icon-diffusion",
    reads=True,
    scenes=40_000,
    batch=64,
    reading=Schedule(steps=150, lr=3e-3, warmup=20, floor=0.05),
    schedule=Schedule(
        steps=3000, lr=4.5e-4, warmup=100, ema=0.998, kept=0.5, floor=0.01, cooldown=0.6
    ),
)
"""The last phase of icons from the weights that ship: 70 minutes of two cores with bf16."""


class TextToImage(nn.Module):
    """The text encoder and the UNet, with the heads of the auxiliary losses."""

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
        self.patch_head = nn.Conv2d(settings.channels[-1], 4 * settings.domain.patch_logits, 1)
        parts = ClaimLabels(settings.domain.world).parts
        self.encoder = CaptionEncoder(tokenizer, width, settings.text_layers, parts)
        self.middle: Tensor | None = None
        self.unet.mid_block.register_forward_hook(self._remember)
        self.attention = record_attention(self.unet)

    def _remember(self, module: nn.Module, inputs: Any, output: Tensor) -> None:
        self.middle = output

    def patches(self) -> Tensor:
        """Logits of what covers each patch, (n, 64, patch_logits), from the middle of the UNet."""
        logits = functional.pixel_shuffle(self.patch_head(self.middle), 2)
        return logits.float().flatten(2).mT


def _flow_losses(
    model: TextToImage,
    tokenizer: Any,
    cache: LatentCache,
    settings: TextToImageSettings,
    rng: np.random.Generator,
) -> dict[str, Tensor]:
    """One step: the flow to be predicted, and the auxiliary losses."""
    domain = settings.domain
    claims = ClaimLabels(domain.world)
    batch = share(settings.batch)
    chosen = cache.draw(rng, batch)
    scenes = [cache.scenes[index] for index in chosen]
    captions = [_dropped(rng, caption_of(rng, scene, domain)) for scene in scenes]
    tokens, labels, about = tokenise_captions(tokenizer, captions, claims)
    clean = cache.latents[torch.from_numpy(chosen)].float().to(device())
    noise = torch.randn_like(clean)
    unguided = settings.unguided
    amount, time = unguided.moments(batch) if unguided else any_moments(batch)
    wide, time = amount.view(-1, 1, 1, 1).to(device()), time.to(device())
    noisy = (1 - wide) * clean + wide * noise
    target = noise - clean
    without_caption = unprompted(model, tokenizer, noisy, time) if unguided else None
    with mixed_precision():  # last, since the model remembers this run: its middle, its attention
        words, said = model.encoder(tokens)
        flow = model.unet(noisy, time, words).sample
        patches = model.patches()
    if unguided and without_caption is not None:
        target = unguided.target(target, flow, without_caption)
    covered = np.stack([domain.patch_map(scene) for scene in scenes])[:, None]
    cover = torch.from_numpy(covered == np.arange(GROUPS)[:, None, None]).float()
    return {
        "flow": (flow.float() - target).square().mean(),
        "patch": 0.1 * domain.patch_loss(patches, scenes),
        "claims": 0.1 * claims.loss(said, labels),
        "attention": 0.1 * attention_loss(model.attention, about, cover.to(device())),
    }


def _dropped(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    return NULL_CAPTION if rng.random() < CAPTION_DROPOUT else caption


def begin_with_pipeline(folder: Path, model: TextToImage, tokenizer: Any) -> None:
    """Begin with a pipeline of the same widths."""
    start = read_pipeline(folder).to("cpu")
    teach(
        start.text_encoder,
        start.tokenizer,
        in_pieces(start.tokenizer, {**READ_AS, **LEARNED_LATER}),
    )
    model.unet.load_state_dict(start.unet.state_dict())
    begin_from(start.text_encoder, start.tokenizer, model.encoder.text, tokenizer)


def train(settings: TextToImageSettings) -> Path:
    """Train the model; returns a folder with its parts, or with a pipeline, as `export` says."""
    torch.manual_seed(settings.schedule.seed)
    domain = settings.domain
    tokenizer = clip_tokenizer(text_to_image_words(domain.world), LENGTH)
    take_up(tokenizer, READ_AS)
    model = TextToImage(settings, tokenizer)
    if settings.start:
        begin_with_pipeline(settings.start, model, tokenizer)
    model.unet.to(memory_format=torch.channels_last)
    model.encoder.text.requires_grad_(not settings.reads)
    fit(
        model.encoder,
        lambda rng: claim_losses(model.encoder, tokenizer, domain, 64, rng),
        settings.reading,
        settings.run / "reading",
    )
    model.encoder.text.requires_grad_(True)
    seed = settings.schedule.seed
    cache = encode_data_set(settings.run, settings.encoder, domain, settings.scenes, seed)
    fit(
        model,
        lambda rng: _flow_losses(model, tokenizer, cache, settings, rng),
        settings.schedule,
        settings.run,
    )
    return export(model, tokenizer, settings)


def export(model: TextToImage, tokenizer: Any, settings: TextToImageSettings) -> Path:
    """Write text encoder, tokenizer and UNet; of a model without guidance, the whole pipeline."""
    folder = settings.run / "finished"
    if settings.unguided and settings.start:
        pipeline = read_pipeline(settings.start)
        parts = {"unet": model.unet, "text_encoder": model.encoder.text, "tokenizer": tokenizer}
        pipeline.register_modules(**parts, scheduler=flow_scheduler(order=1))
        pipeline.to(dtype=torch.float16).save_pretrained(folder)
        return folder
    model.unet.save_pretrained(folder / "unet")
    model.encoder.text.save_pretrained(folder / "text_encoder")
    tokenizer.save_pretrained(folder / "tokenizer")
    return folder
