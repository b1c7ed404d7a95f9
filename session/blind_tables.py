"""Tables of a blind test as CSV: a person's votes, and the grids that they are about."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from alignment.records import GridReport
from session.blind import BlindTest, Vote
from session.comparison import ComparisonState
from session.spreadsheet import harmless

RATER = "visitor"
"""Who voted, as the exported table calls them."""


def preferences_csv(votes: Iterable[Vote]) -> str:
    """The votes as `python -m benchmarks preference --preferences` reads them."""
    rows = ((v.prompt, v.first, v.second, RATER, v.preference) for v in votes)
    return _csv(("prompt", "first", "second", "rater", "preference"), rows)


def grids_with_chances(comparison: ComparisonState) -> dict[tuple[str, str], GridReport]:
    """Prompt and system -> the report of a grid whose ranking is calibrated."""
    return {
        (comparison.prompts[prompt], comparison.called(system)): grid.report
        for (prompt, system), grid in comparison.finished.items()
        if grid.report and grid.report.ranked_by in grid.report.relevance
    }


def grids_csv(comparison: ComparisonState) -> str:
    """The reranked grids as `python -m benchmarks preference --grids` reads them; "" without any.

    Relevance is the calibrated chance of each image by the method of the ranking; an image without
    one is worth nothing. A grid whose ranking is not calibrated is left out: a score is no chance.
    """
    rows = [
        (prompt, system, *row)
        for (prompt, system), report in grids_with_chances(comparison).items()
        for row in _places(report)
    ]
    if not rows:
        return ""
    return _csv(("prompt", "system", "place", "relevance", "attention", "similarity"), rows)


def votes_with_grids(test: BlindTest) -> int:
    """How many of a person's votes are about grids that `grids_csv` has."""
    known = grids_with_chances(test.comparison)
    return sum(
        (vote.prompt, vote.first) in known and (vote.prompt, vote.second) in known
        for vote in test.here
    )


def left_out(comparison: ComparisonState) -> tuple[int, ...]:
    """The systems that have finished grids which `grids_csv` leaves out."""
    known = grids_with_chances(comparison)
    absent = {
        system
        for prompt, system in comparison.finished
        if (comparison.prompts[prompt], comparison.called(system)) not in known
    }
    return tuple(sorted(absent))


def _places(report: GridReport) -> Iterable[tuple[int, float, float, str]]:
    """Place, relevance, attention and similarities of each image, as reranked."""
    order = report.ranking.order
    relevance = report.relevance[report.ranked_by]
    attention = report.saliency.get("reranked", (1.0,) * len(order))
    for place, cell in enumerate(order):
        known = report.similarity
        alike = [float(cell == other) for other in order] if known is None else known[cell]
        similarity = " ".join(f"{alike[other]:.6g}" for other in order)
        yield place, relevance[cell] or 0.0, attention[place], similarity


def _harmless(field: object) -> object:
    return harmless(field) if isinstance(field, str) else field


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([_harmless(field) for field in row] for row in rows)
    return text.getvalue()
