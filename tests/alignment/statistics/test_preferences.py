from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.statistics.preferences import PreferenceAgreement, preference_agreement

SIGNS = st.lists(st.sampled_from([-2.0, -1.0, 1.0, 2.0]), min_size=1, max_size=12)


def agreement(
    preferences: list[float], differences: list[float], prompts: list[object] | None = None
) -> PreferenceAgreement:
    about = prompts or [*range(len(preferences))]
    return preference_agreement(preferences, differences, about, np.random.default_rng(7))


def test_people_s_ties_are_left_out_and_the_metric_s_do_not_agree() -> None:
    """Wilson's of 3 of 4 is .301 to .954; of a metric that never decides nothing is known."""
    found = agreement([2, 1, -1, -2, 0, 1], [0.4, -0.1, -0.2, -0.3, 0.9, 0.0])
    assert found.rate.value == pytest.approx(3 / 5)
    assert (found.n, found.ties, found.metric_ties, found.rate.n) == (5, 1, 1, 5)
    assert found.rate.low < found.rate.value < found.rate.high
    assert [*astuple(found.decided)] == pytest.approx([3 / 4, 0.301, 0.954, 4], abs=1e-3)
    assert [*astuple(agreement([1, 1], [0, 0]).decided)] == [0, 0, 1, 0]


@given(SIGNS)
def test_a_metric_agrees_with_itself_and_never_with_its_opposite(values: list[float]) -> None:
    assert agreement(values, values).rate.value == 1
    assert agreement(values, [-value for value in values]).rate.value == 0


@given(SIGNS, st.randoms())
def test_it_does_not_matter_which_side_stands_first(
    values: list[float], random: np.random.Generator
) -> None:
    metric = [value if index % 3 else -value for index, value in enumerate(values)]
    sides = [random.choice([-1, 1]) for _ in values]
    turned = agreement(
        [value * side for value, side in zip(values, sides, strict=True)],
        [value * side for value, side in zip(metric, sides, strict=True)],
    )
    assert turned == agreement(values, metric)


def test_ten_preferences_about_one_prompt_say_less_than_about_ten() -> None:
    people, metric = [1.0] * 20, ([1.0] * 8 + [-1.0] * 2) * 2
    apart = agreement(people, metric)
    together = agreement(people, metric, [index // 10 for index in range(20)])
    crowded = agreement(people * 3, metric * 3, [*range(20)] * 3)
    assert (together.rate.n, apart.rate.n) == (2, 20)
    assert together.p_value > apart.p_value
    assert crowded.rate.low == pytest.approx(apart.rate.low, abs=0.08)


def test_the_test_finds_agreement_and_its_opposite_and_nothing_in_noise() -> None:
    generator = np.random.default_rng(3)
    people = generator.choice([-1.0, 1.0], size=40)
    noise = generator.choice([-1.0, 1.0], size=40)
    assert agreement([*people], [*people]).p_value < 0.001
    assert agreement([*people], [*-people]).p_value < 0.001
    assert agreement([*people], [*noise]).p_value > 0.05
    assert agreement([*people], [0.0] * 40).p_value == 1


def test_few_prompts_have_an_exact_p_value() -> None:
    """Five prompts agree; of the 32 ways to turn them round two are as extreme."""
    assert agreement([1.0] * 5, [1.0] * 5).p_value == pytest.approx(2 / 32)


def test_nothing_but_ties_is_refused() -> None:
    with pytest.raises(ValueError, match="all 2 preferences are ties"):
        agreement([0, 0], [1, 2])


def test_a_missing_difference_is_refused() -> None:
    with pytest.raises(ValueError, match="2 preferences for 1 differences"):
        agreement([1, -1], [1])
