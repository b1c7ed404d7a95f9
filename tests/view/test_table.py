"""The ranking as a terminal shows it."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from alignment.records import AnswerSpan, Evidence, ImageScore, QuestionAnswer
from view.board import Board
from view.table import gains_table, ranked_table


def test_rows_go_from_best_to_worst_with_the_answer_that_fails_most(board: Board):
    console = Console(width=200)
    with console.capture() as capture:
        console.print(ranked_table(board))
    rows = [line for line in capture.get().splitlines() if "asked" in line or "nothing" in line]
    assert [row.split("│")[1].strip() for row in rows] == ["1", "2", "3", "4"]
    assert [row.split("│")[2].strip() for row in rows] == ["9", "7", "8", "10"]
    assert 'expected "green", P(yes) 4 %, sees "pink"' in rows[2]


def test_a_picture_of_which_every_answer_holds_has_no_fault(board: Board):
    pair = QuestionAnswer("what color is the car?", AnswerSpan("red", 2, 5), 1.0)
    score = ImageScore("vq2", 0.9, evidence=(Evidence(pair, 0.9),))
    console = Console(width=200)
    with console.capture() as capture:
        console.print(ranked_table(replace(board, scores={"vq2": (score,) * board.size})))
    assert capture.get().count("nothing: every answer holds") == board.size


def test_brackets_in_a_prompt_are_printed_as_they_are(board: Board):
    pair = QuestionAnswer("what does the sign say?", AnswerSpan("[red] [/b]", 0, 10), 1.0)
    score = ImageScore("vq2", 0.2, evidence=(Evidence(pair, 0.2),))
    console = Console(width=200)
    with console.capture() as capture:
        console.print(ranked_table(replace(board, scores={"vq2": (score,) * board.size})))
    assert capture.get().count('expected "[red] [/b]"') == board.size


def test_gains_go_from_generated_to_reranked(board: Board):
    console = Console(width=100)
    with console.capture() as capture:
        console.print(gains_table(board))
    (err,) = [line for line in capture.get().splitlines() if "ERR" in line]
    assert [cell.strip() for cell in err.split("│")[2:4]] == ["0.52", "0.78"]
