"""A finished `Board` comes in; its ranking goes out as a table for a terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from view.board import Board
from view.evidence import sentence
from view.summary import METRICS
from view.words import method_name, number


def ranked_table(board: Board) -> Table:
    """One row per picture, best first: rank, seed, every method's score, and the weakest pair."""
    table = Table("rank", "seed", *(method_name(name) for name in board.scores), "weakest answer")
    for cell in board.arranged("reranked"):
        table.add_row(*_row(board, cell))
    return table


def gains_table(board: Board) -> Table:
    """ERR and RBP of a viewer who looks row by row, as generated and as reranked."""
    table = Table("row by row", "as generated", "reranked")
    scores = board.report.set_scores if board.report else ()
    for metric in METRICS:
        found = {
            score.arrangement: number(score.value)
            for score in scores
            if score.metric == metric and score.order == "positional"
        }
        table.add_row(metric, found.get("generated", "–"), found.get("reranked", "–"))
    return table


def _row(board: Board, cell: int) -> list[str]:
    scores = [score for name in board.scores if (score := board.score(cell, name))]
    weakest = next((score.weakest for score in scores if score.weakest), None)
    said = sentence(weakest) if weakest else next((s.reason for s in scores if s.reason), "")
    return [
        str(board.rank(cell)),
        str(board.seed_of(cell)),
        *(number(score.value) for score in scores),
        escape(said),  # brackets in a prompt are no mark-up
    ]
