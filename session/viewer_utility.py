"""A finished board and how a visitor looks at it come in; what a viewer gets from it goes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import alignment
from alignment.evaluation import RELEVANCE_NAMES
from alignment.records import GridReport, SetScore
from alignment.set_metrics.layout import ENUMERATED_SIZE, best_layout, leave_one_out_values
from alignment.set_metrics.metrics import (
    ERR,
    RBP,
    Estimate,
    SetMetric,
    grid_contributions,
    grid_expected_views,
    grid_set_score,
)
from alignment.set_metrics.released_code import released_rbp
from alignment.set_metrics.relevance import diversity
from alignment.set_metrics.viewing_orders import Order

ROUNDS = 3
"""How often a layout is tried again on the saliency that it brings about; once with novelty,
where one layout takes half a second to find."""
RELEASED_SAMPLES = 10_000

Look = Callable[[Sequence[int]], tuple[float, ...]]
"""The attention that each place draws when the cells are arranged so."""


@dataclass(frozen=True)
class View:
    """How a visitor looks at a board."""

    arrangement: str
    """"generated", "reranked" or "best"."""
    order: Order
    """In which order the assumed viewer looks."""
    persistence: float
    """How deep: the chance to look at one more picture."""
    novelty: bool
    """Whether a picture that resembles an earlier one counts for less."""

    @property
    def metric(self) -> SetMetric:
        """What the shares are shares of, and what the best layout is best for."""
        return ERR(self.persistence, "max" if self.novelty else "none", self.order)

    @property
    def metrics(self) -> tuple[SetMetric, ...]:
        """What is shown."""
        return self.metric, RBP(self.persistence, self.metric.novelty, self.order)


@dataclass(frozen=True)
class Arrangement:
    """Pictures at their places."""

    cells: tuple[int, ...]
    """The cell at each place, row by row."""
    attention: tuple[float, ...]
    """The attention that each place draws with these pictures."""


@dataclass(frozen=True)
class ViewerUtility:
    """What a viewer gets from a grid."""

    arrangements: Mapping[str, Arrangement]
    scores: tuple[SetScore, ...]
    """What is shown, of each arrangement; empty when no picture could be judged."""
    seen: Mapping[str, float]
    """Arrangement -> how many pictures a viewer is expected to look at."""
    shares: tuple[float | None, ...]
    """What each place of the arrangement shown earns."""
    losses: tuple[float, ...]
    """What the grid would lose without the picture at each of its places."""
    steps: tuple[int | None, ...]
    """When each of its places is looked at on the most likely way, from 1; empty for any order."""
    diversity: float | None
    """Of the judged pictures; None for fewer than two."""


def gains(report: GridReport, view: View, look: Look) -> ViewerUtility:
    """What a viewer gets from a finished grid; no model is asked.

    Args:
        report: of the grid.
        view: how the visitor looks at it.
        look: the attention that each place draws when the cells are arranged so.
    """
    values, found = report.ranking.values, arrangements(report, view, look)
    shown = found[view.arrangement]
    settled = (shown.cells, shown.attention, report.similarity)
    worth = leave_one_out_values(view.metric, values, *settled)
    return ViewerUtility(
        arrangements=found,
        scores=scores(report, found, view.metrics),
        seen={
            name: grid_expected_views(view.metric, values, each.cells, each.attention)
            for name, each in found.items()
        },
        shares=grid_contributions(view.metric, values, *settled),
        losses=tuple(worth[cell] for cell in shown.cells),
        steps=steps(report, shown, view.order),
        diversity=diversity_of(report),
    )


def arrangements(report: GridReport, view: View, look: Look) -> dict[str, Arrangement]:
    """As generated and as reranked; the best layout too, when that is what is looked at."""
    generated = tuple(range(len(report.ranking.values)))
    found = {
        "generated": Arrangement(generated, report.saliency["generated"]),
        "reranked": Arrangement(report.ranking.order, report.saliency["reranked"]),
    }
    if view.arrangement == "best":
        found["best"] = best_arrangement(report, view.metric, tuple(found.values()), look)
    return found


def best_arrangement(
    report: GridReport, metric: SetMetric, known: Sequence[Arrangement], look: Look
) -> Arrangement:
    """The layout that earns most, each counted with the saliency of the grid as it then looks.

    A layout is best for given masses of the places, and changes them by being applied: so it is
    tried, looked at, and laid out anew. What it earns is never under what a known arrangement
    earns. With novelty, more than nine pictures are laid out as if without.
    """
    tried = list(known)
    again = metric.order == "saliency" and metric.novelty == "none"
    for _ in range(ROUNDS if again else 1):
        cells = laid_out(report, metric, tried[-1].attention)
        if any(cells == each.cells for each in tried):
            break
        tried.append(Arrangement(cells, look(cells)))
    return max(tried, key=lambda each: earned(report, metric, each))


def laid_out(report: GridReport, metric: SetMetric, attention: Sequence[float]) -> tuple[int, ...]:
    """The best layout for these masses; pictures that could not be judged come last."""
    values = dict(enumerate(report.ranking.values))
    relevance = {cell: value for cell, value in values.items() if value is not None}
    judged, rest = [*relevance], tuple(sorted(values.keys() - relevance.keys()))
    if not judged:
        return rest
    if len(judged) > ENUMERATED_SIZE:
        metric = replace(metric, novelty="none")
    likeness = np.asarray(report.similarity)[np.ix_(judged, judged)]
    layout = best_layout(metric, [*relevance.values()], attention[: len(judged)], likeness)
    return tuple(judged[index] for index in layout.arrangement) + rest


def earned(report: GridReport, metric: SetMetric, arrangement: Arrangement) -> float:
    """What the metric gives an arrangement."""
    values, each = report.ranking.values, arrangement
    shares = grid_contributions(metric, values, each.cells, each.attention, report.similarity)
    return sum(share or 0.0 for share in shares)


def scores(
    report: GridReport, found: Mapping[str, Arrangement], metrics: Sequence[SetMetric]
) -> tuple[SetScore, ...]:
    """Each metric of each arrangement; none when no picture could be judged."""
    values = report.ranking.values
    if all(value is None for value in values):
        return ()
    relevance = RELEVANCE_NAMES.get(report.ranked_by, report.ranked_by)
    return tuple(
        grid_set_score(
            metric, values, each.cells, name, each.attention, report.similarity, relevance
        )
        for metric in metrics
        for name, each in found.items()
    )


def steps(report: GridReport, shown: Arrangement, order: Order) -> tuple[int | None, ...]:
    """When each place is looked at on the most likely way; empty when every way is as likely."""
    if order == "uniform":
        return ()
    values = report.ranking.values
    judged = [place for place, cell in enumerate(shown.cells) if values[cell] is not None]
    if order == "saliency":
        judged.sort(key=lambda place: -shown.attention[place])
    when = {place: step for step, place in enumerate(judged, 1)}
    return tuple(when.get(place) for place in range(len(shown.cells)))


def diversity_of(report: GridReport) -> float | None:
    """How unlike the judged pictures are; None for fewer than two."""
    judged = [cell for cell, value in enumerate(report.ranking.values) if value is not None]
    if len(judged) < 2:
        return None
    return diversity(np.asarray(report.similarity)[np.ix_(judged, judged)])


def reported(report: GridReport, view: View, found: ViewerUtility) -> GridReport:
    """The report with the set metrics of this viewer, those of the best layout included."""
    measured = alignment.measured(report, view.persistence)
    best = tuple(score for score in found.scores if score.arrangement == "best")
    return replace(measured, set_scores=measured.set_scores + best)


def as_released(report: GridReport, shown: Arrangement) -> Estimate:
    """RBP as the code released with the metrics would give it, over the judged pictures."""
    values = [report.ranking.values[cell] for cell in shown.cells]
    judged = [place for place, value in enumerate(values) if value is not None]
    relevance = [value for value in values if value is not None]
    attention = [shown.attention[place] for place in judged]
    return released_rbp(relevance, attention, RELEASED_SAMPLES, np.random.default_rng(0))
