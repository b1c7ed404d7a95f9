"""Faults around a batch run: full disks, damaged files, other processes. Each ends in a sentence or
in the results of a run that nothing happened to.
"""

import json
import logging
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from session.batch.ledger import (
    RESULTS,
    BatchError,
    finalise,
    images_of,
    open_ledger,
    recorded,
)
from session.batch.units import Unit
from session.batch.work import run
from tests.session.batch.conftest import file_size_limit

LEDGER = "records-1-of-1.jsonl"


@pytest.fixture(scope="module")
def few(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return units[:2]


@pytest.fixture(scope="module")
def finished(few: tuple[Unit, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("finished")
    finish(few, folder)
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


def finish(units: tuple[Unit, ...], folder: Path) -> list[int]:
    done = [*run(units, folder)]
    assert finalise(folder, {unit.id: "" for unit in units})
    return done


def first_image(units: tuple[Unit, ...], folder: Path) -> Path:
    return images_of(folder, units[0].id) / "cell-00.png"


def delete(image: Path) -> None:
    image.unlink()


def truncate(image: Path) -> None:
    image.write_bytes(image.read_bytes()[:300])


def swap(image: Path) -> None:
    shutil.copy(image.with_name("cell-01.png"), image)


@pytest.mark.parametrize("damage", [delete, truncate, swap])
@pytest.mark.parametrize("recorded_before", [True, False])
def test_a_damaged_image_is_made_again_and_never_counted_as_filtered(
    damage: Callable[[Path], None],
    recorded_before: bool,
    few: tuple[Unit, ...],
    finished: Path,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
):
    if not recorded_before:
        (folder / LEDGER).unlink()
    damage(first_image(few, folder))
    assert finish(few, folder) == ([1, 2] if recorded_before else [0, 1, 2])
    assert (folder / RESULTS).read_bytes() == (finished / RESULTS).read_bytes()
    assert first_image(few, folder).read_bytes() == first_image(few, finished).read_bytes()
    assert f"{few[0].id} has no record, or was changed; it is generated again" in caplog.text


def test_results_are_not_final_while_an_image_is_missing(few: tuple[Unit, ...], folder: Path):
    first_image(few, folder).unlink()
    assert not finalise(folder, {unit.id: "" for unit in few})


@pytest.mark.parametrize(
    "garbage", [b"not json\n", b"\xff\xfe\n", b"[]\n", b'{"id": 7}\n', b'{"prompt": "a cow"}\n']
)
def test_a_garbage_line_is_set_aside_with_its_number_and_its_unit_is_done_again(
    garbage: bytes,
    few: tuple[Unit, ...],
    finished: Path,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
):
    first, second = (folder / LEDGER).read_bytes().splitlines(keepends=True)
    (folder / LEDGER).write_bytes(first + garbage)
    assert finish(few, folder) == [1, 2]
    assert (folder / LEDGER).read_bytes() == first + second
    assert (folder / "records-1-of-1.bad").read_bytes() == garbage
    assert f"{folder / LEDGER}: line 2 is no record" in caplog.text
    assert (folder / RESULTS).read_bytes() == (finished / RESULTS).read_bytes()


def test_two_records_glued_together_are_one_bad_line(few: tuple[Unit, ...], folder: Path):
    """As a short write left them whose rest never came."""
    first, second = (folder / LEDGER).read_bytes().splitlines(keepends=True)
    (folder / LEDGER).write_bytes(first[:100] + second)
    assert finish(few, folder) == [0, 1, 2]


def test_a_full_disk_under_the_ledger_is_a_sentence_and_no_record_is_lost(
    few: tuple[Unit, ...], finished: Path, tmp_path: Path
):
    progress = run(few, tmp_path)
    assert [next(progress), next(progress)] == [0, 1]
    room = (tmp_path / LEDGER).stat().st_size + 500
    for image in (tmp_path / "images").rglob("*.png"):
        assert image.stat().st_size < room
    with (
        file_size_limit(room),
        pytest.raises(BatchError, match=r"records-1-of-1\.jsonl: .*run the same command"),
    ):
        next(progress)
    assert list(recorded(tmp_path)) == [few[0].id]
    assert (tmp_path / LEDGER).read_bytes().endswith(b"\n"), "the short write was not rolled back"
    finish(few, tmp_path)
    assert (tmp_path / LEDGER).read_bytes() == (finished / LEDGER).read_bytes()


def test_a_full_disk_under_the_images_is_a_sentence_and_leaves_no_part_of_them(
    few: tuple[Unit, ...], tmp_path: Path
):
    with file_size_limit(200), pytest.raises(BatchError, match="File too large; .*--out"):
        [*run(few, tmp_path)]
    assert [*(tmp_path / "images").rglob("*.*")] == []
    finish(few, tmp_path)


def test_a_full_disk_under_the_results_keeps_the_old_ones(few: tuple[Unit, ...], folder: Path):
    before = (folder / RESULTS).read_bytes()
    with file_size_limit(200), pytest.raises(BatchError, match=RESULTS):
        finalise(folder, {unit.id: "" for unit in few})
    assert (folder / RESULTS).read_bytes() == before
    assert {path.name for path in folder.glob(f"*{RESULTS}*")} == {RESULTS}


@pytest.mark.parametrize("place", ["/proc/nowhere", __file__])
def test_a_folder_that_cannot_be_made_is_a_sentence(place: str, few: tuple[Unit, ...]):
    with pytest.raises(BatchError, match=f"cannot write {place}: .*--out"):
        [*run(few, Path(place))]


def test_bad_lines_of_another_worker_who_may_still_be_writing_are_left_alone(tmp_path: Path):
    torn = b'not json\n{"id": "b", "pro'
    (tmp_path / "records-2-of-2.jsonl").write_bytes(torn)
    with open_ledger(tmp_path, "1-of-2") as write:
        write({"id": "a"})
    assert list(recorded(tmp_path)) == ["a"]
    assert (tmp_path / "records-2-of-2.jsonl").read_bytes() == torn


def test_an_error_of_a_model_is_not_taken_for_one_of_the_disk(tmp_path: Path):
    with pytest.raises(OSError, match="torn cable"), open_ledger(tmp_path, "1-of-1"):
        raise OSError("torn cable")


def test_a_record_names_the_hash_of_every_image(few: tuple[Unit, ...], folder: Path):
    record = json.loads((folder / LEDGER).read_bytes().splitlines()[0])
    for each in record["pictures"]:
        file = images_of(folder, record["id"]) / f"cell-{each['cell']:02}.png"
        assert sha256(file.read_bytes()).hexdigest() == each["sha256"]


@pytest.fixture(autouse=True)
def _warnings_are_seen(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING)
