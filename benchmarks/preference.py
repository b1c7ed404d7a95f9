"""Which system earns more, and do set metrics prefer what people prefer?

    python -m benchmarks preference --grids grids.csv --preferences preferences.csv
    python -m benchmarks preference --ratings ../shared/reference/dsg

`grids.csv` has one row for each picture: prompt, system, place (from 0, row by row), relevance (in
[0, 1]) and, if known, mass (its place's share of attention; equal where there is no such column).
`preferences.csv` has one row for each judgement of a person: prompt, first, second (two systems),
rater, and preference on five points: 2 first much better, 1 better, 0 alike, -1, -2 second.

With `--ratings` both come from the human ratings (1 to 5) of 160 prompts x 5 systems published
with DSG: a grid is one picture, its relevance the share of questions that PaLI-17B answers with
yes, and a preference the difference of two mean ratings.

Printed: systems with a paired Wilcoxon test, bootstrap interval and Holm's correction; agreement
with people, ties and n; agreement of people with one another; the mean score of each system by
persistence; one JSON line at the end.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table

from alignment.agreement import Agreement, agreement_rate, krippendorff_alpha, rank_correlation
from alignment.comparison import (
    ScoredGrid,
    SystemDifference,
    compare_systems,
    grid_scores,
    persistence_curves,
)
from alignment.set_metrics import SetMetric, parse_metric

Systems: TypeAlias = Mapping[str, Mapping[str, ScoredGrid]]
"""System -> prompt -> grid."""

PERSISTENCES = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
METRICS = ("RBP", "ERR", "RBP^u", "ERR^u")


def read_grids(table: pd.DataFrame) -> Systems:
    """The grids of `grids.csv`, over the prompts that every system has.

    Raises:
        ValueError: a column is missing, or no prompt is shared by all systems.
    """
    _check_columns(table, "grids", "prompt", "system", "place", "relevance")
    if "mass" not in table:
        table = table.assign(mass=1.0)
    prompts = set.intersection(*(set(rows["prompt"]) for _, rows in table.groupby("system")))
    if not prompts:
        raise ValueError("no prompt has a grid of every system; the differences are paired")
    systems: dict[str, dict[str, ScoredGrid]] = {}
    for (system, prompt), rows in table.sort_values("place").groupby(["system", "prompt"]):
        if prompt in prompts:
            grid = ScoredGrid(tuple(rows["relevance"]), tuple(rows["mass"]))
            systems.setdefault(str(system), {})[str(prompt)] = grid
    return systems


def read_ratings(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """DSG's published answers and ratings as grids, preferences and single ratings.

    Source: J. Cho et al., "Davidsonian Scene Graph", 2024, annotations under Apache-2.0.
    """
    answers = pd.read_csv(folder / "pali17b_dsg.csv")
    relevance = (answers["answer"] == "yes").groupby([answers["item_id"], answers["t2i_model"]])
    ratings = pd.read_csv(folder / "tifa160-likert-anns.csv")
    liking = ratings.groupby(["item_id", "t2i_model"])["answer"].mean()
    both = pd.DataFrame({"relevance": relevance.mean(), "rating": liking}).dropna().reset_index()
    grids = both.rename(columns={"item_id": "prompt", "t2i_model": "system"}).assign(place=0)
    return grids, _preferences_of_ratings(grids), ratings


def _preferences_of_ratings(grids: pd.DataFrame) -> pd.DataFrame:
    """One row for each prompt and pair of systems: first mean rating minus second."""
    rating = grids.pivot_table(index="prompt", columns="system", values="rating").dropna()
    pairs = [
        pd.DataFrame({"first": a, "second": b, "preference": rating[a] - rating[b]})
        for a, b in combinations(rating.columns, 2)
    ]
    return pd.concat(pairs).reset_index().assign(rater="mean")


def agreement_with_people(
    metric: SetMetric, systems: Systems, preferences: pd.DataFrame, generator: np.random.Generator
) -> Agreement:
    """The metric's differences against every preference over grids that are known."""
    _check_columns(preferences, "preferences", "prompt", "first", "second", "preference")
    scores = {
        (name, prompt): score
        for name, grids in systems.items()
        for prompt, score in zip(grids, grid_scores(metric, [*grids.values()]), strict=True)
    }
    rows = preferences[["prompt", "first", "second", "preference"]].itertuples(index=False)
    known = [
        (preference, scores[first, str(prompt)] - scores[second, str(prompt)])
        for prompt, first, second, preference in rows
        if (first, str(prompt)) in scores and (second, str(prompt)) in scores
    ]
    if not known:
        raise ValueError("no preference is about two grids that are in the table of grids")
    people, differences = zip(*known, strict=True)
    return agreement_rate(people, differences, generator)


