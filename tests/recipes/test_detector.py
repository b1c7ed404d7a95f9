"""The detector of generated images: how a scene is written as labels, read back, and learned."""

from pathlib import Path

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.stickers.detector import decode, load_detector
from benchmarks.stickers.geometry import relation
from recipes.detector import DetectorSettings, accuracy, contents, labels, same, train
from recipes.training import Schedule
from recipes.world.domains import STICKERS
from recipes.world.scenes import Box, Group, Scene
from tests.recipes.art import needs_art

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_labels_say_all_that_a_scene_shows(seed: int) -> None:
    scene = STICKERS.sample(np.random.default_rng(seed), None)
    vocabulary = DetectorSettings().vocabulary
    table = labels(vocabulary, scene)
    parts = [table[..., part] for part in range(3)]
    assert same(contents(scene), decode(vocabulary, parts, scene.background))


@given(SEEDS)
def test_detected_things_stand_to_each_other_as_drawn_ones_do(seed: int) -> None:
    scene = STICKERS.sample(np.random.default_rng(seed), None)
    if len(scene.groups) == 2:
        first, second = (group.name for group in scene.groups)
        found = contents(scene).stickers
        ones, others = ([s for s in found if s.name == name] for name in (first, second))
        assert relation(ones, others) == (scene.relation(first, second) or "")


def test_scenes_are_the_same_in_any_order_but_not_in_any_place() -> None:
    apple, bell = Group("apple", "red"), Group("bell", "blue")
    left, right = (Box(0, 32, 64),), (Box(64, 32, 64),)
    scene = contents(Scene((apple, bell), (left, right), "plain"))
    assert same(scene, contents(Scene((bell, apple), (right, left), "plain")))
    assert not same(scene, contents(Scene((apple, bell), (right, left), "plain")))
    assert not same(scene, contents(Scene((apple, bell), (left, right), "night")))


@needs_art
def test_training_leaves_a_detector_that_can_be_loaded(tmp_path: Path) -> None:
    schedule = Schedule(steps=2, lr=1e-3, warmup=1, ema=0.9)
    settings = DetectorSettings(
        tmp_path, tmp_path / "detector", widths=(8, 8, 8), batch=2, schedule=schedule
    )
    trained = load_detector(train(settings))
    assert not trained.training
    assert accuracy(trained, count=50) < 0.5
    assert torch.isfinite(trained(torch.zeros(1, 3, 128, 128))[0]).all()
