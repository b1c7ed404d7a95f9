from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor

from alignment.errors import MissingCheckpointError
from alignment.models.spec import ScoringModel
from alignment.set_metrics.deep_saliency import DeepSaliency, load_saliency
from alignment.set_metrics.saliency import FLOOR, cell_attention, compose_grid


def save_segformer(folder: Path, labels: int = 1) -> ScoringModel:
    """A semantic-segmentation model with random weights."""
    from transformers import (
        SegformerConfig,
        SegformerForSemanticSegmentation,
        SegformerImageProcessor,
    )

    torch.manual_seed(0)
    config = SegformerConfig(
        num_encoder_blocks=2,
        depths=[1, 1],
        sr_ratios=[2, 1],
        hidden_sizes=[8, 16],
        patch_sizes=[3, 3],
        strides=[2, 2],
        num_attention_heads=[1, 2],
        mlp_ratios=[2, 2],
        decoder_hidden_size=8,
        num_labels=labels,
    )
    SegformerForSemanticSegmentation(config).save_pretrained(folder)
    size = {"height": 32, "width": 64}
    SegformerImageProcessor(size=size, image_mean=[0.4, 0.5, 0.6]).save_pretrained(folder)
    return ScoringModel("tiny-saliency", folder, "none")


def seeing(attraction: Callable[[Tensor], Tensor]) -> Callable[[Tensor], SimpleNamespace]:
    """A network of known attraction in [0, 1]."""
    return lambda pixels: SimpleNamespace(logits=attraction(pixels).double().logit())


def test_each_cell_draws_exactly_what_its_rectangle_holds() -> None:
    """On black ground four cells of red 0, 1, 2 and 3 of 255, and the floor at every pixel."""
    reds = (0, 60, 120, 180)
    images = [Image.new("RGB", (13, 7), (value, 90, 10)) for value in reds]
    picture, boxes = compose_grid(images, 2, 2, gutter=3)
    ground = np.asarray(picture)[..., 0] / 255
    attraction = np.array(reds) / 255 / ground.mean() + FLOOR
    red = DeepSaliency(seeing(lambda pixels: pixels[:, :1]), (picture.height, picture.width))
    attention = cell_attention(red(picture), boxes)
    np.testing.assert_allclose(attention, attraction / attraction.sum(), rtol=1e-5)


@pytest.mark.parametrize("side", [3, 16, 200])
def test_a_coarse_map_is_stretched_over_the_whole_picture(side: int) -> None:
    """Whatever the size of the network, attraction on the right stays on the right, to the edge."""

    def right_half(pixels: Tensor) -> Tensor:
        return pixels[:, :1] * 0 + (torch.arange(pixels.shape[3]) >= pixels.shape[3] / 2).float()

    density = DeepSaliency(seeing(right_half), (side, 2 * side))(Image.new("RGB", (90, 30)))
    assert density.shape == (30, 90)
    assert density.sum() == pytest.approx(1)
    assert density[:, 60:].sum() > 0.9 * (2 / 3)
    np.testing.assert_allclose(density[:, -1] / density[:, 0], (2 + FLOOR) / FLOOR, rtol=1e-5)


def test_a_map_without_any_attraction_is_flat() -> None:
    nothing = DeepSaliency(seeing(lambda pixels: pixels[:, :1] * 0), (4, 5))
    np.testing.assert_allclose(nothing(Image.new("RGB", (5, 4))), 1 / 20)


def test_pixels_come_as_the_network_was_taught_to_see_them() -> None:
    seen = []

    def look(pixels: Tensor) -> Tensor:
        seen.append(pixels)
        return pixels[:, :1] * 0

    taught = DeepSaliency(seeing(look), (4, 6), (0.5, 0.5, 0.0), (0.5, 0.25, 1.0))
    taught(Image.new("RGB", (9, 3), (255, 0, 51)))
    assert seen[0].shape == (1, 3, 4, 6)
    assert seen[0][0, :, 0, 0].tolist() == pytest.approx([1, -2, 0.2])


def test_a_checkpoint_of_one_label_is_loaded_and_looks(tmp_path: Path) -> None:
    deep = load_saliency(save_segformer(tmp_path))
    assert (deep.size, deep.mean) == ((32, 64), (0.4, 0.5, 0.6))
    picture = Image.new("RGB", (80, 50), "white")
    picture.paste("red", (50, 10, 70, 40))
    density = deep(picture)
    assert density.shape == (50, 80)
    again = load_saliency(ScoringModel("tiny-saliency", tmp_path, "none"))(picture)
    np.testing.assert_array_equal(density, again)
    assert density.std() > 0


def test_a_checkpoint_that_tells_many_labels_apart_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'tiny-saliency' tells 3 labels apart"):
        load_saliency(save_segformer(tmp_path, labels=3))


def test_a_missing_checkpoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingCheckpointError, match="'mine' is not in"):
        load_saliency(ScoringModel("mine", tmp_path / "mine", "none"))
