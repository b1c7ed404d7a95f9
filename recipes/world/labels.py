"""What covers each patch of a picture: the labels of the auxiliary losses that teach seeing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from recipes.world.scenes import Scene
from recipes.world.things import World


@dataclass(frozen=True)
class PatchLabels:
    """Labels of patches of 16 x 16 pixels: a look or a background, and a colour."""

    world: World
    patch_map: Callable[[Scene], NDArray[Any]]
    """Which group covers each patch, -1 where none does."""

    @property
    def width(self) -> int:
        """Logits of one patch."""
        return len(self.world.looks) + len(self.world.backgrounds) + len(self.world.said_colours)

    def of(self, scene: Scene) -> NDArray[np.int_]:
        """Shape (2, 8, 8): look or background, and colour."""
        covered = self.patch_map(scene)
        look = np.full(
            covered.shape, len(self.world.looks) + [*self.world.backgrounds].index(scene.background)
        )
        colour = np.zeros(covered.shape, int)
        for index, group in enumerate(scene.groups):
            look[covered == index] = self.world.looks.index((group.name, group.state))
            colour[covered == index] = self.world.said_colours.index(group.colour)
        return np.stack([look, colour])

    def loss(self, logits: Tensor, scenes: list[Scene]) -> Tensor:
        """Cross-entropy of looks plus that of colours.

        Args:
            logits: (n, 64, width).
        """
        truth = np.stack([self.of(scene) for scene in scenes])
        labels = torch.from_numpy(truth).flatten(2).to(logits.device)
        colours = len(self.world.said_colours)
        look, colour = logits.split([self.width - colours, colours], dim=-1)
        return functional.cross_entropy(
            look.flatten(0, 1), labels[:, 0].flatten()
        ) + functional.cross_entropy(colour.flatten(0, 1), labels[:, 1].flatten())
