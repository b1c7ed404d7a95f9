"""The score of a prompt pair, held to direct enumeration."""

from fractions import Fraction
from itertools import product

import pytest

from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix
from alignment.prompt_pairs.score import expected_score, generation_scores

FIRST, SECOND = DescriptionMatch((True, False)), DescriptionMatch((False, True))
BOTH, NEITHER = DescriptionMatch((True, True)), DescriptionMatch((False, False))
UNREAD = DescriptionMatch((True, None))


def whole_number(fit: DescriptionMatch, description: int) -> int:
    return int(fit.fits[description] is True)


def by_the_formula(first: DescriptionMatch, second: DescriptionMatch) -> bool:
    """The rule as the paper prints it, for two images that fit no description by chance."""
    own = whole_number(first, 0) + whole_number(second, 1)
    crossed = whole_number(first, 1) + whole_number(second, 0)
    return own - crossed == 2


def test_the_expectation_is_the_mean_over_every_way_the_coins_can_fall() -> None:
    for pattern in product((FIRST, SECOND, BOTH, NEITHER), repeat=4):
        choices = [(FIRST, SECOND) if fit == BOTH else (fit,) for fit in pattern]
        outcomes = [
            Fraction(by_the_formula(a, c) + by_the_formula(b, d), 2)
            for a, b, c, d in product(*choices)
        ]
        matrix = MatchMatrix((pattern[:2], pattern[2:]))
        assert expected_score(matrix) == float(sum(outcomes) / len(outcomes))


def test_a_generation_with_a_reply_that_could_not_be_read_is_not_judged() -> None:
    mute = DescriptionMatch((None, None))
    matrix = MatchMatrix(((FIRST, UNREAD, FIRST, SECOND), (mute, SECOND, SECOND, FIRST)))
    assert generation_scores(matrix) == (None, None, 1.0, 0.0)
    assert expected_score(matrix) == 0.5
    assert expected_score(MatchMatrix(((mute,), (SECOND,)))) is None


@pytest.mark.parametrize("rows", [((), ()), ((FIRST,), ()), ((FIRST, FIRST), (SECOND,))])
def test_a_score_needs_as_many_images_of_one_prompt_as_of_the_other(
    rows: tuple[tuple[DescriptionMatch, ...], tuple[DescriptionMatch, ...]],
) -> None:
    with pytest.raises(ValueError, match="give as many of one as of the other"):
        expected_score(MatchMatrix(rows))
