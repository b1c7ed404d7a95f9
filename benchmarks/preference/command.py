"""The command that compares systems by set metrics and holds the metrics against people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from alignment.arrays import Floats
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.revisions import identity
from alignment.set_metrics.metrics import SetMetric
from alignment.set_metrics.named import parse_metric
from benchmarks import options as given
from benchmarks.data.numbers import caution
from benchmarks.preference import inputs, tables
from benchmarks.preference.people import judgements
from benchmarks.preference.published import frechet_by_pair, name_of, with_people
from benchmarks.preference.published_table import show_people, without_grids_sentence
from benchmarks.statistics.comparison import (
    MeasureResult,
    compared,
    order_changes,
    persistence_curves,
)
from cli.flags import MetricSettings, with_metric_flags
from session.errors import DataError
from session.systems.grids import Systems, grids_of
from session.systems.measures import chosen_metrics, measures


@with_metric_flags
def main(
    results: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]FILE",
            help="results.jsonl of a batch run, and what its system is called. Repeatable.",
        ),
    ] = None,
    relevance: Annotated[
        str,
        typer.Option(
            help="The method whose calibrated scores of --results are the relevance; `targets`: "
            "the similarity to the target images of the batch."
        ),
    ] = "vq2",
    grids: Annotated[Path | None, typer.Option(help="Grids as a CSV file.")] = None,
    images: given.ImageHomes = None,
    targets: Annotated[
        Path | None, typer.Option(help="Target images of each prompt as a CSV file.")
    ] = None,
    preferences: Annotated[
        list[Path] | None,
        typer.Option(help="People's preferences as a CSV file. Repeatable: raters are joined."),
    ] = None,
    real: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[DATASET=]FOLDER",
            help="Real images, of a data set or of all, from which FID is taken in the space of "
            "the bundle's CLIP. Repeatable.",
        ),
    ] = None,
    ratings: Annotated[
        Path | None, typer.Option(help="The folder of DSG's published CSV files.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help='A metric: a name like "ERR^u_eta", or as it prints. Repeatable.'),
    ] = None,
    *,
    metric_settings: MetricSettings,
    bundle: given.BundleName = "embedded",
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    if ratings:
        comparison = inputs.from_ratings(ratings)
    elif targets:
        comparison = inputs.from_images(grids, images, targets, find_bundle(bundle))
    else:
        comparison = inputs.from_scores(results, relevance, grids)
    comparison = inputs.with_preferences(comparison, preferences or ())
    systems, people_say = comparison.systems, comparison.preferences
    named = [_metric(text) for text in metric or ()]
    chosen = chosen_metrics(systems, named, **asdict(metric_settings))
    judged = () if people_say is None else judgements(systems, people_say)
    said = measures(chosen, systems, comparison.inputs, comparison.arrangement)
    distances = {}
    if judged and real:
        models = Models(find_bundle(bundle))

        def features(files: Sequence[str]) -> Floats:
            shown = [comparison.image(file) for file in files]
            return np.asarray(models.clip.encode(shown), dtype=float)

        distances = frechet_by_pair(judged, inputs.real_images(real), features)
    people = with_people(judged, said, distances, seed) if judged else {}
    result = _shown(compared(said, systems, seed), chosen, comparison)
    show_people(people, distances, Console(markup=False))
    if distances:
        by_pair = {name_of(pair): each for pair, each in distances.items()}
        result["FID"] = {"features": identity(models.bundle.clip), "distances": by_pair}
    if people:
        result["people"] = {name: asdict(each) for name, each in people.items()}
    print(json.dumps(result))


def _shown(
    found: Mapping[str, MeasureResult],
    metrics: Sequence[SetMetric],
    comparison: inputs.Comparison,
) -> dict[str, Any]:
    """Print what is known of systems, and give it back for the line."""
    console, result = Console(markup=False), dict(comparison.known)
    for name, judged in result.get("judged", {}).items():
        console.print(tables.judged_sentence(name, judged))
    if "without_grids" in result:
        console.print(without_grids_sentence(result["without_grids"]), markup=False)
    for name, measured in found.items():
        console.print(tables.difference_table(name, measured.differences))
        if measured.differences:
            tests = sum(len(each.differences) for each in found.values())
            console.print(tables.report_sentence(name.split("(")[0], measured.differences, tests))
        console.print(measured.signature, soft_wrap=True)
        result[name] = asdict(measured)
    for each in metrics:
        result[str(each)]["persistence"] = _sensitivity(each, comparison.systems, console)
    for about, raters in result.get("raters", {}).items():
        console.print(tables.raters_sentence(about, raters))
    console.print(*caution([pair.n for each in found.values() for pair in each.differences]))
    return result


def _sensitivity(
    metric: SetMetric, systems: Systems, console: Console
) -> Mapping[str, Sequence[float]]:
    """Print how the order of systems depends on persistence, and give the curves back."""
    grids = {name: grids_of({name: prompts}) for name, prompts in systems.items()}
    found = persistence_curves(metric, grids, tables.PERSISTENCES)
    changes = order_changes(found, tables.PERSISTENCES)
    console.print(tables.curve_table(metric, found))
    for change in changes:
        console.print(tables.change_sentence(change))
    console.print("" if changes else "The order of systems is the same at every persistence.\n")
    return found


def _metric(text: str) -> SetMetric:
    try:
        return parse_metric(text)
    except ValueError as error:
        raise DataError(str(error)) from error
