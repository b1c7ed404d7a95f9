"""Initialisation of the autoencoder, so that colours and shapes pass from the start.

Residual branches begin at zero, samplers and shortcuts as projections that keep what they can: the
untrained network is then a blurry linear codec, and need not find that out first.
"""

from __future__ import annotations

import torch
from diffusers.models.downsampling import Downsample2D
from diffusers.models.resnet import ResnetBlock2D
from diffusers.models.upsampling import Upsample2D
from torch import nn


@torch.no_grad()
def initialise(model: nn.Module) -> None:
    """Set the weights of an AutoencoderKL in place."""
    for module in model.modules():
        if isinstance(module, ResnetBlock2D):
            _silence(module.conv2)
            if module.conv_shortcut is not None:
                nn.init.orthogonal_(module.conv_shortcut.weight)
                module.conv_shortcut.bias.zero_()
        if isinstance(module, Downsample2D):
            _project_corner(module.conv)
        if isinstance(module, Upsample2D):
            nn.init.dirac_(module.conv.weight)
            module.conv.bias.zero_()
    for convolution in (model.encoder.conv_in, model.decoder.conv_in):
        _project_centre(convolution)


def _silence(convolution: nn.Conv2d) -> None:
    convolution.weight.zero_()
    convolution.bias.zero_()


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
