"""Runs that are kept: found again with the same images, deleted for good, safe from a kill."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from session.history import History, Recent, is_whole, recent_runs
from session.link import link_of, read_link
from session.state import GridState

ROOT = Path(__file__).parent.parent.parent


def seeded(state: GridState, seed: int) -> GridState:
    return replace(state, request=replace(state.request, seed=seed))


def keep(runs: History | Recent[GridState], state: GridState) -> None:
    runs.save(state) if isinstance(runs, History) else runs.save(link_of(state).run, state)


def pictures(state: GridState) -> list[bytes]:
    return [Path(file).read_bytes() for file in state.images.files if file]


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "kept", most=3, clock=count().__next__)


@pytest.mark.parametrize("kind", ["history", "recent"])
def test_a_kept_run_is_found_by_its_address(kind: str, history: History, state: GridState):
    runs = history if kind == "history" else recent_runs()
    keep(runs, state)
    found = runs.find(read_link(str(link_of(state)))[0].run)
    assert is_whole(found)
    assert pictures(found) == pictures(state)
    assert found.report.rankings == state.report.rankings
    assert runs.find(link_of(seeded(state, 99)).run) is None


def test_a_run_whose_images_were_swept_is_not_found(state: GridState, tmp_path: Path):
    (copy := tmp_path / "cell.png").write_bytes(b"x")
    files = (str(copy), *state.images.files[1:])
    runs, run = recent_runs(), link_of(state).run
    keep(runs, replace(state, images=replace(state.images, files=files)))
    assert runs.find(run)
    copy.unlink()
    assert runs.find(run) is None


def test_recent_runs_forget_the_least_recently_used_and_keep_examples(state: GridState):
    runs = recent_runs([seeded(state, 0)], most=2)
    for seed in (1, 2):
        keep(runs, seeded(state, seed))
    assert runs.find(link_of(seeded(state, 1)).run)
    keep(runs, seeded(state, 3))
    kept = [bool(runs.find(link_of(seeded(state, seed)).run)) for seed in range(4)]
    assert kept == [True, True, False, True]


def test_a_run_measured_by_another_model_of_attention_comes_back_as_such(
    state: GridState, tmp_path: Path
):
    report = replace(state.report, saliency_model="mit1003")
    request, history = replace(state.request, saliency="mit1003"), History(tmp_path)
    other = replace(state.with_report(report), request=request)
    history.save(other)
    found = history.find(link_of(other).run)
    assert link_of(found).run == link_of(other).run != link_of(state).run


def test_a_run_that_lacks_an_image_is_not_whole(state: GridState):
    images = replace(state.images, files=(*state.images.files[:3], None))
    assert is_whole(state)
    assert not is_whole(replace(state, images=images))


def test_what_somebody_opened_from_a_file_is_no_answer_to_a_link(state: GridState):
    assert not is_whole(replace(state, opened=True))


def test_the_oldest_runs_go_with_the_images_that_no_other_has(history: History, state: GridState):
    for seed in range(4):
        history.save(seeded(state, seed))
    seeds = [read_link(entry.address)[0].seed for entry in history.entries()]
    assert seeds == [3, 2, 1]
    kept = {Path(file).name for file in state.images.files if file}
    assert {file.name for file in history.pictures.folder.iterdir()} == kept
    for seed in (1, 2):
        history.delete(str(link_of(seeded(state, seed))))
    assert {file.name for file in history.pictures.folder.iterdir()} == kept
    history.delete_all()
    assert history.entries() == []
    assert not [*history.pictures.folder.iterdir()]


def test_an_entry_shows_the_picture_in_first_place(history: History, state: GridState):
    history.save(state)
    (entry,) = history.entries()
    assert (entry.prompt, entry.method) == (state.prompt, "vq2")
    assert entry.first == state.value(state.ranked[0])
    assert entry.thumbnail.startswith("data:image/jpeg;base64,")
    assert len(entry.thumbnail) < 8000


def test_an_entry_without_a_score_shows_a_picture_all_the_same(history: History, state: GridState):
    ranking = replace(state.report.ranking, values=(None,) * state.size)
    history.save(state.with_report(replace(state.report, rankings={"vq2": ranking})))
    (entry,) = history.entries()
    assert entry.first is None
    assert entry.thumbnail.startswith("data:image/jpeg;base64,")


def test_nothing_of_a_deleted_prompt_stays_in_the_file(history: History, state: GridState):
    history.save(state)
    history.delete_all()
    with history._connected() as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert state.prompt.encode() not in (history.folder / "history.sqlite3").read_bytes()


KILLED = """
import os, pickle, signal, sys
from session.history import History
state = pickle.load(open(sys.argv[2], "rb"))
History(__import__("pathlib").Path(sys.argv[1])).save(state)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_killed_right_after_a_run_loses_nothing(tmp_path: Path, state: GridState):
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    command = [sys.executable, "-c", KILLED, str(tmp_path / "kept"), str(tmp_path / "state")]
    run = subprocess.run(command, cwd=ROOT, env={**os.environ}, check=False)
    assert run.returncode == -signal.SIGKILL
    found = History(tmp_path / "kept").find(link_of(state).run)
    assert found
    assert pictures(found) == pictures(state)


def test_a_save_that_fails_leaves_the_history_as_it_was(history: History, state: GridState):
    history.save(state)
    lost = replace(state.images, files=("/nowhere/x.png", *state.images.files[1:]))
    with pytest.raises(FileNotFoundError):
        history.save(replace(seeded(state, 8), images=lost))
    assert len(history.entries()) == 1
    found = history.find(link_of(state).run)
    assert found
    assert pictures(found) == pictures(state)
