"""The slides of the presentation and of the tour."""

import re
from collections.abc import Sequence
from dataclasses import replace

from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix
from session.pair_state import AskedPair, PairState
from session.state import GridState
from session.viewer_utility import ViewerUtility, ViewingSettings, viewer_utility
from tests.ui.conftest import ruling_out, unjudged
from tests.ui.reading import read
from ui.render.presentation import about_grid, presentation, tour

PAPERS = ["Yarom", "Arabzadeh", "Fu"]
PAIR = PairState(
    AskedPair("an umbrella in rain", "an umbrella at home", "an open one", "a closed one", 1),
    files=(("1.png",), ("2.png",)),
    matrix=MatchMatrix(((DescriptionMatch((False, True)),), (DescriptionMatch((False, True)),))),
    score=0.0,
    stage="done",
)


def looked_at(state: GridState) -> ViewerUtility:
    """By a viewer who looks at the last place first, whatever is there."""
    view = ViewingSettings("best", "saliency", 0.5, novelty=False)
    return viewer_utility(state.report, view, lambda cells: (0.05, 0.05, 0.1, 0.8))


def lit(state: GridState, cells: Sequence[int]) -> str:
    return "lit.jpeg"


def slides(state: GridState) -> list[str]:
    return [each.text for each in read(presentation(about_grid(state))).all("section", "slide")]


def test_a_grid_is_revealed_step_by_step(state: GridState):
    opening, ranked, worst, best, metrics = slides(state)
    assert "4 images of this" in opening
    assert "#1" not in opening
    assert "#1" in ranked
    assert "✗ #4 of 4" in worst
    assert "✓ #1 of 4" in best
    assert "0.52 → 0.78" in metrics


def test_a_failing_image_has_half_of_the_slide_and_the_prompt_with_counts_the_other(
    state: GridState,
):
    slide = read(about_grid(state)[2])
    (image,) = slide.one("div", "seen").all("img")
    assert image["class"] == "large"
    prompt = slide.one("div", "told").one("p", "asked")
    assert [each.text for each in prompt.all("small")] == ["3/4", "2/4"]
    assert len(prompt.all("s")) == 2


def test_every_slide_has_an_image(state: GridState):
    told = [*about_grid(state), *tour([state], [PAIR], looked_at, lit)]
    told += tour([], [PAIR], looked_at, lit)
    assert all(read(each).all("img") for each in told)


def test_of_images_that_could_not_be_judged_none_is_first_or_last(state: GridState):
    _, ranked = slides(unjudged(state))
    assert "These images could not be judged" in ranked
    assert "#" not in ranked


def test_before_it_is_scored_only_images_are_shown(unscored: GridState):
    assert len(slides(unscored)) == 1


def test_the_tour_tells_of_three_papers(state: GridState):
    found = read(presentation(tour([state], [PAIR], looked_at, lit)))
    cited = [each.text for each in found.all("p", "source")]
    assert [*dict.fromkeys(each.split()[0].rstrip(",") for each in cited)] == PAPERS
    *_, asked, images, _ = found.all("section")
    assert "an open one" not in asked.text
    assert [each.text for each in asked.all("li")] == ["", ""]  # which is right comes next
    assert [each["alt"] for each in asked.all("img")] == [*PAIR.pair.prompts]
    assert [each.text for each in images.one("div", "told").all("li")] == [
        "an open one",
        "a closed one",
    ]
    assert [each["alt"] for each in images.all("img")] == [
        "an umbrella in rain: a closed one",
        "an umbrella at home: a closed one",
    ]
    assert [each.text for each in images.one("div", "seen").all("li")] == ["✗", "✓"]
    wrong = '1 of 1 image of "an umbrella in rain" shows "a closed one" instead of "an open one".'
    assert wrong in images.text


def test_the_tour_lays_the_grid_out_for_a_viewer_whose_eyes_follow_saliency(state: GridState):
    chances = {"vq2": (0.2, 0.1, 0.9, 0.0)}
    state = state.with_report(replace(state.report, relevance=chances))
    found = tour([state], [PAIR], looked_at, lit)
    at = next(place for place, each in enumerate(found) if "visual saliency" in each)
    looked, layout = read(found[at]), read(found[at + 1])
    assert looked.one("img", "large")["src"] == "lit.jpeg"
    assert layout.all("li")[-1].text.startswith("#1")
    reranked, best = (
        float(re.findall(r"0\.\d\d", each.all("p")[1].text)[0]) for each in (looked, layout)
    )
    assert best > reranked + 0.1


def test_the_tour_says_what_a_prompt_rules_out(state: GridState):
    asked = read(tour([ruling_out(state)], [PAIR], looked_at, lit)[1])
    assert [each.text for each in asked.all("b")] == ["black", "not green"]


def test_without_an_example_the_tour_has_the_pair_alone():
    assert "an umbrella at home" in presentation(tour([], [PAIR], looked_at, lit))
