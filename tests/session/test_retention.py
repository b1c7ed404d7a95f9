"""Files that a server shows: found by name, owned by a run, swept, and gone with the server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from session.retention import Retention, server_folder, sweep
from session.storage import ContentStore
from tests.session.batch.conftest import file_size_limit


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


def test_a_folder_of_another_user_in_a_place_of_all_users_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shared, mine = tmp_path / "tmp", tmp_path / "home"
    for place, mode in ((shared, 0o1777), (mine, 0o700)):
        (place / "visitors").mkdir(parents=True)
        place.chmod(mode)
    with server_folder(shared / "visitors"):
        pass
    me = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: me + 1)
    with pytest.raises(PermissionError, match="belongs to another user"):
        server_folder(shared / "visitors").__enter__()
    with server_folder(mine / "visitors"):
        pass


def test_a_folder_that_is_made_is_open_to_nobody_else(tmp_path: Path):
    with server_folder(tmp_path / "visitors"):
        assert (tmp_path / "visitors").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("kind", ["png", "jpeg"])
def test_of_an_image_that_a_full_disk_cuts_short_nothing_is_left(tmp_path: Path, kind: str):
    store, image = ContentStore(tmp_path), Image.effect_noise((64, 64), 100)
    with file_size_limit(100), pytest.raises(OSError, match="File too large"):
        store.image(image, kind)
    with file_size_limit(100), pytest.raises(OSError, match="File too large"):
        store.content(b"x" * 1000, "report.json")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    with Image.open(store.image(image, kind)) as whole:
        assert whole.size == (64, 64)


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
