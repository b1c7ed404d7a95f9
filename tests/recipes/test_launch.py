"""Recipes as `accelerate launch` starts them, here on the processor, and in two processes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

if find_spec("resvg_py") is None:
    pytest.skip("no resvg_py: pip install -r recipes/requirements.txt", allow_module_level=True)

from benchmarks.stickers.detector import load_detector
from recipes.world.art import ICONS

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    **os.environ,
    "ACCELERATE_USE_CPU": "true",
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": str(ROOT),
}


def run(*command: str) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.skipif(not ICONS.exists(), reason="no icon packages: run npm install in recipes/")
def test_a_recipe_is_one_command_that_accelerate_launches(tmp_path: Path) -> None:
    target = tmp_path / "detector"
    launch = ("-m", "accelerate.commands.launch", "--cpu", "--num_processes", "1", "-m")
    folders = ("--run", str(tmp_path / "run"), "--target", str(target))
    run(*launch, "recipes", "detector", *folders, "--steps", "2", "--test-scenes", "10")
    assert load_detector(target).vocabulary.looks


def test_two_processes_draw_their_own_data_and_keep_the_same_weights(tmp_path: Path) -> None:
    script = Path(__file__).with_name("two_processes.py")
    run("-m", "torch.distributed.run", "--nproc_per_node", "2", str(script), str(tmp_path))
    weights = [torch.load(tmp_path / f"weight-{rank}.pt") for rank in range(2)]
    drawn = [torch.load(tmp_path / f"drawn-{rank}.pt") for rank in range(2)]
    assert weights[0].equal(weights[1])
    assert not drawn[0].equal(drawn[1])
