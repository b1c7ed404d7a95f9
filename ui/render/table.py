"""The ranking and the set metrics of a grid as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rich.markup import escape
from rich.table import Table

from alignment.records import Evidence, ImageScore
from session.state import GridState
from ui.render.sentences import sentence
from ui.render.summary import METRICS, without_calibration
from ui.render.words import method_name, number, score_name


def ranked_table(state: GridState) -> Table:
    """One row per image, best first: rank, seed, every method's score, and what fails."""
    table = Table(
        "rank", "seed", *(score_name(each[0]) for each in state.scores.values()), "what fails most"
    )
    for cell in state.arranged("reranked"):
        table.add_row(*_row(state, cell))
    return table


def metrics_table(state: GridState) -> Table:
    """ERR and RBP of a viewer who looks row by row, as generated and as reranked."""
    table = Table("row by row", "as generated", "reranked", caption=_why_empty(state))
    scores = state.report.set_scores if state.report else ()
    for metric in METRICS:
        found = {
            score.arrangement: number(score.value)
            for score in scores
            if score.metric == metric and score.order == "positional"
        }
        table.add_row(metric, found.get("generated", "–"), found.get("reranked", "–"))
    return table


def _why_empty(state: GridState) -> str | None:
    """That the method has no calibration, where that is so and some image has a score."""
    report = state.report
    if not report or report.set_scores or report.ranked_by in report.relevance or not state.ranked:
        return None
    return without_calibration(method_name(report.ranked_by))


def _row(state: GridState, cell: int) -> list[str]:
    scores = [score for name in state.scores if (score := state.score(cell, name))]
    return [
        str(state.rank(cell) or "–"),
        str(state.seed_of(cell)),
        *(number(score.value) for score in scores),
        escape(_failure(scores)),  # brackets in a prompt are no mark-up
    ]


def _failure(scores: Sequence[ImageScore]) -> str:
    """The weakest pair if it fails; else that none does, or why nothing could be asked."""
    asked = next((score for score in scores if score.weakest), None)
    if asked is None or asked.value is None:
        return next((score.reason for score in scores if score.reason), "")
    weakest = cast("Evidence", asked.weakest)
    return "nothing: every answer holds" if weakest.holds else sentence(weakest)
