"""User models: exact where chance to go on and discount allow it, sampled elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignment.set_metrics.expectation import (
    NOVELTIES,
    NotSeparableError,
    Novelty,
    attention_along,
    expected_attention,
)
from alignment.set_metrics.metrics import RBP, SetMetric
from alignment.set_metrics.named import parse_metric
from alignment.set_metrics.user_models import DCG, RowSkipping, expected
from alignment.set_metrics.viewing_orders import Floats, Saliency


def over_all_orders(weights: Floats, continuation: Floats, *others: object) -> Floats:
    """The mean attention over all k! orders, each with its Plackett-Luce chance."""
    orders = np.array([*permutations(range(weights.size))])
    left = np.cumsum(weights[orders][:, ::-1], axis=1)[:, ::-1]
    chances = (weights[orders] / left).prod(axis=1)
    return np.asarray(chances @ attention_along(orders, continuation, *others))  # type: ignore[arg-type]


@given(size=st.integers(1, 5), novelty=st.sampled_from(NOVELTIES), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_a_factor_by_rank_and_any_discount_are_exact(
    size: int, novelty: Novelty, seed: int
) -> None:
    generator = np.random.default_rng(seed)
    weights = 10 ** generator.uniform(0, 3, size=size)
    similarity = generator.uniform(size=(size, size))
    continuation = np.outer(generator.uniform(size=size), generator.uniform(size=size))
    discount = generator.uniform(size=(size, size))
    exact = expected_attention(
        Saliency(tuple(weights)), continuation, similarity, novelty, discount
    )
    found = over_all_orders(weights, continuation, similarity, novelty, discount)
    assert exact == pytest.approx(found, abs=1e-10)


@dataclass(frozen=True, repr=False)
class Tiring(SetMetric):
    """A viewer of one's own, whom good images hold the less the more were seen."""

    def goes_on(self, rank: Floats, place: Floats, satisfaction: Floats) -> Floats:
        return np.asarray(self.persistence ** (1 + rank * satisfaction))


def test_a_chance_that_mixes_rank_and_image_is_sampled_with_its_interval() -> None:
    metric, relevance, weights = Tiring(), np.array([0.9, 0.1, 0.6, 0.4]), np.array([4.0, 1, 2, 3])
    with pytest.raises(NotSeparableError, match="sample it with `user_models.expected`"):
        metric.score(relevance, attention=weights)
    found = expected(metric, relevance, attention=weights, generator=np.random.default_rng(7))
    continuation = metric.continuation(relevance)
    true = over_all_orders(weights, continuation, np.zeros((4, 4))) @ relevance
    assert found.low < true < found.high
    assert (found.n, found.high - found.low < 0.05) == (10_000, True)
    by_row = expected(Tiring(order="positional"), relevance, generator=np.random.default_rng(7))
    assert by_row.n == 0, "one order alone is exact"


def test_dcg_counts_by_rank_whatever_the_place() -> None:
    """Two cells in either order: 1 / log2 2 and 1 / log2 3 of each, on average."""
    both = (1 + 1 / np.log2(3)) / 2
    assert DCG(order="uniform").shares([1.0, 0.5]) == pytest.approx([both, both / 2])
    assert DCG().normalised([1.0, 1.0, 1.0], attention=[1, 2, 3]) == pytest.approx(1)


def test_a_reader_who_skips_rows_is_the_mean_over_the_rows_that_are_read() -> None:
    """Enumerated: each of three rows read or not, patience falling with images read alone."""
    reader, relevance = RowSkipping(0.7, columns=2, skipped=0.3), np.linspace(0.1, 1, 6)
    total = 0.0
    for read in product([True, False], repeat=3):
        places = [place for place in range(6) if read[place // 2]]
        seen = sum(relevance[place] * 0.7**t for t, place in enumerate(places))
        total += seen * 0.7 ** sum(read) * 0.3 ** (3 - sum(read))
    assert reader.score(relevance) == pytest.approx(total)
    plain = RowSkipping(0.7, columns=2, skipped=0)
    assert plain.score(relevance) == pytest.approx(RBP(0.7, order="positional").score(relevance))


@pytest.mark.parametrize("metric", [DCG(order="uniform"), RowSkipping(0.5, columns=4)], ids=str)
def test_a_user_model_prints_as_what_is_read_back_and_signs_its_settings(metric: SetMetric) -> None:
    assert parse_metric(str(metric)) == metric
    signature = str(metric.signature("vq2"))
    assert ("|columns:4|skipped:0.2" in signature) == isinstance(metric, RowSkipping)


@pytest.mark.parametrize(("columns", "skipped"), [(0, 0.2), (3, 1.5)])
def test_a_row_without_columns_and_a_chance_above_1_are_refused(
    columns: int, skipped: float
) -> None:
    with pytest.raises(ValueError, match="they must be 1 or more, and in"):
        RowSkipping(columns=columns, skipped=skipped)
