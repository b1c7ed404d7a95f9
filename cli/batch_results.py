"""What `batch` prints of its results: mean scores and set metrics, held against people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from alignment.set_metrics.named import parse_metric
from alignment.statistics.preferences import PreferenceAgreement
from cli.flags import MetricSettings
from session.errors import DataError
from session.systems.grids import read_results, stored_reports
from session.systems.measures import DIVERSITY, chosen_metrics, measures, prompt_scores
from session.systems.people import agreement

if TYPE_CHECKING:
    import pandas as pd

Means = dict[str, dict[str, float | None]]
"""Text-to-image model -> method -> mean score of its images; None when none has a score."""
SEED = 7
"""Of the intervals."""


@dataclass(frozen=True)
class ModelMeans:
    """What a set metric gives the grids of each text-to-image model."""

    signature: str
    means: Mapping[str, float]
    """Text-to-image model -> mean over prompts."""
    agreement: PreferenceAgreement | None
    """With people; None where they were not asked."""


def show(
    results: Path, relevance: str, settings: MetricSettings, people: pd.DataFrame | None
) -> None:
    """Print the tables, then the line.

    Args:
        results: what the batch has written.
        relevance: the method whose calibrated scores are the relevance of set metrics.
        settings: of the set metrics.
        people: their preferences, if there are any.
    """
    means, console, found = mean_scores(results), Console(), dict[str, ModelMeans]()
    console.print(_score_table(means))
    try:
        found = measured(results, relevance, settings, people)
        console.print(_metric_table(found, [*means]))
    except DataError as error:
        console.print(f"no set metrics: {error}", soft_wrap=True, markup=False)
    line = {
        "results": str(results),
        "signature": signature(results),
        "means": means,
        "set_metrics": {name: asdict(each) for name, each in found.items()},
    }
    print(json.dumps(line))


def measured(
    results: Path, relevance: str, settings: MetricSettings, people: pd.DataFrame | None
) -> dict[str, ModelMeans]:
    """Set metric as it prints, or "diversity" -> what it says; arguments as in `show`.

    Raises:
        DataError: the method is not calibrated, or no prompt or preference is shared.
    """
    systems, _, inputs = read_results([results], relevance)
    metrics = chosen_metrics(systems, **asdict(settings))
    generator = np.random.default_rng(SEED)
    return {
        name: ModelMeans(
            each.signature,
            {model: float(of.mean()) for model, of in prompt_scores(each.score, systems).items()},
            None if people is None else agreement(each.score, systems, people, generator),
        )
        for name, each in measures(metrics, systems, inputs, "generated").items()
    }


def mean_scores(results: Path) -> Means:
    """Mean scores of each text-to-image model's images; an image without a score is left out."""
    values: dict[str, dict[str, list[float]]] = {}
    for stored in stored_reports(results):
        for method, scores in stored.report.scores.items():
            known = values.setdefault(stored.model, {}).setdefault(method, [])
            known.extend(score.value for score in scores if score.value is not None)
    return {
        model: {method: fmean(each) if each else None for method, each in methods.items()}
        for model, methods in values.items()
    }


def signature(results: Path) -> str:
    """What it takes to compute the means again: the seeds of all, the rest from the first."""
    stored = [*stored_reports(results)]
    first, seeds = stored[0].report, dict.fromkeys(str(each.seed) for each in stored)
    said = f"mean|over:pictures|bundle:{first.bundle}|images:{len(stored[0].images)}"
    scores = first.scores.get("vq2", ())
    vq2 = next((str(score.signature) for score in scores if score.signature), "")
    completion = "on" if stored[0].asked.get("completion") else "off"
    return f"{said}|seed:{'+'.join(seeds)}|completion:{completion}|{vq2}".rstrip("|")


def _score_table(means: Means) -> Table:
    methods = [*dict.fromkeys(method for each in means.values() for method in each)]
    table = Table("text-to-image model", *methods, title="Mean score of an image")
    for model, scores in means.items():
        table.add_row(model, *(_rounded(scores.get(method)) for method in methods))
    return table


def _metric_table(found: Mapping[str, ModelMeans], models: Sequence[str]) -> Table:
    """One row for each measure; with people, the share of their preferences that it shares."""
    asked = any(each.agreement for each in found.values())
    table = Table(title="Mean of a grid as generated")
    for heading in ("measure", *models, *(("people agree", "95 %", "n") if asked else ())):
        table.add_column(heading, no_wrap=True)
    for name, each in found.items():
        row = [f"{each.means[model]:.3f}" for model in models]
        if agreed := each.agreement:
            row += [*agreed.rate.percents, str(agreed.n)]
        table.add_row(_label(name), *row)
    return table


def _label(measure: str) -> str:
    """How a table names a measure.

    >>> _label('ERR(persistence=0.8, novelty="max", order="uniform")')
    'ERR+novelty, uniform'
    """
    if measure == DIVERSITY:
        return measure
    metric = parse_metric(measure)
    return f"{metric.label}, {metric.order}"


def _rounded(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
