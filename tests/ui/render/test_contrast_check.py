"""What the page says of contradictions of the prompt."""

from dataclasses import replace

from alignment.records import ContrastCheck, ImageScore, ScoredCaption
from session.state import GridState
from tests.ui.conftest import PROMPT
from tests.ui.reading import read
from ui.render.contrast_check import NOTHING, UNSCORED, contrast


def caption(text: str, vq2: float | None, clip: float | None) -> ScoredCaption:
    return ScoredCaption(text, {"vq2": ImageScore("vq2", vq2), "clip": ImageScore("clip", clip)})


SAID = caption(PROMPT, 0.97, 0.5)
RED = caption("a red apple and a green backpack", 0.4, 0.5)
PINK = caption("a black apple and a <pink> backpack", None, 0.1)


def contradicted(state: GridState, *others: ScoredCaption) -> str:
    return contrast(replace(state, contrast_check=ContrastCheck(2, SAID, others, len(others))))


def test_nothing_is_said_before_the_check(state: GridState):
    assert contrast(state) == ""


def test_each_contradiction_stands_under_the_prompt_with_its_changed_words(state: GridState):
    rows = read(contradicted(state, RED, PINK)).one("tbody").all("tr")
    assert [row.all("td")[0].text for row in rows] == [PROMPT, RED.text, PINK.text]
    assert [[b.text for b in row.all("b")] for row in rows] == [[], ["red"], ["<pink>"]]


def test_only_a_lower_score_counts_as_right(state: GridState):
    _, red, pink = read(contradicted(state, RED, PINK)).one("tbody").all("tr")
    assert [cell.text for cell in red.all("td")[1:]] == ["✓ 0.40", "✗ 0.50"]
    assert [cell.text for cell in pink.all("td")[1:]] == ["–", "✓ 0.10"]


def test_scores_that_two_places_would_make_alike_are_shown_in_full(state: GridState):
    close = caption("a black apple and a green bucket", 0.9671, 0.5)
    said, other, unjudged = read(contradicted(state, close, PINK)).one("tbody").all("tr")
    assert unjudged.all("td")[1].text == "–"
    assert [cell.text for cell in said.all("td")[1:]] == ["0.9700", "0.50"]
    assert [cell.text for cell in other.all("td")[1:]] == ["✓ 0.9671", "✗ 0.50"]


def test_the_sentence_counts_the_contradictions_that_each_method_scores_lower(state: GridState):
    why = read(contradicted(state, RED, PINK)).one("p", "why").text
    assert why == "Scored lower than the prompt: VQ2 1 of 1 and CLIP 1 of 2."


def test_a_method_that_scores_no_contradiction_is_not_counted(state: GridState):
    unscored = caption("a black apple and a green bucket", None, None)
    assert read(contradicted(state, unscored)).one("p", "why").text == UNSCORED


def test_a_prompt_that_could_not_be_contradicted_says_so(state: GridState):
    assert read(contradicted(state)).one("p", "why").text == NOTHING


def test_the_image_is_known_by_its_seed(state: GridState):
    assert "seed 9" in read(contradicted(state, RED)).one("p", "seed").text
