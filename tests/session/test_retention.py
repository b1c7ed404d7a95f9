"""Files that a server shows: found by name, owned by a run, swept, and gone with the server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PIL import Image

from session.retention import Retention, server_folder, sweep
from session.storage import ContentStore


def aged(folder: Path, name: str, seconds: float, size: int = 10) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x" * size)
    os.utime(file, (1000.0 - seconds, 1000.0 - seconds))
    return file


def test_a_sweep_takes_what_is_too_old_and_empty_folders(tmp_path: Path):
    old, new = aged(tmp_path, "a/b/old.png", 101), aged(tmp_path, "c/new.png", 99)
    sweep(tmp_path, Retention(seconds=100), clock=lambda: 1000.0)
    assert not old.parent.parent.exists()
    assert new.exists()


def test_a_sweep_takes_the_oldest_until_the_rest_is_small_enough(tmp_path: Path):
    for age in range(10):
        aged(tmp_path, f"{age}.png", age)
    sweep(tmp_path, Retention(size=35), clock=lambda: 1000.0)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0.png", "1.png", "2.png"]


def test_an_image_that_is_shown_anew_is_not_old(tmp_path: Path):
    store, image = ContentStore(tmp_path), Image.new("RGB", (8, 8))
    file = store.image(image)
    os.utime(file, (0, 0))
    store.image(image)
    sweep(tmp_path, Retention(seconds=3600))
    assert Path(file).exists()


def test_what_is_kept_for_ever_is_not_swept(tmp_path: Path):
    kept = aged(tmp_path, "examples/old.png", 101)
    sweep(tmp_path, Retention(seconds=100), {"examples"}, clock=lambda: 1000.0)
    assert kept.exists()


def test_a_server_that_ends_leaves_no_file(tmp_path: Path):
    with server_folder(tmp_path) as folder:
        ContentStore(folder / "pictures").image(Image.new("RGB", (8, 8)))
    assert [*tmp_path.iterdir()] == []


def test_what_a_killed_server_left_is_gone_when_the_next_starts_and_a_living_ones_stays(
    tmp_path: Path,
):
    code = """
import os, signal, sys
from pathlib import Path
from session.retention import server_folder
with server_folder(Path(sys.argv[1])) as folder:
    (folder / "left.png").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    (left,) = tmp_path.glob("*/left.png")
    with server_folder(tmp_path) as living:
        assert not left.exists()
        with server_folder(tmp_path):
            assert living.exists()