def raters_alpha(judgements: pd.DataFrame, unit: Sequence[str], value: str) -> float:
    """Krippendorff's ordinal alpha between raters; a rater need not judge every unit."""
    matrix = judgements.pivot_table(index="rater", columns=[*unit], values=value)
    return krippendorff_alpha(matrix.to_numpy(), "ordinal")


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    options = _options(arguments)
    grid_table, preferences, result = _read(options)
    systems = read_grids(grid_table)
    console, generator = Console(), np.random.default_rng(options.seed)
    for text in options.metric or METRICS:
        metric = parse_metric(text)
        result[str(metric)] = _measure(metric, systems, preferences, generator, console)
    console.print(f"People among themselves: Krippendorff's ordinal alpha {result['alpha']:.3f}.")
    print(json.dumps(result))


def _read(options: Namespace) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]:
    """Grids, preferences, and what is known of the people before any metric."""
    if not options.ratings:
        preferences = pd.read_csv(options.preferences)
        alpha = raters_alpha(preferences, ["prompt", "first", "second"], "preference")
        return pd.read_csv(options.grids), preferences, {"alpha": alpha}
    grids, preferences, ratings = read_ratings(options.ratings)
    judgements = ratings.rename(columns={"worker_id": "rater"})
    alpha = raters_alpha(judgements, ["item_id", "t2i_model"], "answer")
    rho, tau = rank_correlation(grids["relevance"], grids["rating"])
    correlation = {"spearman": rho, "kendall": tau, "n": len(grids)}
    return grids, preferences, {"alpha": alpha, "correlation": correlation}


def _measure(
    metric: SetMetric,
    systems: Systems,
    preferences: pd.DataFrame,
    generator: np.random.Generator,
    console: Console,
) -> dict[str, Any]:
    """Print what one metric says, and give it back as plain values."""
    ordered = {name: [grids[prompt] for prompt in sorted(grids)] for name, grids in systems.items()}
    scores = {name: grid_scores(metric, grids) for name, grids in ordered.items()}
    differences = compare_systems(scores, generator)
    agreement = agreement_with_people(metric, systems, preferences, generator)
    curves = persistence_curves(metric, ordered, PERSISTENCES)
    console.print(_difference_table(metric, differences), _curve_table(metric, curves))
    console.print(_agreement_sentence(metric, agreement))
    return {
        "differences": [asdict(each) for each in differences],
        "agreement": asdict(agreement),
        "persistence": dict(curves),
    }


def _options(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks preference", description=__doc__)
    parser.add_argument("--grids", type=Path)
    parser.add_argument("--preferences", type=Path)
    parser.add_argument("--ratings", type=Path, help="a folder with DSG's published CSV files")
    parser.add_argument("--metric", action="append", help='e.g. "ERR" or "ERR(persistence=0.5)"')
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    if not options.ratings and not (options.grids and options.preferences):
        parser.error("give --grids and --preferences, or --ratings")
    return options


def _difference_table(metric: SetMetric, differences: Sequence[SystemDifference]) -> Table:
    table = Table(title=str(metric))
    for heading in ("first", "second"):
        table.add_column(heading)
    for heading in ("first - second", "95 %", "n", "p (Wilcoxon)", "p (Holm)"):
        table.add_column(heading, justify="right")
    for each in differences:
        numbers = (f"{each.mean:+.3f}", f"{each.low:+.3f} .. {each.high:+.3f}", str(each.n))
        p_values = (f"{each.p_value:.2g}", f"{each.corrected:.2g}")
        table.add_row(each.first, each.second, *numbers, *p_values)
    return table


def _curve_table(metric: SetMetric, curves: Mapping[str, Sequence[float]]) -> Table:
    """Systems from best to worst at the metric's own persistence."""
    table = Table(title=f"{metric.label}, {metric.order}: mean by persistence")
    table.add_column("system")
    for persistence in PERSISTENCES:
        table.add_column(f"{persistence:g}", justify="right")
    own = int(np.argmin(np.abs(np.array(PERSISTENCES) - metric.persistence)))
    for name in sorted(curves, key=lambda name: -curves[name][own]):
        table.add_row(name, *(f"{value:.3f}" for value in curves[name]))
    return table


def _agreement_sentence(metric: SetMetric, agreement: Agreement) -> str:
    return (
        f"{metric} agrees with people in {agreement.rate:.1%} of {agreement.n} preferences "
        f"({agreement.low:.1%} .. {agreement.high:.1%}); people tie in {agreement.ties} more, "
        f"the metric in {agreement.metric_ties} of the {agreement.n}; where it decides, it agrees "
        f"in {agreement.rate_where_decided:.1%}.\n"
    )


def _check_columns(table: pd.DataFrame, name: str, *columns: str) -> None:
    missing = [column for column in columns if column not in table]
    if missing:
        raise ValueError(f"{name}: no column {', '.join(missing)}; found {', '.join(table)}")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
