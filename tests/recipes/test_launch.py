"""Recipes as `accelerate launch` starts them, here on the processor, and in two processes."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from accelerate.commands.launch import launch_command, launch_command_parser

from benchmarks.stickers.detector import load_detector
from tests.recipes.art import needs_art

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    "ACCELERATE_USE_CPU": "true",
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": str(ROOT),
}


def start(*command: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **ENVIRONMENT, **environment},
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(run: subprocess.Popen[str]) -> None:
    _, errors = run.communicate()
    assert run.returncode == 0, errors[-2000:]


@needs_art
def test_a_recipe_is_one_command_that_accelerate_launches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(ROOT)
    target = tmp_path / "detector"
    launch = ("--cpu", "--num_processes", "1", "--num_machines", "1", "--mixed_precision", "no")
    recipe = ("-m", "recipes", "detector", "--run", str(tmp_path / "run"), "--target", str(target))
    command = (*launch, *recipe, "--steps", "2")
    launch_command(launch_command_parser().parse_args(command))
    assert load_detector(target).vocabulary.looks


def test_two_processes_draw_their_own_data_and_keep_the_same_weights(tmp_path: Path) -> None:
    script = Path(__file__).with_name("two_processes.py")
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = str(place.getsockname()[1])
    together = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
    ranks = [{"RANK": rank, "LOCAL_RANK": rank, "LOCAL_WORLD_SIZE": "2"} for rank in "01"]
    for run in [start(str(script), str(tmp_path), **together, **rank) for rank in ranks]:
        finish(run)
    weights = [torch.load(tmp_path / f"weight-{rank}.pt") for rank in range(2)]
    drawn = [torch.load(tmp_path / f"drawn-{rank}.pt") for rank in range(2)]
    assert weights[0].equal(weights[1])
    assert not drawn[0].equal(drawn[1])
    made = [torch.load(tmp_path / f"made-{rank}.pt").tolist() for rank in range(2)]
    assert made == [[0, 1, 0], [0, 1, 0]], "each computes its share, and both have all of them"
