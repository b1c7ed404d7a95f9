"""The ranking as a terminal shows it."""

from __future__ import annotations

from rich.console import Console

from view.board import Board
from view.table import gains_table, ranked_table


def test_rows_go_from_best_to_worst_with_the_weakest_answer(board: Board):
    console = Console(width=200)
    with console.capture() as capture:
        console.print(ranked_table(board))
    rows = [line for line in capture.get().splitlines() if "asked" in line]
    assert [row.split("│")[1].strip() for row in rows] == ["1", "2", "3", "4"]
    assert [row.split("│")[2].strip() for row in rows] == ["9", "7", "8", "10"]
    assert 'expected "green", P(yes) 4 %, sees "pink"' in rows[2]


def test_gains_go_from_generated_to_reranked(board: Board):
    console = Console(width=100)
    with console.capture() as capture:
        console.print(gains_table(board))
    (err,) = [line for line in capture.get().splitlines() if "ERR" in line]
    assert [cell.strip() for cell in err.split("│")[2:4]] == ["0.52", "0.78"]
