"""A search from a finished grid, by tiny models that have no idea what is right."""

from __future__ import annotations

import pickle
from pathlib import Path

from session.search_jobs import IMAGES, find
from session.state import GridState
from session.storage import ContentStore


def test_a_search_tries_further_seeds_within_its_budget(state: GridState, tmp_path: Path):
    *_, last = find(state, None, ContentStore(tmp_path))
    found = last.search
    assert found.tried[0].plan.seed == state.next_seed
    assert found.tried[-1].spent.evaluations <= (found.budget.evaluations or 0)
    assert len(found.tried) >= IMAGES or found.found == len(found.tried) - 1
    assert all(Path(each.file).is_file() for each in found.tried)
    assert last.report == state.report
    assert pickle.loads(pickle.dumps(last)).search == found


def test_a_repair_begins_with_the_image_itself(state: GridState, tmp_path: Path):
    steps = find(state, 2, ContentStore(tmp_path))
    first = next(each for each in steps if each.search and each.search.tried)
    (itself,) = first.search.tried
    assert (itself.plan.seed, itself.plan.parent) == (state.seed_of(2), None)
    assert first.search.cell == 2
