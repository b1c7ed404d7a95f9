"""What covers each patch of a picture: the labels with which a scene teaches a model to see."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from recipes.world.art import patch_map
from recipes.world.scenes import Scene
from recipes.world.things import PRACTICE_WORLD


def looks() -> tuple[tuple[str, str], ...]:
    """Every (thing, state); the backgrounds come after them as patch labels."""
    return tuple((thing.name, state) for thing in PRACTICE_WORLD.things for state in thing.icons)


LOOKS = looks()
PLACES = tuple(PRACTICE_WORLD.backgrounds)
COLOURS = ("", *PRACTICE_WORLD.colours)
LABELS = len(LOOKS) + len(PLACES) + len(COLOURS)


def patch_labels(scene: Scene) -> NDArray[np.int_]:
    """What covers each patch: shape (2, 8, 8), look or background, and colour."""
    covered = patch_map(scene)
    look = np.full(covered.shape, len(LOOKS) + PLACES.index(scene.background))
    colour = np.zeros(covered.shape, int)
    for index, group in enumerate(scene.groups):
        look[covered == index] = LOOKS.index((group.name, group.state))
        colour[covered == index] = COLOURS.index(group.colour)
    return np.stack([look, colour])


def patch_loss(logits: Tensor, scenes: list[Scene]) -> Tensor:
    """How badly the teacher is answered: what covers each patch, and its colour."""
    labels = torch.from_numpy(np.stack([patch_labels(scene) for scene in scenes])).flatten(2)
    look, colour = logits.split([logits.shape[-1] - len(COLOURS), len(COLOURS)], dim=-1)
    return functional.cross_entropy(
        look.flatten(0, 1), labels[:, 0].flatten()
    ) + functional.cross_entropy(colour.flatten(0, 1), labels[:, 1].flatten())
