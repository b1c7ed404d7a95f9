"""The set metrics of a grid, in a sentence and in numbers, and what each image contributes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from alignment.records import Arrangement, GridReport, SetScore
from session.attention import DIMMEST, overlay
from session.state import GridState
from session.viewer_utility import viewer_utility
from tests.session.reports import report as judged
from tests.session.test_viewer_utility import BEST, ROW_BY_ROW, even, report
from tests.ui.conftest import PARTLY, set_scores
from tests.ui.reading import read
from ui.render.summary import (
    METRICS,
    about_best,
    figures,
    largest_contribution,
    saliency,
    sentence,
    summary,
    why_unmeasured,
)

VIEWS = {"generated": 2.4, "reranked": 1.3}


def measured(grid: GridReport) -> str:
    """The summary for a viewer who goes row by row."""
    return summary(grid, ROW_BY_ROW, viewer_utility(grid, ROW_BY_ROW, even))


def plain(before: float, after: float) -> list[SetScore]:
    return [s for s in set_scores("positional", before, after) if "novelty" not in s.metric]


def novel(before: float, after: float) -> list[SetScore]:
    return [s for s in set_scores("positional", before, after) if "novelty" in s.metric]


def best(value: float) -> list[SetScore]:
    return [SetScore(name, "positional", "best", value, value, name) for name in ("ERR", "RBP")]


def test_the_best_layout_comes_third_and_its_gain_is_said():
    document = read(figures([*plain(0.52, 0.78), *best(0.81)], None))
    heads = [head.text for head in document.one("thead").all("th")]
    assert heads == ["as generated", "reranked", "best layout"]
    shown = [f.text for f in document.all("tr", "metric")[0].all("span", "figure")]
    assert shown == ["0.52", "0.78", "0.81"]
    none = {"generated": 0.52, "reranked": 0.78, "best": 0.78}
    assert about_best(none).startswith("No layout was found with a higher ERR")
    made = judged(0.9, 0.9)
    assert about_best(none) in summary(made, BEST, viewer_utility(made, BEST, even))


@pytest.mark.parametrize("method", ["vq2", "mean"])
def test_figures_of_a_prompt_that_was_judged_in_part_say_so(method: str):
    made = judged(0.2, 0.9)
    whole = replace(
        made,
        ranked_by=method,
        rankings={method: made.ranking},
        relevance={method: made.relevance["vq2"]},
    )
    scores = tuple(replace(each, coverage=PARTLY) for each in whole.scores["vq2"])
    partly = replace(whole, scores={**whole.scores, "vq2": scores})
    said = [read(measured(each)).one("p", "meaning").text for each in (whole, partly)]
    left_out = " Words that could not be judged are left out of these figures."
    assert said[1] == said[0] + left_out


def test_words_come_before_numbers_and_each_number_says_what_it_is():
    html = measured(judged(0.2, 0.9))
    assert html.index('class="meaning"') < html.index('class="metrics"')
    heads = [row.one("th").text for row in read(html).all("tr", "metric")]
    for head, metric, plainly in zip(
        heads, METRICS, ("expected reciprocal", "rank-biased"), strict=True
    ):
        assert head.startswith(metric)
        assert plainly in head


def test_diversity_is_one_number_whatever_the_layout():
    document = read(figures(plain(0.52, 0.78), 0.137))
    assert "0.14 in any layout" in document.one("tr", "baseline").text
    assert not read(figures(plain(0.5, 0.7), None)).all("tr", "baseline")


def test_the_full_figure_and_its_signature_are_on_hover():
    document = read(figures(novel(0.52, 0.78), None))
    hover = document.all("span", "figure")[0]["title"]
    assert "ERR+novelty|p:0.8|order:positional = 0.520000" in hover
    assert "0.260000 of the best" in hover


@pytest.mark.parametrize(
    ("before", "after", "shown", "gain"),
    [
        (0.52, 0.78, ["0.52", "0.78"], "▲ +0.26"),
        (0.947, 0.994, ["0.95", "0.99"], "▲ +0.04"),
        (0.004, 0.006, ["0.00", "0.01"], "▲ +0.01"),
        (0.78, 0.52, ["0.78", "0.52"], "▼ −0.26"),
    ],
)
def test_the_gain_is_the_difference_of_the_numbers_shown(
    before: float, after: float, shown: list[str], gain: str
):
    document = read(figures(plain(before, after), None))
    pairs = [[f.text for f in row.all("span", "figure")] for row in document.all("tr", "metric")]
    assert pairs == [shown] * 2
    assert [each.text for each in document.all("td", "change")] == [gain] * 2


@pytest.mark.parametrize(
    ("err", "rbp", "order", "says"),
    [
        ((0.52, 0.78), (2.1, 2.9), "positional", "Reranking helps a viewer who goes row by row:"),
        ((0.78, 0.52), (2.9, 2.1), "saliency", "ERR falls by 0.26, RBP falls by 0.80."),
        ((0.52, 0.521), (2.1, 2.1), "positional", "Reranking changes neither ERR nor RBP"),
        ((0.52, 0.52), (2.1, 2.24), "positional", "goes row by row: RBP rises by 0.14."),
        ((0.5, 0.6), (2.2, 2.1), "saliency", "Reranking has mixed effects for a viewer"),
        ((0.52, 0.52), (2.1, 2.1), "uniform", "In random order only the images count"),
    ],
)
def test_the_sentence_follows_both_numbers(
    err: tuple[float, float], rbp: tuple[float, float], order: str, says: str
):
    names = ("generated", "reranked")
    changes = [dict(zip(names, each, strict=True)) for each in (err, rbp)]
    assert says in sentence(*changes, order, VIEWS)


def test_an_order_under_which_reranking_does_something_else_is_told_in_the_same_sentence():
    """The paper's order comes first; what holds row by row only is not said of everybody."""
    err, rbp = {"generated": 0.78, "reranked": 0.7}, {"generated": 2.9, "reranked": 2.9}
    rows = ({"generated": 0.52, "reranked": 0.78}, {"generated": 2.1, "reranked": 2.9})
    said = sentence(err, rbp, "saliency", VIEWS, otherwise=("positional", rows))
    assert said.startswith(
        "Reranking hurts a viewer who goes by visual saliency: ERR falls by 0.08. The viewer"
    )
    assert said.endswith("It helps one who goes row by row: ERR rises by 0.26, RBP rises by 0.80.")
    alike = sentence(*rows, "positional", VIEWS, otherwise=("saliency", rows))
    assert "by visual saliency" not in alike
    still = ({"generated": 0.5, "reranked": 0.5}, {"generated": 2.1, "reranked": 2.1})
    said = sentence(*rows, "saliency", VIEWS, otherwise=("positional", still))
    assert "It changes neither ERR nor RBP for one who goes row by row." in said


