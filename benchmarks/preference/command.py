"""The options of a comparison come in; tables and a line of JSON go out."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console

import benchmarks.preference as room
from alignment.evaluation import RELEVANCE_NAMES
from alignment.set_metrics.metrics import SetMetric, parse_metric
from alignment.set_metrics.relevance import Floats, logistic_satisfaction, threshold_satisfaction
from benchmarks.charts.curves import curves
from benchmarks.data.errors import DataError
from benchmarks.data.grids import Systems, check_columns, read_grids, read_results, read_table
from benchmarks.preference.measures import (
    Compared,
    beside_one_another,
    compared,
    grid_diversities,
    metrics_for,
    similarity_known,
    with_satisfaction,
)
from benchmarks.preference.people import raters_agreement, read_ratings
from benchmarks.preference.tables import (
    PERSISTENCES,
    agreement_sentence,
    change_sentence,
    curve_table,
    difference_table,
    raters_sentence,
    report_sentence,
)
from benchmarks.statistics.agreement import rank_correlation
from benchmarks.statistics.comparison import grid_scores, order_changes, persistence_curves

DIVERSITY = "diversity"
"""The baseline that looks neither at relevance nor at places."""
DIVERSITY_PASSPORT = "diversity|1-max(0,cosine)|mean:pairs"


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    options = _options(arguments)
    systems, preferences, result = _read(options)
    satisfaction, satisfied = _satisfaction(options)
    if satisfied:
        systems = with_satisfaction(systems, satisfied)
    known = similarity_known(systems)
    console, generator = Console(), np.random.default_rng(options.seed)
    for metric in options.metric or metrics_for(systems):
        if metric.novelty != "none" and not known:
            raise DataError(f"{metric} needs the pictures' similarity; --results has it")
        signature = _passport(metric, options, satisfaction)
        found = compared(partial(grid_scores, metric), systems, preferences, generator)
        _show(console, str(metric), metric.label, signature, found)
        persistence = _sensitivity(metric, systems, options.curves, console)
        result[str(metric)] = {"signature": signature, **_plain(found), "persistence": persistence}
    if known:
        found = compared(grid_diversities, systems, preferences, generator)
        _show(console, DIVERSITY, DIVERSITY, DIVERSITY_PASSPORT, found)
        result[DIVERSITY] = {"signature": DIVERSITY_PASSPORT, **_plain(found)}
    if "raters" in result:
        console.print(raters_sentence(result["raters"]))
    print(json.dumps(result))


def _show(console: Console, title: str, measure: str, signature: str, found: Compared) -> None:
    differences, agrees = found
    console.print(difference_table(title, differences))
    if differences:
        console.print(report_sentence(measure, differences))
    console.print(signature, soft_wrap=True)
    if agrees:
        console.print(agreement_sentence(agrees))
    console.print()


def _read(options: Namespace) -> tuple[Systems, pd.DataFrame | None, dict[str, Any]]:
    """Grids, preferences, and what is known of the people before any metric."""
    if options.ratings:
        grids, preferences, ratings = read_ratings(options.ratings)
        judgements = ratings.rename(columns={"worker_id": "rater"})
        raters = raters_agreement(judgements, ["item_id", "t2i_model"], "answer")
        rho, tau = rank_correlation(grids["relevance"], grids["rating"])
        correlation = {"spearman": rho, "kendall": tau, "n": len(grids)}
        return (
            read_grids(grids),
            preferences,
            {"raters": asdict(raters), "correlation": correlation},
        )
    if options.results:
        systems = read_results(options.results, options.relevance)
    else:
        systems = read_grids(read_table(options.grids))
    if not options.preferences:
        return systems, None, {}
    preferences = read_table(options.preferences)
    check_columns(preferences, "preferences", "rater", "prompt", "first", "second", "preference")
    raters = raters_agreement(preferences, ["prompt", "first", "second"], "preference")
    return systems, preferences, {"raters": asdict(raters)}


def _plain(found: Compared) -> dict[str, Any]:
    differences, agrees = found
    people = {**asdict(agrees.agreement), "spearman": agrees.spearman} if agrees else None
    return {"differences": [asdict(each) for each in differences], "agreement": people}


def _sensitivity(
    metric: SetMetric, systems: Systems, folder: Path | None, console: Console
) -> Mapping[str, Sequence[float]]:
    """Print how the order of systems depends on persistence, draw it, and give the curves back."""
    grids = {name: [*each.values()] for name, each in systems.items()}
    found = persistence_curves(metric, grids, PERSISTENCES)
    changes = order_changes(found, PERSISTENCES)
    console.print(curve_table(metric, found))
    for change in changes:
        console.print(change_sentence(change))
    console.print("" if changes else "The order of systems is the same at every persistence.\n")
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        title = f"{metric.label}, {metric.order} order: mean score over that of all systems"
        chart = curves(beside_one_another(found), PERSISTENCES, title, "persistence")
        name = f"{metric.label}-{metric.order}.svg".replace(" ", "-")
        (folder / name).write_text(chart, encoding="utf-8")
    return found


def _satisfaction(
    options: Namespace,
) -> tuple[str, Callable[[Sequence[float]], Floats] | None]:
    """How a signature names it, and how it is made; nothing where it is the relevance itself."""
    if options.satisfied_from is not None:
        at = options.satisfied_from
        return f"threshold({at:g})", partial(threshold_satisfaction, threshold=at)
    if options.satisfied_around is not None:
        at = options.satisfied_around
        return f"logistic({at:g})", partial(logistic_satisfaction, midpoint=at)
    return "", None


def _passport(metric: SetMetric, options: Namespace, satisfaction: str) -> str:
    relevance = "given"
    if options.ratings:
        relevance = "share of yes by pali-17b"
    elif options.results:
        relevance = RELEVANCE_NAMES.get(options.relevance, options.relevance)
    return metric.signature(relevance, satisfaction if metric.satisfiable else "")


def _options(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks preference", description=room.__doc__)
    parser.add_argument("--results", type=Path, nargs="+", help="results.jsonl of batch runs")
    parser.add_argument("--relevance", default="vq2", help="the method whose scores of --results")
    parser.add_argument("--grids", type=Path)
    parser.add_argument("--preferences", type=Path)
    parser.add_argument("--ratings", type=Path, help="a folder with DSG's published CSV files")
    parser.add_argument("--metric", action="append", type=_metric, help='"ERR^u", "ERR(novelty=..')
    satisfied = parser.add_mutually_exclusive_group()
    satisfied.add_argument("--satisfied-from", type=float, metavar="F", help="a threshold")
    satisfied.add_argument("--satisfied-around", type=float, metavar="F", help="a soft one")
    parser.add_argument("--curves", type=Path, help="folder for charts of score by persistence")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    if not (options.ratings or options.results or options.grids):
        parser.error("give --results, --grids or --ratings")
    return options


def _metric(text: str) -> SetMetric:
    try:
        return parse_metric(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
