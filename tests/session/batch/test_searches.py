"""A search for each prompt of a batch: one image, its attempts, and nothing done twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from generation import InvalidRequestError
from search import Budget
from session.batch import SearchUnit, Unit, finalise, run
from session.batch.ledger import RESULTS
from session.batch.searches import searched

BUDGET = Budget(evaluations=12)


@pytest.fixture(scope="module")
def searches(units: tuple[Unit, ...]) -> tuple[SearchUnit, ...]:
    """The same prompt from two seeds, and one about which the tiny models ask nothing."""
    first, silent = (replace(each, request=replace(each.request, columns=1)) for each in units[:2])
    seeds = [replace(first, request=replace(first.request, seed=seed)) for seed in (7, 20)]
    return tuple(SearchUnit(each, BUDGET) for each in (*seeds, silent))


def test_each_prompt_has_one_image_and_all_its_attempts_and_is_done_once(
    searches: tuple[SearchUnit, ...], tmp_path: Path
):
    first = run(searches, tmp_path, work=searched)
    assert [next(first), next(first)] == [0, 1]
    first.close()
    assert [*run(searches, tmp_path, work=searched)] == [1, 2, 3]
    assert finalise(tmp_path, [each.id for each in searches])
    lines = [json.loads(line) for line in (tmp_path / RESULTS).read_text().splitlines()]
    assert [line["prompt"] for line in lines] == [each.unit.request.prompt for each in searches]
    *found, silent = lines
    assert (silent["attempts"], silent["right"], silent["pictures"]) == ([], None, [])
    assert silent["reason"].startswith('vq2 can ask nothing of an image about "2 apples"')
    for line in found:
        assert (tmp_path / "images" / line["id"] / "cell-00.png").is_file()
        attempts = line["attempts"]
        assert sum(each["evaluations"] for each in attempts) <= BUDGET.evaluations
        assert attempts[line["best"]]["right"] == line["right"]


def test_another_budget_or_strategy_is_other_work(searches: tuple[SearchUnit, ...]):
    one = searches[0]
    others = replace(one, budget=Budget(seconds=9)), replace(one, strategy="repair")
    assert len({one.id, one.unit.id, *(each.id for each in others)}) == 4


def test_a_strategy_that_is_none_is_refused_before_any_work(searches: tuple[SearchUnit, ...]):
    with pytest.raises(InvalidRequestError, match="no strategy 'hope'; known: route"):
        replace(searches[0], strategy="hope")


def test_a_prompt_whose_search_cannot_begin_says_why_and_the_others_go_on(
    searches: tuple[SearchUnit, ...], tmp_path: Path
):
    few = [replace(each, budget=Budget(questions=1)) for each in searches[:2]]
    assert [*run(few, tmp_path, work=searched)][-1] == len(few)
    assert finalise(tmp_path, [each.id for each in few])
    for line in map(json.loads, (tmp_path / RESULTS).read_text().splitlines()):
        assert line["reason"].startswith("the budget is 1 questions; one image of")
