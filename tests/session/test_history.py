"""Runs that are kept: found again with the same images, and what a browser lists of them."""

from dataclasses import replace
from pathlib import Path

from session.history import entry_of, is_whole, recent_runs
from session.link import link_of
from session.state import GridState
from tests.ui.conftest import with_seed


def test_a_run_whose_images_were_swept_is_not_found(state: GridState, tmp_path: Path):
    (copy := tmp_path / "cell.png").write_bytes(b"x")
    files = (str(copy), *state.images.files[1:])
    runs, run = recent_runs(), link_of(state).run
    runs.save(run, replace(state, images=replace(state.images, files=files)))
    assert runs.find(run)
    copy.unlink()
    assert runs.find(run) is None


def test_recent_runs_forget_the_least_recently_used_and_keep_examples(state: GridState):
    runs = recent_runs([with_seed(state, 0)], most=2)
    addresses = [link_of(with_seed(state, seed)).run for seed in range(4)]
    for seed in (1, 2):
        runs.save(addresses[seed], with_seed(state, seed))
    assert runs.find(addresses[1])
    runs.save(addresses[3], with_seed(state, 3))
    assert [bool(runs.find(each)) for each in addresses] == [True, True, False, True]


def test_a_run_is_whole_with_all_images_unless_somebody_opened_it_from_a_file(state: GridState):
    images = replace(state.images, files=(*state.images.files[:3], None))
    lacking, opened = replace(state, images=images), replace(state, opened=True)
    assert [is_whole(each) for each in (state, lacking, opened)] == [True, False, False]


def test_an_entry_shows_the_image_in_first_place(state: GridState):
    entry = entry_of(state)
    assert (entry.prompt, entry.first) == (state.prompt, state.value(state.ranked[0]))
    assert entry.thumbnail.startswith("data:image/jpeg;base64,")
    assert len(entry.thumbnail) < 8000


def test_an_entry_without_a_score_shows_an_image_all_the_same(state: GridState):
    ranking = replace(state.report.ranking, values=(None,) * state.size)
    entry = entry_of(state.with_report(replace(state.report, rankings={"vq2": ranking})))
    assert entry.first is None
    assert entry.thumbnail.startswith("data:image/jpeg;base64,")
