"""Viewer utility: the set metrics of a grid for one viewer, and each image's contribution."""

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

AttentionOf = Callable[[Sequence[int]], tuple[float, ...]]
"""From an arrangement of the cells to the attention that each place then draws."""


@dataclass(frozen=True)
class ViewingSettings:
    """Which arrangement is shown, and the viewer that the set metrics assume."""

    arrangement: str
    """"generated", "reranked" or "best"."""
    order: Order
    """The viewing order."""
    persistence: float
    """The chance to look at one more image, in [0, 1)."""
    novelty: bool
    """Whether an image that resembles an earlier one counts for less."""

    @property
    def metric(self) -> SetMetric:
        """The metric of the contributions and of the best layout: ERR."""
        return ERR(self.persistence, "max" if self.novelty else "none", self.order)

    @property
    def metrics(self) -> tuple[SetMetric, ...]:
        """The metrics shown: ERR and RBP."""
        return self.metric, RBP(self.persistence, self.metric.novelty, self.order)


@dataclass(frozen=True)
class Arrangement:
    """Images at their places, with the attention that each place draws."""

    cells: tuple[int, ...]
    """The cell at each place, row by row."""
    attention: tuple[float, ...]
    """Attention of each place with these images, sum 1."""


@dataclass(frozen=True)
class ViewerUtility:
    """The set metrics of a grid for one viewer, and what each image contributes."""

    arrangements: Mapping[str, Arrangement]
    scores: tuple[SetScore, ...]
    """Each metric of each arrangement; empty when no image has a score."""
    expected_views: Mapping[str, float]
    """Arrangement -> how many images a viewer is expected to look at."""
    contributions: tuple[float | None, ...]
    """What each place of the arrangement shown adds to ERR; None where there is no score."""
    leave_one_out: tuple[float, ...]
    """By how much ERR falls when the image at each place is taken out; negative where it rises."""
    steps: tuple[int | None, ...]
    """When each place is looked at in the most likely order, from 1; empty for random order."""
    diversity: float | None
    """Mean of 1 - similarity over all pairs of scored images; None for fewer than two."""


def viewer_utility(
    report: GridReport, view: ViewingSettings, attention_of: AttentionOf
) -> ViewerUtility:
    """The utility of a finished grid for one viewer, from its scores alone.

    Args:
        report: of the grid.
        view: the arrangement shown and the assumed viewer.
        attention_of: from an arrangement to the attention that each place draws.
    """
    values, found = report.ranking.values, arrangements(report, view, attention_of)
    shown = found[view.arrangement]
    places = (shown.cells, shown.attention, report.similarity)
    worth = leave_one_out_values(view.metric, values, *places)
    return ViewerUtility(
        arrangements=found,
        scores=scores(report, found, view.metrics),
        expected_views={
            name: grid_expected_views(view.metric, values, each.cells, each.attention)
            for name, each in found.items()
        },
        contributions=grid_contributions(view.metric, values, *places),
        leave_one_out=tuple(worth[cell] for cell in shown.cells),
        steps=steps(report, shown, view.order),
        diversity=diversity_of(report),
    )


def arrangements(
    report: GridReport, view: ViewingSettings, attention_of: AttentionOf
) -> dict[str, Arrangement]:
    """As generated and as reranked; the best layout too, when that is shown."""
    generated = tuple(range(len(report.ranking.values)))
    found = {
        "generated": Arrangement(generated, report.saliency["generated"]),
        "reranked": Arrangement(report.ranking.order, report.saliency["reranked"]),
    }
    if view.arrangement == "best":
        found["best"] = best_arrangement(report, view.metric, tuple(found.values()), attention_of)
    return found


def best_arrangement(
    report: GridReport, metric: SetMetric, known: Sequence[Arrangement], attention_of: AttentionOf
) -> Arrangement:
    """The best layout found, each candidate valued at the attention that it draws itself.

    A layout that is best for the attention of the places changes that attention by being applied,
    so it is applied, measured and improved again. The result is never worth less than a known
    arrangement. With novelty, more than nine images are laid out as if without.
    """
    tried = list(known)
    again = metric.order == "saliency" and metric.novelty == "none"
    for _ in range(ROUNDS if again else 1):
        cells = laid_out(report, metric, tried[-1].attention)
        if any(cells == each.cells for each in tried):
            break
        tried.append(Arrangement(cells, attention_of(cells)))
    return max(tried, key=lambda each: utility(report, metric, each))


def laid_out(report: GridReport, metric: SetMetric, attention: Sequence[float]) -> tuple[int, ...]:
    """The best layout for this attention; images without a score come last."""
    values = dict(enumerate(report.ranking.values))
    relevance = {cell: value for cell, value in values.items() if value is not None}
    scored, rest = [*relevance], tuple(sorted(values.keys() - relevance.keys()))
    if not scored:
        return rest
    if len(scored) > ENUMERATED_SIZE:
        metric = replace(metric, novelty="none")
    likeness = np.asarray(report.similarity)[np.ix_(scored, scored)]
    layout = best_layout(metric, [*relevance.values()], attention[: len(scored)], likeness)
    return tuple(scored[index] for index in layout.arrangement) + rest


def utility(report: GridReport, metric: SetMetric, arrangement: Arrangement) -> float:
    """The value of the metric for an arrangement."""
    values, each = report.ranking.values, arrangement
    parts = grid_contributions(metric, values, each.cells, each.attention, report.similarity)
    return sum(part or 0.0 for part in parts)


def scores(
    report: GridReport, found: Mapping[str, Arrangement], metrics: Sequence[SetMetric]
) -> tuple[SetScore, ...]:
    """Each metric of each arrangement; none when no image has a score."""
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
    """When each place is looked at in the most likely order; empty when all are as likely."""
    if order == "uniform":
        return ()
    values = report.ranking.values
    scored = [place for place, cell in enumerate(shown.cells) if values[cell] is not None]
    if order == "saliency":
        scored.sort(key=lambda place: -shown.attention[place])
    when = {place: step for step, place in enumerate(scored, 1)}
    return tuple(when.get(place) for place in range(len(shown.cells)))


def diversity_of(report: GridReport) -> float | None:
    """Mean of 1 - similarity over all pairs of scored images; None for fewer than two."""
    scored = [cell for cell, value in enumerate(report.ranking.values) if value is not None]
    if len(scored) < 2:
        return None
    return diversity(np.asarray(report.similarity)[np.ix_(scored, scored)])


def reported(report: GridReport, view: ViewingSettings, found: ViewerUtility) -> GridReport:
    """The report with the set metrics of this viewer, those of the best layout included."""
    measured = alignment.measured(report, view.persistence)
    best = tuple(score for score in found.scores if score.arrangement == "best")
    return replace(measured, set_scores=measured.set_scores + best)


def as_released(report: GridReport, shown: Arrangement) -> Estimate:
    """RBP as the code released with the metrics would give it, over the scored images."""
    values = [report.ranking.values[cell] for cell in shown.cells]
    scored = [place for place, value in enumerate(values) if value is not None]
    relevance = [value for value in values if value is not None]
    attention = [shown.attention[place] for place in scored]
    return released_rbp(relevance, attention, RELEASED_SAMPLES, np.random.default_rng(0))
