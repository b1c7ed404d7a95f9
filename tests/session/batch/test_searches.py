"""A search for each prompt of a batch: one image, its attempts, and nothing done twice."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from generation import InvalidRequestError
from search import Budget
from session.batch.ledger import RESULTS, finalise
from session.batch.units import Search, Unit
from session.batch.work import run

BUDGET = Budget(evaluations=12)


@pytest.fixture(scope="module")
def searches(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The same prompt from two seeds, and one about which the tiny models ask nothing."""
    first, silent = (replace(each, request=replace(each.request, columns=1)) for each in units[:2])
    seeds = [replace(first, request=replace(first.request, seed=seed)) for seed in (7, 20)]
    return tuple(replace(each, search=Search(BUDGET)) for each in (*seeds, silent))


def test_each_prompt_has_one_image_and_all_its_attempts_and_is_done_once(
    searches: tuple[Unit, ...], tmp_path: Path
):
    first = run(searches, tmp_path)
    assert [next(first), next(first)] == [0, 1]
    first.close()
    assert [*run(searches, tmp_path)] == [1, 2, 3]
    assert finalise(tmp_path, {each.id: "" for each in searches})
    lines = [json.loads(line) for line in (tmp_path / RESULTS).read_text().splitlines()]
    assert [line["prompt"] for line in lines] == [each.request.prompt for each in searches]
    *found, silent = lines
    assert (silent["attempts"], silent["right"], silent["pictures"]) == ([], None, [])
    assert silent["reason"].startswith('VQ2 can ask nothing of an image about "2 apples"')
    for line in found:
        assert (tmp_path / "images" / line["id"] / "cell-00.png").is_file()
        attempts = line["attempts"]
        assert sum(each["evaluations"] for each in attempts) <= BUDGET.evaluations
        assert attempts[line["best"]]["right"] == line["right"]


def test_another_budget_or_strategy_is_other_work(searches: tuple[Unit, ...]):
    ways = None, Search(BUDGET), Search(Budget(seconds=9)), Search(BUDGET, "repair")
    assert len({replace(searches[0], search=each).id for each in ways}) == 4


def test_a_strategy_that_is_none_is_refused_before_any_work():
    with pytest.raises(InvalidRequestError, match="no strategy 'hope'; known: route"):
        Search(BUDGET, "hope")


def test_a_prompt_whose_search_cannot_begin_says_why_and_the_others_go_on(
    searches: tuple[Unit, ...], tmp_path: Path
):
    few = [replace(each, search=Search(Budget(questions=1))) for each in searches[:2]]
    assert [*run(few, tmp_path)][-1] == len(few)
    assert finalise(tmp_path, {each.id: "" for each in few})
    for line in map(json.loads, (tmp_path / RESULTS).read_text().splitlines()):
        assert line["reason"].startswith("the budget is 1 questions; one image of")
