"""What a search ends with under each budget, from attempts whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from alignment.answers import answer_table
from alignment.records import ImageScore
from benchmarks.data.searched import SearchedPrompt, read_prompts
from benchmarks.read_by_eye import KINDS
from benchmarks.search import (
    IMAGES,
    Searched,
    budget_panel,
    costs,
    ended,
    from_pool,
    over_resampling,
    read_as,
    right_by_budget,
)
from search import Attempt, Cost, Plan
from session.errors import DataError


def attempt(number: int, value: float, holds: bool | None = None) -> Attempt:
    """The best of a search so far, four evaluations each."""
    score, cost = ImageScore("vq2", value), Cost(4, 6, 0.2, 0.1)
    spent = Cost(4 * (number + 1), 0, 1.0, 1.0)
    return Attempt(
        number=number,
        plan=Plan("resample", number),
        image=Image.new("RGB", (8, 8)),
        score=score,
        table=answer_table("a cat", (), [score]),
        chance=value,
        holds=holds,
        mended=(),
        broken=(),
        cost=cost,
        spent=spent,
        best=number,
    )


POOL = [attempt(number, value) for number, value in enumerate(np.linspace(0.1, 0.8, 16))]


def test_the_oracle_needs_one_right_image_and_one_shot_has_the_share():
    right = [True] * 4 + [False] * 12
    found = dict(from_pool(POOL, right, {}))
    assert [each.right for each in found["one shot"]] == [0.25] * 5
    assert found["oracle"][-1].right == 1
    assert [each.right for each in found["oracle"]] == sorted(e.right for e in found["oracle"])


def test_a_score_that_prefers_wrong_images_makes_the_best_of_sixteen_wrong():
    right = [True] * 4 + [False] * 12
    found = dict(from_pool(POOL, right, {"clip": [each.number * -1.0 for each in POOL]}))
    assert found["best of n by vq2"][-1].right == 0
    assert found["best of n by clip"][-1].right == 1


def test_resampling_stops_at_the_first_image_that_is_held_to_be_right():
    pool = [replace(each, holds=each.number > 0) for each in POOL]
    found = dict(from_pool(pool, [True] + [False] * 15, {}))["resample"][-1]
    assert (found.evaluations, found.stopped, found.truly, found.right) == (8, 1, 0, 0)


def test_a_search_that_stopped_at_a_wrong_image_was_not_truly_right():
    attempts = [attempt(0, 0.1), replace(attempt(1, 0.05), best=0), attempt(2, 0.9, True)]
    assert ended(attempts, right=True) == (1, 12, 1, 1)
    assert ended(attempts, right=False) == (0, 12, 1, 0)
    assert ended(attempts[:2], right=True) == (1, 8, 0, 0)


def test_every_image_was_read_twice():
    for each in read_prompts():
        assert {len(each.read), len(each.read_again)} == {IMAGES[-1]}
        letters = {*each.read, *each.read_again, *(letter for _, letter in each.ends.values())}
        assert letters <= {*KINDS}


def test_the_last_image_of_a_strategy_is_one_of_the_sixteen_or_was_read_by_itself():
    images = [Image.new("RGB", (8, 8), (number, 0, 0)) for number in range(18)]
    pool = [replace(each, image=image) for each, image in zip(POOL, images, strict=False)]
    prompt = SearchedPrompt("a cat", 5, "r" + "w" * 15, "w" * 16, {"repair": (3, "s")})
    assert prompt.letter("route", replace(attempt(2, 0.9), image=images[0]), pool) == "r"
    assert prompt.letter("repair", replace(attempt(3, 0.9), image=images[17]), pool) == "s"
    with pytest.raises(DataError, match="nobody has read the image that repair ends with"):
        prompt.letter("repair", replace(attempt(4, 0.9), image=images[17]), pool)


def test_what_vq2_holds_to_be_right_is_counted_by_what_was_read():
    read = [SearchedPrompt("a cat", 5, "rs", "ss")]
    found = [Searched({}, (("r", True), ("s", True)), {})]
    numbers = [*read_as(found, read, np.random.default_rng(7))]
    values = {(each.name, each.about["read"]): each.value for each in numbers}
    assert values["held to be right", "smear"] == 1
    assert values["images", "smear"] == 0.5
    assert values["images, other reader", "smear"] == 1


@pytest.mark.parametrize("prompts", [1, 3])
def test_numbers_and_tables_have_every_way(prompts: int):
    endings = dict(from_pool(POOL, [True] * 16, {}))
    found = [Searched(endings, (), {"resample": 0.3})] * prompts
    generator = np.random.default_rng(7)
    numbers = right_by_budget(found, generator)
    assert [*numbers] == [*endings]
    assert {number.value for row in numbers.values() for number in row} == {1.0}
    assert {number.value for number in over_resampling(found, generator)} == {0.0}
    spent = {(each.name, each.about["way"]): each.value for each in costs(found)}
    assert spent["evaluations", "one shot"] == spent["per right one", "one shot"] == 4
    assert spent["judging, of seconds", "resample"] == pytest.approx(0.3)


def test_the_figure_has_the_ways_that_were_run_over_budgets_that_double():
    found = [Searched(dict(from_pool(POOL, [True] * 16, {})), (), {})]
    panel = budget_panel(right_by_budget(found, np.random.default_rng(7)))
    assert [*panel.series] == ["resample", "best of n by vq2", "oracle"]
    assert panel.series["oracle"] == [(0, 1), (0.25, 1), (0.5, 1), (0.75, 1), (1, 1)]
    assert dict(panel.ticks) == {0: "1", 0.25: "2", 0.5: "4", 0.75: "8", 1: "16"}
