"""What `batch` prints: mean scores and set metrics, or what searches found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from cli.flags import MetricSettings
from session.errors import DataError
from session.systems.grids import Result, Systems, read_lines, read_results
from session.systems.measures import Measure, chosen_metrics, label, measures, prompt_scores
from session.systems.system import MADE_FROM, System, told_apart
from session.tables import objects
from ui.render.words import counted

Means = dict[str, dict[str, float | None]]
"""System -> method -> mean score of its images; None when none has a score."""


def show(results: Path, relevance: str, settings: MetricSettings) -> None:
    """Print the tables, then the line; `relevance` is a method with calibrated scores."""
    lines, console = read_lines({results: ""}), Console(markup=False)
    means, found = mean_scores(lines), dict[str, dict[str, Any]]()
    console.print(_score_table(means))
    try:
        systems, _, inputs = read_results({results: ""}, relevance)
    except DataError as error:
        console.print(f"no set metrics: {error}", soft_wrap=True, markup=False)
    else:
        metrics = chosen_metrics(systems, **asdict(settings))
        said = measures(metrics, systems, inputs, "generated")
        found = {name: _measured(each, systems) for name, each in said.items()}
        console.print(_metric_table(found, [*means]))
    line = {
        "results": str(results),
        "signature": signature(lines),
        "means": means,
        "set_metrics": found,
    }
    _print_line(console, line)


def _measured(measure: Measure, systems: Systems) -> dict[str, Any]:
    """What a set metric gives the grids of each system in the mean over prompts."""
    means = {name: float(of.mean()) for name, of in prompt_scores(measure.score, systems).items()}
    return {"signature": measure.signature, "means": means}


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


def _metric_table(found: Mapping[str, dict[str, Any]], models: Sequence[str]) -> Table:
    """One row for each measure."""
    table = Table(title="Mean of a grid as generated")
    for heading in ("measure", *models):
        table.add_column(heading, no_wrap=True)
    for name, each in found.items():
        table.add_row(label(name), *(f"{each['means'][model]:.3f}" for model in models))
    return table


def _rounded(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


COSTS = ("evaluations", "questions", "seconds", "judging")
"""What is known of each attempt; judging is a part of the seconds."""


def show_searches(results: Path) -> None:
    """Print the table, then the line."""
    lines = objects(results, "prompt", "model")
    apart = told_apart({_system(line) for line in lines if not line.get("system")})
    named: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        named.setdefault(line.get("system") or apart[_system(line)], []).append(line)
    found = {name: _cost(each) for name, each in named.items()}
    table = Table("system", "right by VQ2", "attempts", "evaluations", "questions", "seconds")
    for name, each in found.items():
        share = each["judging"] / (each["seconds"] or 1)
        seconds = f"{each['seconds']:.0f}, judging {share:.0%}"
        numbers = (each["attempts"], each["evaluations"], each["questions"])
        right = f"{each['right']} of {each['prompts']}"
        table.add_row(name, right, *map(str, numbers), seconds)
    (console := Console(markup=False)).print(table)
    for why, prompts in Counter(line["reason"] for line in lines if line["reason"]).items():
        console.print(f"Not searched for, {counted(prompts, 'prompt')}: {why}")
    _print_line(console, {"results": str(results), "searches": found})


def _system(line: Mapping[str, Any]) -> System:
    """What made the images of a search."""
    asked = {name: line[name] for name in MADE_FROM if name in line}
    return System(line["model"], line["bundle"], **asked)


def _print_line(console: Console, line: Mapping[str, Any]) -> None:
    """For programs that read what is printed, not for a person at a terminal."""
    if not console.is_terminal:
        print(json.dumps(line))


def _cost(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the searches of a system found and cost; `right` is what VQ2 holds to be right."""
    attempts = [attempt for line in lines for attempt in line["attempts"]]
    return {
        "prompts": len(lines),
        "right": sum(bool(line["right"]) for line in lines),
        "attempts": len(attempts),
        **{name: round(sum(each[name] for each in attempts), 1) for name in COSTS},
    }
