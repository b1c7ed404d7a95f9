"""Viewer utility: the set metrics of a grid for one viewer, and each image's contribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import alignment
from alignment.evaluation import PERSISTENCE, metric_inputs
from alignment.records import Arrangement, GridReport, SetScore
from alignment.set_metrics.grid import (
    grid_contributions,
    grid_expected_views,
    grid_set_scores,
    grid_value,
)
from alignment.set_metrics.layout import best_layout
from alignment.set_metrics.metrics import ERR, RBP, SetMetric
from alignment.set_metrics.relevance import diversity
from alignment.set_metrics.viewing_orders import Order

AttentionOf = Callable[[Sequence[int]], tuple[float, ...]]
"""From an arrangement of the cells to the attention that each place then draws."""


@dataclass(frozen=True)
class ViewingSettings:
    """Which arrangement is shown, and the viewer that the set metrics assume."""

    arrangement: str = "reranked"
    """"generated", "reranked" or "best"."""
    order: Order = "saliency"
    """The viewing order."""
    persistence: float = PERSISTENCE
    """The chance to look at one more image, in [0, 1)."""
    novelty: bool = False
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
class ViewerUtility:
    """The set metrics of a grid for one viewer, and what each image contributes."""

    arrangements: Mapping[str, Arrangement]
    scores: tuple[SetScore, ...]
    """Each metric of each arrangement; empty when no image has a score, and when novelty is asked
    for and could not be judged."""
    expected_views: Mapping[str, float]
    """Arrangement -> how many images a viewer is expected to look at."""
    contributions: tuple[float | None, ...]
    """What each place of the arrangement shown adds to ERR; None where there is no score."""
    diversity: float | None
    """Mean of 1 - similarity over all pairs of scored images; None for fewer than two,
    and where nobody stored how alike they are.
    """


def viewer_utility(
    report: GridReport, view: ViewingSettings, attention_of: AttentionOf
) -> ViewerUtility:
    """The utility of a finished grid for one viewer, from its scores alone."""
    report, view = _measurable(report, view)
    values, found = relevance(report), arrangements(report, view, attention_of)
    shown, similarity = found[view.arrangement], report.similarity
    return ViewerUtility(
        arrangements=found,
        scores=grid_set_scores(view.metrics, values, found, similarity, metric_inputs(report)),
        expected_views={
            name: grid_expected_views(view.metric, values, each) for name, each in found.items()
        },
        contributions=grid_contributions(view.metric, values, shown, similarity),
        diversity=_diversity_of(report),
    )


def novelty_is_judged(report: GridReport, view: ViewingSettings) -> bool:
    """False where novelty is asked for and nobody stored how alike the images are."""
    return not view.novelty or report.similarity is not None


def _measurable(report: GridReport, view: ViewingSettings) -> tuple[GridReport, ViewingSettings]:
    """Grid and viewer as they are; nothing of a grid counts where its novelty is not judged."""
    if novelty_is_judged(report, view):
        return report, view
    return replace(report, relevance={}), replace(view, novelty=False)


def relevance(report: GridReport) -> tuple[float | None, ...]:
    """By cell, the chance that the image is right; all None without a calibration."""
    unknown = (None,) * len(report.ranking.values)
    return report.relevance.get(report.ranked_by, unknown)


def arrangements(
    report: GridReport, view: ViewingSettings, attention_of: AttentionOf
) -> dict[str, Arrangement]:
    """As generated and as reranked; the best layout too, when that is shown."""
    report, view = _measurable(report, view)
    found = report.arrangements
    if view.arrangement == "best":
        found["best"] = _best_arrangement(report, view.metric, tuple(found.values()), attention_of)
    return found


def _best_arrangement(
    report: GridReport, metric: SetMetric, known: Sequence[Arrangement], attention_of: AttentionOf
) -> Arrangement:
    """The layout that is worth most, each valued at the attention that it draws itself."""
    arranged = [each.cells for each in known]
    best = best_layout(metric, relevance(report), attention_of, report.similarity, arranged)
    found = Arrangement(best.cells, attention_of(best.cells))
    return max([*known, found], key=lambda each: utility(report, metric, each))


def utility(report: GridReport, metric: SetMetric, arrangement: Arrangement) -> float:
    """The value of the metric for an arrangement."""
    return grid_value(metric, relevance(report), arrangement, report.similarity)


def reranking(
    report: GridReport, view: ViewingSettings, found: Mapping[str, Arrangement]
) -> tuple[dict[str, float], dict[str, float]]:
    """ERR and RBP of a viewer, each as generated and as reranked."""
    err, rbp = (
        {name: utility(report, metric, found[name]) for name in ("generated", "reranked")}
        for metric in view.metrics
    )
    return err, rbp


def _diversity_of(report: GridReport) -> float | None:
    """Mean of 1 - similarity over all pairs of scored images; None for fewer than two."""
    scored = [cell for cell, value in enumerate(report.ranking.values) if value is not None]
    if len(scored) < 2 or report.similarity is None:
        return None
    return diversity(np.asarray(report.similarity)[np.ix_(scored, scored)])


def reported(report: GridReport, view: ViewingSettings, found: ViewerUtility) -> GridReport:
    """The report with the set metrics of this viewer, those of the best layout included."""
    measured = alignment.measured(report, view.persistence)
    best = tuple(score for score in found.scores if score.arrangement == "best")
    return replace(measured, set_scores=measured.set_scores + best)
