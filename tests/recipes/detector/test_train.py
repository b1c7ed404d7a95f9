"""The judge of painted pictures: how a scene is written as labels, read back, and learned."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

if find_spec("resvg_py") is None:
    pytest.skip("no resvg_py: pip install -r recipes/requirements.txt", allow_module_level=True)

import torch

from benchmarks.stickers import detector
from benchmarks.stickers.detector import load_judge, seen
from benchmarks.stickers.generated import relation
from recipes.detector.train import WORLD, DetectorSettings, accuracy, contents, labels, same, train
from recipes.training import Schedule
from recipes.world import scenes
from recipes.world.art import ICONS
from recipes.world.scenes import Box, Group, Scene, sample_scene

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_labels_say_all_that_a_scene_shows(seed: int) -> None:
    scene = sample_scene(np.random.default_rng(seed), WORLD, held_out=None)
    table = labels(scene)
    parts = [table[..., part] for part in range(3)]
    assert same(contents(scene), seen(DetectorSettings().words, parts, scene.background))


@given(SEEDS)
def test_painted_things_stand_to_each_other_as_drawn_ones_do(seed: int) -> None:
    scene = sample_scene(np.random.default_rng(seed), WORLD, held_out=None)
    if [group.count for group in scene.groups] == [1, 1]:
        names = (group.name for group in scene.groups)
        assert relation(*contents(scene).stickers) == (scene.relation(*names) or "")


def test_judge_and_scenes_measure_alike() -> None:
    assert (detector.LATTICE, detector.SIZE) == (scenes.LATTICE, scenes.SIZE)


def test_scenes_are_the_same_in_any_order_but_not_in_any_place() -> None:
    apple, bell = Group("apple", "red"), Group("bell", "blue")
    left, right = (Box(0, 32, 64),), (Box(64, 32, 64),)
    scene = contents(Scene((apple, bell), (left, right), "plain"))
    assert same(scene, contents(Scene((bell, apple), (right, left), "plain")))
    assert not same(scene, contents(Scene((apple, bell), (right, left), "plain")))
    assert not same(scene, contents(Scene((apple, bell), (left, right), "night")))


@pytest.mark.skipif(not ICONS.exists(), reason="no art package: run npm install in recipes/")
def test_training_leaves_a_judge_that_can_be_loaded(tmp_path: Path) -> None:
    words = replace(DetectorSettings().words, widths=(8, 8, 8))
    schedule = Schedule(steps=2, lr=1e-3, warmup=1, ema=0.9)
    trained = load_judge(train(DetectorSettings(tmp_path, tmp_path / "judge", words, 2, schedule)))
    assert not trained.training
    assert accuracy(trained, count=50) < 0.5
    assert torch.isfinite(trained(torch.zeros(1, 3, 128, 128))[0]).all()
