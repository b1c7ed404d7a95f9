"""A search from a finished grid, by tiny models that have no idea what is right."""

import json
import pickle
from pathlib import Path

from alignment.report import report_json, stored_report
from request import Request
from session.jobs import adopt, generate_and_score
from session.link import link_of
from session.search_jobs import IMAGES, find, most
from session.search_state import Found
from session.state import GridState
from session.storage import ContentStore, stored

HARD = "three cats, a turtle and a robot"


def test_a_search_tries_further_seeds_within_its_budget(state: GridState, tmp_path: Path):
    *_, last = find(state, None, ContentStore(tmp_path))
    found = last.search
    assert found.tried[0].plan.seed == state.next_seed
    assert found.tried[-1].spent.evaluations <= (found.budget.evaluations or 0)
    assert len(found.tried) >= IMAGES or found.found == len(found.tried) - 1
    assert all(Path(each.file).is_file() for each in found.tried)
    assert last.report == state.report
    assert pickle.loads(pickle.dumps(last)).search == found


def test_a_search_pressed_again_tries_the_seeds_behind(state: GridState, tmp_path: Path):
    steps = find(state, None, ContentStore(tmp_path))
    first = next(each for each in steps if each.search and each.search.tried)
    again = find(first, None, ContentStore(tmp_path))
    second = next(each for each in again if each.search and each.search.tried)
    assert second.search.tried[0].plan.seed == state.next_seed + 1


def test_a_repair_pressed_again_goes_on(state: GridState, tmp_path: Path):
    steps = find(state, 2, ContentStore(tmp_path))
    first = next(each for each in steps if each.search and each.search.tried)
    again = next(each for each in find(first, 2, ContentStore(tmp_path)) if each.search)
    assert again.search.budget.evaluations == 2 * first.search.budget.evaluations


def test_a_repair_begins_with_the_image_itself(state: GridState, tmp_path: Path):
    steps = find(state, 2, ContentStore(tmp_path))
    first = next(each for each in steps if each.search and each.search.tried)
    (itself,) = first.search.tried
    assert (itself.plan.seed, itself.plan.parent) == (state.seed_of(2), None)
    assert first.search.cell == 2


def test_a_repaired_image_joins_the_grid_and_stays_in_its_report_and_its_link(tmp_path: Path):
    """By the embedded models, of an image that lacks a turtle."""
    store = ContentStore(tmp_path)
    request = Request(HARD, 1, 1, seed=7)
    *_, state = generate_and_score(GridState(request), store)
    searched = next(each for each in find(state, 0, store) if each.search and each.search.tried[1:])
    repaired = searched.search.tried[1]
    assert repaired.plan.parent == 0
    *_, joined = adopt(searched, state.report, searched.search, 1)
    assert joined.file(0) == repaired.file
    assert joined.images.found == {0: Found("repair", 2)}
    assert (joined.seed_of(0), joined.replaced.before.file(0)) == (7, state.file(0))
    written = json.loads(json.dumps(report_json(stored(joined, joined.report))))
    itself, again = written["search"]["attempts"][:2]
    assert (itself["seed"], itself["parent"], again["parent"]) == (7, None, 0)
    assert "turtle" in " ".join(itself["failing"])
    assert itself["evaluations"] == searched.search.tried[0].spent.evaluations
    opened = GridState.from_report(stored_report(written), joined.images.files)
    assert (opened.images.found, opened.seed_of(0)) == (joined.images.found, 7)
    *_, again = generate_and_score(link_of(joined).state, store)
    assert again.images.files == joined.images.files
    assert again.images.found == joined.images.found


def test_a_repair_of_a_repaired_image_makes_it_again_and_goes_on(tmp_path: Path):
    """By the embedded models, of an image that no repair has mended so far."""
    store = ContentStore(tmp_path)
    *_, state = generate_and_score(GridState(Request(HARD, 1, 1, seed=8)), store)
    searched = next(each for each in find(state, 0, store) if each.search and each.search.tried[1:])
    *_, joined = adopt(searched, state.report, searched.search, 1)
    on = next(each for each in find(joined, 0, store) if each.search and each.search.tried[2:])
    assert on.search.tried[1].plan.parent == 0
    assert [e.file for e in on.search.tried[:2]] == [e.file for e in searched.search.tried]
    assert on.search.budget.evaluations == 2 * searched.search.budget.evaluations


def test_a_link_can_name_every_attempt_of_a_search_however_often_it_is_gone_on_with(
    state: GridState,
):
    images = [(most(state, attempt).evaluations or 0) for attempt in (0, 1, 16, 17, 99)]
    one = images[0] // IMAGES
    assert [each // one for each in images] == [16, 32, 32, 48, 96]


def test_an_attempt_with_a_new_seed_joins_the_grid_as_an_image_made_again(
    state: GridState, tmp_path: Path
):
    steps = find(state, None, ContentStore(tmp_path))
    searched = next(each for each in steps if each.search and each.search.tried)
    *_, joined = adopt(searched, state.report, searched.search, 0)
    assert joined.seed_of(state.worst) == state.next_seed
    assert not joined.images.found
    assert joined.report.scores["vq2"][state.worst].value is not None
