import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.arrays import Floats
from alignment.records import Arrangement
from alignment.set_metrics.expectation import NOVELTIES
from alignment.set_metrics.grid import (
    MetricInputs,
    grid_contributions,
    grid_set_scores,
    grid_value,
)
from alignment.set_metrics.metrics import ERR, RBP, SetMetric
from alignment.set_metrics.named import FAMILIES, NAMED, default_metrics, parse_metric
from alignment.set_metrics.viewing_orders import Saliency
from alignment.signature import VERSION

EVERY_METRIC = [
    family(persistence, novelty, order)
    for family in (RBP, ERR)
    for persistence in (0.0, 0.8, 1.0)
    for novelty in NOVELTIES
    for order in ("saliency", "positional", "uniform")
]

ALIKE = [[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]]
unit = st.floats(0, 1)


@st.composite
def grids(draw: st.DrawFn) -> tuple[list[float], Floats, list[float]]:
    """Relevance, symmetric similarity from -1 to 1, weights over four decades."""
    size = draw(st.integers(1, 7))
    relevance = draw(st.lists(unit, min_size=size, max_size=size))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    similarity = generator.uniform(-1, 1, size=(size, size))
    weights = 10 ** generator.uniform(0, 4, size=size)
    return relevance, (similarity + similarity.T) / 2, weights.tolist()


# Worked numbers


COPIES = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
PATIENT = ERR(persistence=1, novelty="max", order="positional")


@pytest.mark.parametrize(
    ("metric", "arguments", "value"),
    [
        # 1 + 0.8**2, times 1 - 0.8 = 0.328 in the form of Moffat and Zobel (2008)
        (RBP(order="positional"), {"relevance": [1, 0, 1]}, 1.64),
        # with g = f = 1 the first image satisfies
        (ERR(order="positional"), {"relevance": [1, 0, 1]}, 1.0),
        # 0.5 + 0.8 * 0.5 * 0.5 + (0.8 * 0.5)**2 * 0.5
        (ERR(order="positional"), {"relevance": [0.5, 0.5, 0.5]}, 0.78),
        # satisfaction apart from relevance
        (ERR(order="positional"), {"relevance": [1, 1], "satisfaction": [0, 0]}, 1.8),
        (ERR(order="positional"), {"relevance": [1, 1], "satisfaction": [1, 0]}, 1.0),
        # the mean of 1 and 0.8 and 0.64: the one relevant cell is at any rank
        (RBP(order="uniform"), {"relevance": [0, 0, 1]}, 2.44 / 3),
        (ERR(order="uniform"), {"relevance": [0, 0, 1]}, 2.44 / 3),
        # seen first with chance 0.75: 0.75 (1 + 0.8 * 0.5) + 0.25 (0.5 + 0.8 * 1)
        (RBP(), {"relevance": [1, 0.5], "attention": [0.75, 0.25]}, 0.75 * 1.4 + 0.25 * 1.3),
        # 1 + 0.8 (1 - 0.5) + 0.64 (1 - max(0.25, 0.5))
        (
            RBP(novelty="max", order="positional"),
            {"relevance": [1, 1, 1], "similarity": ALIKE},
            1 + 0.8 * 0.5 + 0.64 * 0.5,
        ),
        # 1 + 0.8 (1 - 0.5) + 0.64 (1 - 0.25) (1 - 0.5)
        (
            RBP(novelty="product", order="positional"),
            {"relevance": [1, 1, 1], "similarity": ALIKE},
            1 + 0.8 * 0.5 + 0.64 * 0.375,
        ),
        # an image opposed to an earlier one is new
        (
            RBP(novelty="max", order="positional"),
            {"relevance": [1, 1], "similarity": [[1, -0.5], [-0.5, 1]]},
            1.8,
        ),
        # who is satisfied by a better copy of the first never sees the third, different one
        (PATIENT, {"relevance": [0.5, 0.0, 1.0], "similarity": COPIES}, 1),
        (PATIENT, {"relevance": [0.5, 0.9, 1.0], "similarity": COPIES}, 0.55),
    ],
)
def test_worked_values(metric: SetMetric, arguments: dict[str, Any], value: float) -> None:
    assert metric.score(**arguments) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("metric", "relevance", "seen"),
    [
        (RBP(order="uniform"), [0.3, 0.9, 0.1], 1 + 0.8 + 0.64),
        (ERR(order="positional"), [1, 0, 0], 1),
        (ERR(order="positional"), [0, 1, 0], 1.8),
        # the perfect image is first, second or last: 1, 1.8 or 2.44 images
        (ERR(order="uniform"), [0, 1, 0], (1 + 1.8 + 2.44) / 3),
    ],
)
def test_worked_numbers_of_images_seen(
    metric: SetMetric, relevance: list[float], seen: float
) -> None:
    assert metric.expected_views(relevance) == pytest.approx(seen, abs=1e-12)


