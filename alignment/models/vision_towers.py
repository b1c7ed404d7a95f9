"""Images for a network, and BLIP's vision tower apart from it: an image is encoded once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PIL.Image import Image

if TYPE_CHECKING:
    from torch import Tensor


def pixels(processor: Any, images: Sequence[Image], network: Any) -> dict[str, Tensor]:
    """What the processor makes of the images, where and as the network wants it."""
    import torch

    inputs = processor.image_processor(
        [image.convert("RGB") for image in images], return_tensors="pt"
    )
    return {
        name: each.to(network.device, network.dtype if each.is_floating_point() else each.dtype)
        for name, each in inputs.items()
        if torch.is_tensor(each)
    }


def stub_vision_tower(network: Any) -> Any:
    """The vision tower of a BLIP; in its place a hole is left, through which features pass."""
    from torch import nn
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    class CachedFeatures(nn.Module):
        def forward(self, pixel_values: Tensor, **_: Any) -> Any:
            return BaseModelOutputWithPooling(last_hidden_state=pixel_values)

    tower, network.vision_model = network.vision_model, CachedFeatures()
    return tower
