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
from session.systems.grids import Systems, read_results
from session.systems.measures import DIVERSITY, Measure, chosen_metrics, measures, prompt_scores
from session.systems.people import Judgement, agreement, judgements
from session.systems.results import Result, read_lines

if TYPE_CHECKING:
    import pandas as pd

Means = dict[str, dict[str, float | None]]
"""System -> method -> mean score of its images; None when none has a score."""
SEED = 7
"""Of the intervals."""


@dataclass(frozen=True)
class ModelMeans:
    """What a set metric gives the grids of each system."""

    signature: str
    means: Mapping[str, float]
    """System -> mean over prompts."""
    agreement: PreferenceAgreement | None
    """With people; None where they were not asked about these systems and prompts."""


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
    lines, console, found = read_lines({results: ""}), Console(), dict[str, ModelMeans]()
    means = mean_scores(lines)
    console.print(_score_table(means))
    try:
        systems, _, inputs = read_results({results: ""}, relevance)
    except DataError as error:
        console.print(f"no set metrics: {error}", soft_wrap=True, markup=False)
    else:
        judged = _judged(systems, people, console)
        metrics = chosen_metrics(systems, **asdict(settings))
        found = {
            name: _measured(each, systems, judged)
            for name, each in measures(metrics, systems, inputs, "generated").items()
        }
        console.print(_metric_table(found, [*means]))
    line = {
        "results": str(results),
        "signature": signature(lines),
        "means": means,
        "set_metrics": {name: asdict(each) for name, each in found.items()},
    }
    print(json.dumps(line))


def _judged(
    systems: Systems, people: pd.DataFrame | None, console: Console
) -> tuple[Judgement, ...]:
    """The preferences that are about these grids; why there are none."""
    try:
        return () if people is None else judgements(systems, people)
    except DataError as error:
        console.print(f"no agreement with people: {error}", soft_wrap=True, markup=False)
        return ()


def _measured(measure: Measure, systems: Systems, judged: Sequence[Judgement]) -> ModelMeans:
    means = {name: float(of.mean()) for name, of in prompt_scores(measure.score, systems).items()}
    generator = np.random.default_rng(SEED)
    agreed = agreement(measure.score, judged, generator) if judged else None
    return ModelMeans(measure.signature, means, agreed)


def mean_scores(results: Sequence[Result]) -> Means:
    """Mean scores of each system's images; an image without a score is left out."""
    values: dict[str, dict[str, list[float]]] = {}
    for result in results:
        for method, scores in result.stored.report.scores.items():
            known = values.setdefault(result.system, {}).setdefault(method, [])
            known.extend(score.value for score in scores if score.value is not None)
    return {
        system: {method: fmean(each) if each else None for method, each in methods.items()}
        for system, methods in values.items()
    }


def signature(results: Sequence[Result]) -> str:
    """What it takes to compute the means again: the seeds of all, the rest from the first."""
    stored = [result.stored for result in results]
    first, seeds = stored[0].report, dict.fromkeys(str(each.seed) for each in stored)
    said = f"mean|over:pictures|bundle:{first.bundle}|images:{len(stored[0].images)}"
    scores = first.scores.get("vq2", ())
    vq2 = next((str(score.signature) for score in scores if score.signature), "")
    completions = ("on" if each.asked.get("completion") else "off" for each in stored)
    completion = "+".join(dict.fromkeys(completions))
    return f"{said}|seed:{'+'.join(seeds)}|completion:{completion}|{vq2}".rstrip("|")


def _score_table(means: Means) -> Table:
    methods = [*dict.fromkeys(method for each in means.values() for method in each)]
    table = Table("system", *methods, title="Mean score of an image")
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
