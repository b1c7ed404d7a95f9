"""What the page says of contradictions of the prompt."""

from __future__ import annotations

from alignment.records import HeldText, ImageScore, Notice
from session.state import Board
from tests.ui.conftest import PROMPT
from tests.ui.reading import read
from ui.render.contrast_check import NOTHING, notice


def held(text: str, vq2: float | None, clip: float) -> HeldText:
    return HeldText(text, {"vq2": ImageScore("vq2", vq2), "clip": ImageScore("clip", clip)})


SAID = held(PROMPT, 0.97, 0.5)
RED = held("a red apple and a green backpack", 0.4, 0.5)
PINK = held("a black apple and a <pink> backpack", None, 0.1)


def contradicted(board: Board, *others: HeldText) -> str:
    return notice(board.contradicted(Notice(2, SAID, others, len(others))))


def test_nothing_is_said_before_it_is_asked(board: Board):
    assert notice(board) == ""


def test_each_contradiction_stands_under_the_prompt_with_its_changed_words(board: Board):
    rows = read(contradicted(board, RED, PINK)).one("tbody").all("tr")
    assert [row.all("td")[0].text for row in rows] == [PROMPT, RED.text, PINK.text]
    assert [[b.text for b in row.all("b")] for row in rows] == [[], ["red"], ["<pink>"]]


def test_a_score_that_is_lower_has_noticed_and_one_that_is_as_high_has_not(board: Board):
    _, red, pink = read(contradicted(board, RED, PINK)).one("tbody").all("tr")
    assert [cell.text for cell in red.all("td")[1:]] == ["✓ 0.40", "✗ 0.50"]
    assert [cell.text for cell in pink.all("td")[1:]] == ["–", "✓ 0.10"]


def test_scores_that_two_places_would_make_alike_are_shown_in_full(board: Board):
    close = held("a black apple and a green bucket", 0.9671, 0.5)
    said, other, unjudged = read(contradicted(board, close, PINK)).one("tbody").all("tr")
    assert unjudged.all("td")[1].text == "–"
    assert [cell.text for cell in said.all("td")[1:]] == ["0.9700", "0.50"]
    assert [cell.text for cell in other.all("td")[1:]] == ["✓ 0.9671", "✗ 0.50"]


def test_the_sentence_counts_what_each_method_noticed(board: Board):
    why = read(contradicted(board, RED, PINK)).one("p", "why").text
    assert why == "Scored lower than the prompt: VQ2 1 of 2 and CLIP 1 of 2."


def test_a_prompt_that_could_not_be_contradicted_says_so(board: Board):
    assert read(contradicted(board)).one("p", "why").text == NOTHING


def test_the_picture_is_known_by_its_seed(board: Board):
    assert "seed 9" in read(contradicted(board, RED)).one("p", "seed").text
