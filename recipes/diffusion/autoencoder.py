"""Training of the autoencoder: 128 x 128 pixels to 16 x 16 x 6 latents and back.

The normalisations have one group: with a few channels in each of several groups they take the mean
colour out of the image. An auxiliary loss asks the latents what covers each patch. First both
halves are trained together; then the encoder is frozen, so that the diffusion model can learn its
latents while the decoder goes on alone and sharpens. The icon world keeps the encoder of the
stickers, whose latents the diffusion model knows, beside a wider decoder: it has more to remember.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from recipes.training import Schedule, device, fit, mixed_precision, share
from recipes.world.domains import STICKERS, WHOLE_TELLING_ICONS, Domain
from recipes.world.scenes import Scene, crowded_scene

STICKERS_AUTOENCODER = Path("assets/checkpoints/sticker-diffusion/vae")


@dataclass(frozen=True)
class AutoencoderSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/autoencoder")
    domain: Domain = STICKERS
    channels: tuple[int, ...] = (16, 32, 64, 96)
    latents: int = 6
    batch: int = 4
    start: Path | None = None
    """Folder of an autoencoder whose encoder stays as it is."""
    crowded: float = 0.6
    """How many images the decoder alone is shown are crowded."""
    decoder: tuple[int, ...] = ()
    """Channels of a wider decoder that its own grows into; without them its own goes on."""
    together: Schedule = Schedule(steps=1500, lr=1.5e-3, warmup=100, floor=0.3)
    alone: Schedule = Schedule(steps=6300, lr=1.2e-3, warmup=50, floor=0.02, ema=0.999)


SETTINGS = {
    "stickers": AutoencoderSettings(),
    "icons": AutoencoderSettings(
        run=Path("runs/icons-autoencoder"),
        domain=WHOLE_TELLING_ICONS,
        start=STICKERS_AUTOENCODER,
        crowded=0.75,
        decoder=(16, 48, 128, 192),
        batch=64,
        alone=Schedule(steps=6000, lr=8e-4, warmup=300, floor=0.01, ema=0.999, cooldown=0.6),
    ),
}
"""World -> settings that are known to work."""


def build(settings: AutoencoderSettings) -> Any:
    """The untrained AutoencoderKL, 8 pixels to one latent."""
    from diffusers import AutoencoderKL

    levels = len(settings.channels)
    return AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * levels,
        up_block_types=("UpDecoderBlock2D",) * levels,
        block_out_channels=settings.channels,
        layers_per_block=1,
        latent_channels=settings.latents,
        norm_num_groups=1,
        mid_block_add_attention=False,
        sample_size=128,
    )


@torch.no_grad()
def initialise(model: nn.Module) -> None:
    """Set the weights of an AutoencoderKL in place, so that colours and shapes pass from the start.

    Residual branches begin at zero, samplers and shortcuts as projections that keep what they can:
    the untrained network is then a blurry linear codec, and need not find that out first.
    """
    from diffusers.models.attention_processor import Attention
    from diffusers.models.downsampling import Downsample2D
    from diffusers.models.resnet import ResnetBlock2D
    from diffusers.models.upsampling import Upsample2D

    for module in model.modules():
        if isinstance(module, ResnetBlock2D):
            _silence(module.conv2)
            if module.conv_shortcut is not None:
                nn.init.orthogonal_(module.conv_shortcut.weight)
                module.conv_shortcut.bias.zero_()
        if isinstance(module, Attention):
            _silence(module.to_out[0])
        if isinstance(module, Downsample2D):
            _project_corner(module.conv)
        if isinstance(module, Upsample2D):
            nn.init.dirac_(module.conv.weight)
            module.conv.bias.zero_()
    for convolution in (model.encoder.conv_in, model.decoder.conv_in):
        _project_centre(convolution)


def _silence(layer: nn.Conv2d | nn.Linear) -> None:
    layer.weight.zero_()
    layer.bias.zero_()


def _project_centre(convolution: nn.Conv2d) -> None:
    _silence(convolution)
    nn.init.orthogonal_(convolution.weight[:, :, 1, 1])


def _project_corner(convolution: nn.Conv2d) -> None:
    """An orthogonal map of the four pixels that become one."""
    _silence(convolution)
    out, channels = convolution.weight.shape[:2]
    square = torch.empty(out, channels * 4)
    nn.init.orthogonal_(square)
    convolution.weight[:, :, :2, :2] = square.view(out, channels, 2, 2)


def _random_scenes(
    rng: np.random.Generator, domain: Domain, count: int, crowded: float = 0.75
) -> list[Scene]:
    """Training scenes, most of them crowded, so that every part of an image teaches something."""
    return [
        crowded_scene(rng, domain.world) if rng.random() < crowded else domain.sample(rng, "train")
        for _ in range(count)
    ]


def _reconstruction(pixels: Tensor, target: Tensor) -> Tensor:
    """Mean difference of pixels, absolute and squared, and of their steps right and down."""
    difference = pixels.float() - target
    edges = difference.diff(dim=2).abs().mean() + difference.diff(dim=3).abs().mean()
    return difference.abs().mean() + 3 * difference.square().mean() + 0.25 * edges


def _together(
    wrapper: Any, settings: AutoencoderSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    model, head = wrapper["model"], wrapper["head"]
    scenes = _random_scenes(rng, settings.domain, share(settings.batch))
    target = settings.domain.photographs(scenes).to(device())
    with mixed_precision():
        posterior = model.encode(target).latent_dist
        pixels = model.decode(posterior.sample()).sample
        said = head(posterior.mean)
    divergence = posterior.kl().mean() / posterior.mean[0].numel()
    return {
        "pixels": _reconstruction(pixels, target),
        "kl": 1e-3 * divergence,
        "patch": 0.03 * settings.domain.patch_loss(said.float().flatten(2).mT, scenes),
    }


def _alone(
    model: Any, settings: AutoencoderSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    scenes = _random_scenes(rng, settings.domain, share(settings.batch), settings.crowded)
    target = settings.domain.photographs(scenes).to(device())
    with mixed_precision():
        with torch.no_grad():
            latents = model.encode(target).latent_dist.sample()
        pixels = model.decode(latents).sample
    return {"pixels": _reconstruction(pixels, target)}


@torch.no_grad()
def latent_scale(model: Any, domain: Domain) -> float:
    """1 / standard deviation of the latents of random scenes: the pipeline's scaling factor."""
    rng = np.random.default_rng(1)
    scenes = [domain.sample(rng, "train") for _ in range(128)]
    with mixed_precision():
        latents = model.encode(domain.photographs(scenes).to(device())).latent_dist.mean
    return 1 / float(latents.float().std())


