"""How often a scene is learned from."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from recipes.diffusion.latent_cache import LatentCache
from recipes.world.scenes import Box, Group, Scene

ON = Scene(
    (Group("cat"), Group("couch")), ((Box(32, 0, 64),), (Box(32, 48, 64),)), "grass", touching="on"
)
ALONE = Scene((Group("cat"),), ((Box(32, 48, 64),),), "grass")


@pytest.mark.parametrize(
    ("scene", "other", "times"),
    [
        (ON, ALONE, 5),
        (replace(ON, touching="worn"), ON, 1),
        (replace(ALONE, background="night"), ALONE, 2),
    ],
)
def test_what_is_hard_to_generate_is_learned_from_more_often(
    scene: Scene, other: Scene, times: float
) -> None:
    cache = LatentCache((scene, other), torch.zeros(2, 1))
    drawn = cache.draw(np.random.default_rng(0), 30_000)
    assert np.mean(drawn == 0) == pytest.approx(times / (times + 1), abs=0.01)
