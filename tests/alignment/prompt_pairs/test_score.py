"""The score of a prompt pair, held to direct enumeration, to coins and to published arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.prompt_pairs.score import drawn_score, expected_score, generation_scores
from alignment.records import DescriptionMatch, MatchMatrix

FIRST, SECOND = DescriptionMatch((True, False)), DescriptionMatch((False, True))
BOTH, NEITHER = DescriptionMatch((True, True)), DescriptionMatch((False, False))
UNREAD = DescriptionMatch((True, None))

PAIRS, GENERATIONS = 150, 4
"""Of the published data set."""


def whole_number(fit: DescriptionMatch, description: int) -> int:
    return int(fit.fits[description] is True)


def by_the_formula(first: DescriptionMatch, second: DescriptionMatch) -> bool:
    """The rule as the paper prints it, for two pictures that fit no description by chance."""
    own = whole_number(first, 0) + whole_number(second, 1)
    crossed = whole_number(first, 1) + whole_number(second, 0)
    return own - crossed == 2


def test_each_of_the_256_patterns_of_four_generations_scores_as_enumerated() -> None:
    patterns = list(product((FIRST, SECOND), repeat=8))
    for pattern in patterns:
        matrix = MatchMatrix((pattern[:4], pattern[4:]))
        right = sum(by_the_formula(*pictures) for pictures in zip(*matrix.fits, strict=True))
        assert expected_score(matrix) == right / 4
        assert drawn_score(matrix, np.random.default_rng(7)) == right / 4
    assert len(patterns) == 256


def test_the_expectation_is_the_mean_over_every_way_the_coins_can_fall() -> None:
    for pattern in product((FIRST, SECOND, BOTH, NEITHER), repeat=4):
        choices = [(FIRST, SECOND) if fit == BOTH else (fit,) for fit in pattern]
        outcomes = [
            Fraction(by_the_formula(a, c) + by_the_formula(b, d), 2)
            for a, b, c, d in product(*choices)
        ]
        matrix = MatchMatrix((pattern[:2], pattern[2:]))
        assert expected_score(matrix) == float(sum(outcomes) / len(outcomes))


def test_coins_give_the_expectation_in_the_long_run() -> None:
    matrix = MatchMatrix(((BOTH, BOTH, FIRST, BOTH), (BOTH, SECOND, BOTH, FIRST)))
    generator = np.random.default_rng(7)
    drawn = [drawn_score(matrix, generator) for _ in range(4000)]
    assert expected_score(matrix) == (1 / 4 + 1 / 2 + 1 / 2 + 0) / 4
    assert np.mean(drawn) == pytest.approx(expected_score(matrix), abs=0.01)


def test_the_same_seed_draws_the_same_score() -> None:
    matrix = MatchMatrix(((BOTH,) * 4, (BOTH,) * 4))
    scores = [drawn_score(matrix, np.random.default_rng(seed)) for seed in (7, 7, *range(20))]
    assert scores[0] == scores[1]
    assert len(set(scores)) > 1


def test_a_generation_with_a_reply_that_could_not_be_read_is_not_judged() -> None:
    mute = DescriptionMatch((None, None))
    matrix = MatchMatrix(((FIRST, UNREAD, FIRST, SECOND), (mute, SECOND, SECOND, FIRST)))
    assert generation_scores(matrix) == (None, None, 1.0, 0.0)
    assert expected_score(matrix) == drawn_score(matrix, np.random.default_rng(7)) == 0.5
    assert matrix.unreadable == 3
    assert expected_score(MatchMatrix(((mute,), (SECOND,)))) is None


def test_the_two_by_two_counts_are_of_pictures_that_fit() -> None:
    matrix = MatchMatrix(((FIRST, BOTH, UNREAD), (SECOND, NEITHER)))
    assert matrix.counts == ((3, 1), (0, 1))


@pytest.mark.parametrize("rows", [((), ()), ((FIRST,), ()), ((FIRST, FIRST), (SECOND,))])
def test_a_score_needs_as_many_pictures_of_one_prompt_as_of_the_other(
    rows: tuple[tuple[DescriptionMatch, ...], tuple[DescriptionMatch, ...]],
) -> None:
    with pytest.raises(ValueError, match="give as many of one as of the other"):
        expected_score(MatchMatrix(rows))


@given(st.lists(st.sampled_from([FIRST, SECOND, BOTH, NEITHER, UNREAD]), min_size=2, max_size=8))
def test_swapping_the_roles_of_the_two_prompts_changes_nothing(
    fits: list[DescriptionMatch],
) -> None:
    half = len(fits) // 2
    first, second = tuple(fits[:half]), tuple(fits[half : 2 * half])
    flipped = [
        tuple(DescriptionMatch((f.fits[1], f.fits[0])) for f in row) for row in (second, first)
    ]
    assert expected_score(MatchMatrix((first, second))) == expected_score(
        MatchMatrix((flipped[0], flipped[1]))
    )


@given(
    st.lists(st.sampled_from([FIRST, SECOND, BOTH, NEITHER]), min_size=2, max_size=2),
    st.sampled_from([FIRST, SECOND, BOTH, NEITHER]),
)
def test_a_better_first_picture_never_lowers_the_score(
    fits: list[DescriptionMatch], worse: DescriptionMatch
) -> None:
    (better,) = generation_scores(MatchMatrix(((FIRST,), (fits[1],))))
    (other,) = generation_scores(MatchMatrix(((worse,), (fits[1],))))
    assert better is not None
    assert other is not None
    assert other <= better


# SD 2.1 and SDXL and DALL-E 3 by CLIP, and SD 2.1 by people: Fu et al., 2024, table 2.
@pytest.mark.parametrize(
    ("right", "published"), [(148, 24.67), (156, 26.00), (241, 40.17), (113, 18.83)]
)
def test_published_accuracies_are_right_generations_out_of_600(
    right: int, published: float
) -> None:
    labels = [FIRST] * right + [NEITHER] * (PAIRS * GENERATIONS - right)
    np.random.default_rng(7).shuffle(labels)  # type: ignore[arg-type]
    pairs = [tuple(labels[k : k + GENERATIONS]) for k in range(0, len(labels), GENERATIONS)]
    scores = [expected_score(MatchMatrix((first, (SECOND,) * GENERATIONS))) for first in pairs]
    assert len(scores) == PAIRS
    assert round(100 * float(np.mean(scores)), 2) == published