# Exactness


def test_the_sampler_brackets_the_exact_expectation() -> None:
    generator = np.random.default_rng(7)
    relevance, weights = generator.uniform(size=9), 10 ** generator.uniform(0, 2, size=9)
    similarity = generator.uniform(size=(9, 9))
    metric = ERR(novelty="max")
    drawn = metric.estimate(
        Saliency(tuple(weights)), relevance, similarity, samples=5_000, generator=generator
    )
    assert drawn.low < metric.score(relevance, similarity, weights) < drawn.high
    assert drawn.high - drawn.low == pytest.approx(4 * 0.98 * drawn.standard_error, rel=1e-4)


# Properties


@given(grid=grids(), metric=st.sampled_from(EVERY_METRIC))
def test_every_metric_lies_between_nothing_and_the_best(
    grid: tuple[list[float], Floats, list[float]], metric: SetMetric
) -> None:
    relevance, similarity, weights = grid
    shares = metric.shares(relevance, similarity, weights)
    assert (shares >= 0).all()
    assert metric.score(relevance, similarity, weights) == pytest.approx(shares.sum())
    assert shares.sum() <= metric.best(len(relevance)) + 1e-9


@given(
    grid=grids(),
    cell=st.integers(0, 6),
    better=unit,
    metric=st.sampled_from([*(RBP(novelty=each) for each in NOVELTIES), ERR()]),
)
def test_raising_one_relevance_never_lowers_rbp_nor_err_without_novelty(
    grid: tuple[list[float], Floats, list[float]], cell: int, better: float, metric: SetMetric
) -> None:
    relevance, similarity, weights = grid
    raised = list(relevance)
    raised[cell % len(raised)] = max(raised[cell % len(raised)], better)
    before = metric.score(relevance, similarity, weights)
    assert metric.score(raised, similarity, weights) >= before - 1e-12


@given(grid=grids(), family=st.sampled_from([RBP, ERR]))
def test_novelty_never_adds_value_and_the_product_is_the_stricter(
    grid: tuple[list[float], Floats, list[float]], family: type[SetMetric]
) -> None:
    none, largest, product = (
        family(novelty=novelty).score(*grid) for novelty in ("none", "max", "product")
    )
    assert none >= largest - 1e-12 >= product - 2e-12


@given(
    grid=grids(),
    metric=st.sampled_from([each for each in EVERY_METRIC if each.order != "positional"]),
)
def test_renaming_the_cells_changes_no_score_but_the_positional(
    grid: tuple[list[float], Floats, list[float]], metric: SetMetric
) -> None:
    relevance, similarity, weights = grid
    back = slice(None, None, -1)
    renamed = metric.shares(relevance[back], similarity[back, back], weights[back])
    np.testing.assert_allclose(
        renamed[back], metric.shares(relevance, similarity, weights), atol=1e-12
    )


def test_perfect_images_that_differ_reach_the_best() -> None:
    for metric in EVERY_METRIC:
        assert metric.score([1] * 4, np.eye(4), [4, 3, 2, 1]) == pytest.approx(metric.best(4))


# Metrics as values


@pytest.mark.parametrize("metric", EVERY_METRIC)
def test_a_metric_parses_back_from_what_it_prints(metric: SetMetric) -> None:
    assert parse_metric(str(metric)) == metric


@pytest.mark.parametrize("name", NAMED)
def test_the_published_variants_have_names(name: str) -> None:
    metric = parse_metric(name)
    assert type(metric).__name__ == re.split("[_^]", name)[0]
    assert metric.order == ("uniform" if "^u" in name else "saliency")
    assert metric.novelty == ("max" if name.endswith("eta") else "none")