def train(settings: AutoencoderSettings) -> Path:
    """Train both phases; `run/encoder` can feed the diffusion model when the first is over."""
    torch.manual_seed(settings.together.seed)
    frozen = settings.start or settings.run / "encoder"
    if not frozen.exists():
        _train_together(settings, frozen)
    model = _read(frozen)
    model = widened(model, settings) if settings.decoder else model
    model.to(memory_format=torch.channels_last)
    nn.ModuleList([model.encoder, model.quant_conv]).requires_grad_(False)
    fit(model, lambda rng: _alone(model, settings, rng), settings.alone, settings.run)
    model.save_pretrained(settings.run / "finished")
    return settings.run / "finished"


def _read(folder: Path) -> Any:
    from diffusers import AutoencoderKL

    return AutoencoderKL.from_pretrained(folder, dtype=torch.float32)


def widened(known: Any, settings: AutoencoderSettings) -> Any:
    """An autoencoder with the encoder as it is and a wider decoder that begins as its double."""
    from diffusers import AsymmetricAutoencoderKL

    levels = len(settings.channels)
    model = AsymmetricAutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * levels,
        down_block_out_channels=settings.channels,
        up_block_types=("UpDecoderBlock2D",) * levels,
        up_block_out_channels=settings.decoder,
        latent_channels=settings.latents,
        norm_num_groups=1,
        sample_size=128,
        scaling_factor=known.config.scaling_factor,
    )
    initialise(model)
    for name in ("encoder", "quant_conv", "post_quant_conv"):
        getattr(model, name).load_state_dict(getattr(known, name).state_dict(), strict=False)
    wide = model.decoder.state_dict()
    for name, weights in known.decoder.state_dict().items():
        wide[name] = _repeated(weights, wide[name].shape)
    model.decoder.load_state_dict(wide)
    return model


def _repeated(weights: Tensor, shape: torch.Size) -> Tensor:
    """Weights of a wider layer that computes the same: each channel again, its effect shared out.

    The shares of the copies of one channel differ at random, so that the copies part in training.
    """
    rows = torch.arange(shape[0]) % weights.shape[0]
    if weights.dim() == 1:
        return weights[rows]
    columns = torch.arange(shape[1]) % weights.shape[1]
    copies = nn.functional.one_hot(columns).float()
    noise = 0.5 * torch.randn(shape[:2])
    noise -= noise @ copies @ (copies / copies.sum(0)).mT
    shares = 1 / copies.sum(0)[columns] + noise
    return weights[rows][:, columns] * shares.reshape(*shares.shape, 1, 1)


def _train_together(settings: AutoencoderSettings, frozen: Path) -> None:
    model = build(settings).to(memory_format=torch.channels_last)
    initialise(model)
    head = nn.Conv2d(settings.latents, settings.domain.patch_logits, 2, stride=2)
    wrapper = nn.ModuleDict({"model": model, "head": head})
    run = settings.run / "together"
    fit(wrapper, lambda rng: _together(wrapper, settings, rng), settings.together, run)
    model.register_to_config(scaling_factor=latent_scale(model, settings.domain))
    model.save_pretrained(frozen)
