"""Saliency maps of trained networks.

Pictures are stretched to the network's size and maps back to the picture's, never cropped or
padded, so that the rectangles of the cells stay exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from alignment.models.loading import model_folder
from alignment.models.spec import ScoringModel
from alignment.set_metrics.saliency import (
    SPECTRAL_RESIDUAL,
    Floats,
    SaliencyMap,
    above_floor,
    saliency_map,
)

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class DeepSaliency:
    """A semantic-segmentation network of one label, as a function from a picture to a density."""

    network: Callable[[Tensor], Any]
    """From pixels, shape (1, 3, height, width), to an output of transformers with `logits` of
    attraction, shape (1, 1, h, w)."""
    size: tuple[int, int]
    """Height and width that the network wants."""
    mean: tuple[float, ...] = (0.0, 0.0, 0.0)
    """Taken from red, green and blue in [0, 1]."""
    deviation: tuple[float, ...] = (1.0, 1.0, 1.0)
    """They are then divided by it."""
    device: str = "cpu"

    def __call__(self, picture: Image.Image) -> Floats:
        """Where people look: shape (height, width) of the picture, each > 0, sum 1.

        A spot without any attraction keeps 5 % of the mean, as in `saliency_map`.
        """
        import torch
        from torch.nn.functional import interpolate

        with torch.inference_mode():
            attraction = self.network(self._pixels(picture)).logits.double().sigmoid()
            size = (picture.height, picture.width)
            full = interpolate(attraction, size, mode="bilinear")[0, 0]
        density = above_floor(full.cpu().numpy())
        return np.asarray(density / density.sum())

    def _pixels(self, picture: Image.Image) -> Tensor:
        import torch

        height, width = self.size
        stretched = picture.convert("RGB").resize((width, height), Image.Resampling.BILINEAR)
        colours = np.asarray(stretched) / 255
        normal = (colours - np.array(self.mean)) / np.array(self.deviation)
        return torch.from_numpy(normal).float().permute(2, 0, 1)[None].to(self.device)


def find_saliency(name: str = SPECTRAL_RESIDUAL) -> SaliencyMap:
    """The saliency model of that name, loaded once.

    Args:
        name: "spectral-residual", a folder with a checkpoint, or the hub id of one, see
            `load_saliency`.

    Raises:
        HubError, MissingCheckpointError: the model cannot be had.
    """
    return saliency_map if name == SPECTRAL_RESIDUAL else _loaded(name)


@lru_cache(maxsize=2)
def _loaded(name: str) -> DeepSaliency:
    folder = Path(name)
    return load_saliency(ScoringModel(name, folder if folder.is_dir() else name, "unknown"))


def load_saliency(spec: ScoringModel) -> DeepSaliency:
    """A semantic-segmentation checkpoint of transformers, of this machine or the hub, of one label.

    Raises:
        MissingCheckpointError: a local folder is not there.
        HubError: the hub does not give it; see `hub.errors`.
        ValueError: the checkpoint tells apart more labels than one.
    """
    import torch
    from transformers import AutoImageProcessor, AutoModelForSemanticSegmentation

    folder = model_folder(spec)
    network = AutoModelForSemanticSegmentation.from_pretrained(folder).eval()
    if network.config.num_labels != 1:
        raise ValueError(
            f"{spec.name!r} tells {network.config.num_labels} labels apart; a saliency model has 1"
        )
    processor = AutoImageProcessor.from_pretrained(folder)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return DeepSaliency(
        network.to(device),
        (processor.size["height"], processor.size["width"]),
        tuple(processor.image_mean),
        tuple(processor.image_std),
        device,
    )