def test_where_no_image_can_be_said_to_be_right_reranking_is_not_said_to_help():
    err, rbp = {"generated": 0.03, "reranked": 0.05}, {"generated": 0.04, "reranked": 0.07}
    said = sentence(err, rbp, "positional", VIEWS, some_right=False)
    assert said.startswith("No image is judged right. What reranking changes for")
    assert "ERR rises by 0.02, RBP rises by 0.03" in said
    assert "helps" not in said


def test_err_with_novelty_is_not_called_a_probability():
    small = [small.text for small in read(figures(novel(0.5, 0.7), None)).all("small")]
    assert "no probability" in small[0]


def test_the_formulas_are_there_on_demand():
    formulas = read(measured(judged(0.2, 0.9))).one("details", "formulas")
    assert "no factor (1 − p)" in formulas.text
    assert "not 1/i" in formulas.text
    assert "the calibrated chance that an image shows what its prompt asks for" in formulas.text


def test_a_grid_without_any_value_says_so():
    assert "No image has a score" in measured(report((None, None)))


def test_novelty_that_nobody_stored_could_not_be_judged_and_the_page_says_why():
    unknown, novel = replace(report((0.2, 0.4)), similarity=None), replace(BEST, novelty=True)
    found = viewer_utility(unknown, novel, even)
    said = summary(unknown, novel, found)
    assert "Could not judge novelty: how alike these images are was not stored" in said
    assert why_unmeasured(unknown, BEST) == ""
    assert why_unmeasured(report((0.2, 0.4)), novel) == ""


SHOWN = Arrangement((2, 0, 1, 3), (0.4, 0.3, 0.2, 0.1))
Parts = tuple[float | None, ...]


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_more_attention_is_never_darker(densities: list[float]):
    lit = overlay(Image.new("RGB", (3, 2), "white"), np.reshape(densities, (2, 3)))
    light = np.asarray(lit)[:, :, 0].ravel()
    by_density = light[np.argsort(densities, kind="stable")]
    assert np.all(np.diff(by_density.astype(int)) >= 0)
    assert light.min() >= int(255 * DIMMEST)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ((0.95, 0.05, 0.0, 0.0), "#1 (seed 9) contributes 95 % of ERR."),
        ((0.05, 0.35, 0.6, None), "#3 (seed 8) contributes 60 % of ERR. 2 images together"),
        ((0.0, None, 0.0, 0.0), "No image contributes to ERR here."),
        ((0.002, 0.001, 0.0, 0.0), "No image contributes to ERR here."),
    ],
)
def test_the_largest_contribution_is_named(state: GridState, parts: Parts, says: str):
    assert largest_contribution(state, SHOWN, parts).startswith(says)


def test_each_place_shows_its_attention_over_the_lit_grid(state: GridState):
    lit = saliency(state, SHOWN, (0.6, 0.3, 0.1, 0.0), "lit.jpeg")
    attention = read(lit).one("span", "attention").all("b")
    assert [each.text for each in attention] == ["40%", "30%", "20%", "10%"]
    assert attention[0]["title"] == "seed 9 draws 0.400000 and contributes 0.600000"
