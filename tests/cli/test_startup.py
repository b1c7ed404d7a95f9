"""What keeps a command from starting is one sentence, not a traceback."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from app import program
from cli.program import memory_is_short

APP = Path(__file__).parents[2] / "app.py"
ASKED = ("a red apple", "--rows", "1", "--columns", "1")


def start(
    *arguments: str, cwd: Path, address_space: int | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if address_space:
            resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))

    return subprocess.run(
        [sys.executable, str(APP), *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_little_address_space_is_a_sentence(tmp_path: Path):
    run = start(*ASKED, cwd=tmp_path, address_space=1_000_000_000)
    assert run.returncode == 1
    assert "there is too little memory for this command" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("error", [ValueError("no such file"), RuntimeError("shape mismatch")])
def test_no_other_error_is_taken_for_too_little_memory(error: Exception):
    assert not memory_is_short(error)


def test_a_hub_out_of_reach_at_the_start_may_be_within_reach_later(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("HF_HUB_OFFLINE", "")
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
    with pytest.raises(SystemExit):
        program(["generate", ""])
    assert not os.environ["HF_HUB_OFFLINE"]


def test_a_command_does_not_look_through_its_libraries_again_and_again(
    request: pytest.FixtureRequest,
):
    request.addfinalizer(partial(gc.set_threshold, *gc.get_threshold()))
    gc.set_threshold(700)
    with pytest.raises(SystemExit):
        program([""], standalone_mode=False)
    before = gc.get_stats()[0]["collections"]
    libraries = [[] for _ in range(50_000)]
    assert gc.get_stats()[0]["collections"] == before
    assert len(libraries) == 50_000