@pytest.mark.parametrize(
    "text", ["", "NDCG()", "RBP(0.8)", "RBP(depth=3)", "ERR(persistence=2)", "RBP(order=input())"]
)
def test_what_is_no_metric_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"cannot read the metric .* write e\.g\. ERR"):
        parse_metric(text)


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"persistence": 1.5}, "persistence is 1.5"),
        ({"novelty": "mean"}, "no novelty 'mean'; known: none, max, product"),
        ({"order": "spiral"}, "no viewing order 'spiral'"),
    ],
)
def test_a_setting_out_of_range_is_named(settings_: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RBP(**settings_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"relevance": []}, "give one value per cell"),
        ({"relevance": [1.5]}, r"relevance holds 1.5; every value must be in \[0, 1\]"),
        ({"relevance": [float("nan")]}, "relevance holds nan"),
        ({"relevance": [1, 1], "satisfaction": [1]}, "satisfaction has shape"),
        ({"relevance": [1, 1]}, "needs `similarity`, a matrix of 2 x 2"),
        ({"relevance": [1, 1], "similarity": [[1]]}, "similarity has shape"),
    ],
)
def test_bad_values_are_refused(arguments: dict[str, list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ERR(novelty="max", order="uniform").score(**arguments)  # type: ignore[arg-type]


# Grids


def shown(*cells: int) -> Arrangement:
    """Every place draws as much attention as every other."""
    return Arrangement(cells, (1.0,) * len(cells))


def test_a_grid_is_scored_by_six_metrics_of_each_family_in_each_arrangement() -> None:
    scores = grid_set_scores(
        default_metrics(),
        [0.2, 0.9, 0.4, 0.6],
        {
            "generated": Arrangement((0, 1, 2, 3), (0.1, 0.2, 0.3, 0.4)),
            "reranked": Arrangement((1, 3, 2, 0), (0.4, 0.3, 0.2, 0.1)),
        },
        np.full((4, 4), 0.5),
        MetricInputs("vq2", saliency="mine", similarity="clip@1"),
    )
    assert len(scores) == 2 * len(default_metrics()) == 2 * 6 * len(FAMILIES)
    assert all(0 <= score.normalised <= 1 for score in scores)
    first = scores[0]
    assert (first.metric, first.order, first.arrangement) == ("RBP", "saliency", "generated")
    assert str(first.signature) == (
        "RBP|p:0.8|order:saliency(mine)|expectation:exact|novelty:none|relevance:vq2"
        f"|arrangement:generated|n:4/4|v:{VERSION}"
    )
    assert len({str(score.signature) for score in scores}) == len(scores)


@given(st.integers(1, 8), st.sampled_from(EVERY_METRIC))
def test_eight_images_that_nobody_could_judge_are_worth_no_more_than_eight_wrong_ones(
    missing: int, metric: SetMetric
) -> None:
    alike, arrangement = np.zeros((missing + 1, missing + 1)), shown(*range(missing + 1))
    unknown, wrong = (
        grid_value(metric, values, arrangement, alike)
        for values in ([None] * missing + [1.0], [0.0] * missing + [1.0])
    )
    assert unknown == wrong


def test_a_relevance_that_is_no_number_is_refused_and_not_left_out() -> None:
    with pytest.raises(ValueError, match="relevance holds nan"):
        grid_contributions(RBP(), [float("nan"), 1.0], shown(0, 1))


def test_the_signature_says_how_many_images_have_a_relevance() -> None:
    arrangements = {"reranked": shown(2, 1, 0)}
    (score,) = grid_set_scores([RBP()], [None, 0.5, 1.0], arrangements, None, MetricInputs("vq2"))
    assert score.signature.by_name["n"] == "2/3"


def test_a_cell_without_attention_is_seen_after_all_others() -> None:
    shares = RBP(persistence=0.5).shares([1, 1, 1], attention=[0, 3, 1])
    assert shares[0] == pytest.approx(0.25, abs=1e-9)
    with pytest.raises(ValueError, match="not all may be 0"):
        RBP().shares([1, 1], attention=[0, 0])


def test_a_grid_without_any_judged_image_has_no_scores() -> None:
    arrangements = {"generated": shown(0, 1)}
    assert grid_set_scores([RBP()], [None, None], arrangements, None, MetricInputs("vq2")) == ()
