"""Scored grids of several systems on the same prompts, as batch runs have left them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from alignment.evaluation import NO_PICTURE, metric_inputs
from alignment.records import GridReport
from alignment.set_metrics.grid import MetricInputs
from session.errors import DataError
from session.systems.results import read_lines


@dataclass(frozen=True)
class ScoredGrid:
    """What a set metric needs to know of one grid, place by place, row by row."""

    relevance: tuple[float, ...]
    attention: tuple[float, ...]
    similarity: tuple[tuple[float, ...], ...] | None = None
    satisfaction: tuple[float, ...] | None = None
    """The relevance itself when None."""
    unjudged: tuple[int, ...] = ()
    """Places whose image was filtered or could not be judged: a viewer looks at them too, and their
    relevance is 0."""
    names: tuple[str, ...] = ()
    """By which a judgement can name it among the grids of its prompt: its seed and its id."""
    dataset: str = ""
    """Of its prompt; empty where that is not said."""
    images: tuple[str, ...] = ()
    """Their files, or what they are called where they are; none where that is not known."""


Known = TypeVar("Known")
Systems: TypeAlias = Mapping[str, Mapping[str, tuple[ScoredGrid, ...]]]
"""System -> prompt -> its grids, one for each seed; every system has the same prompts."""


@dataclass(frozen=True)
class JudgedImages:
    """How much of what a system has generated could be judged."""

    images: int
    """Of the grids that are compared."""
    judged: int
    """Those with a relevance; the others count as 0."""
    left_out: int
    """Grids that are not compared, as nothing in them could be judged."""


def read_results(
    files: Mapping[Path, str], method: str
) -> tuple[Systems, dict[str, JudgedImages], MetricInputs]:
    """The grids, as generated, that `python app.py batch` has generated and scored.

    Args:
        files: with a report on each line; how systems are called by them, see `read_lines`.
        method: whose calibrated chance is the relevance, e.g. "vq2", or "targets". An image that
            was filtered or could not be judged has relevance 0; a grid is left out where the method
            could judge none of its images.

    Returns:
        The grids over the prompts that all systems have, how much of each could be judged, and
        where their numbers come from.

    Raises:
        DataError: a file cannot be read or says of a grid what another has said, the method did
            not score or is not calibrated, or no prompt is shared.
    """
    known: dict[str, dict[str, tuple[tuple[ScoredGrid, MetricInputs], ...]]] = {}
    left_out = Counter[str]()
    for result in read_lines(files):
        report, name = result.stored.report, result.system
        _check_relevance(report, method)
        grids, prompt = known.setdefault(name, {}), report.prompt
        if _nothing_judged(report, method):
            left_out[name] += 1
        else:
            inputs = metric_inputs(replace(report, ranked_by=method))
            grid = replace(_grid_of(report, method), names=result.names, images=result.images)
            grids[prompt] = (*grids.get(prompt, ()), (grid, inputs))
    compared = shared(known)
    systems = {
        name: {prompt: tuple(grid for grid, _ in grids) for prompt, grids in prompts.items()}
        for name, prompts in compared.items()
    }
    judged = {
        name: _judged(grids_of({name: prompts}), left_out[name])
        for name, prompts in systems.items()
    }
    sources = [
        inputs for prompts in compared.values() for grids in prompts.values() for _, inputs in grids
    ]
    return systems, judged, _together(sources)


def grids_of(systems: Systems) -> list[ScoredGrid]:
    """Every grid of every system."""
    return [grid for prompts in systems.values() for grids in prompts.values() for grid in grids]


def shared(systems: Mapping[str, Mapping[str, Known]]) -> dict[str, dict[str, Known]]:
    """The same, over the prompts that every system has something of.

    Raises:
        DataError: there is no such prompt.
    """
    prompts = set.intersection(*(set(grids) for grids in systems.values())) if systems else set()
    if not prompts:
        raise DataError("no prompt has a grid of every system; the differences are paired")
    return {
        name: {prompt: grids[prompt] for prompt in sorted(prompts)}
        for name, grids in systems.items()
    }


def _check_relevance(report: GridReport, method: str) -> None:
    if method not in report.scores:
        known = ", ".join(report.scores)
        raise DataError(f"the images have no score by {method!r}; known: {known}")
    if method not in report.relevance:
        known = ", ".join(report.relevance) or "none"
        raise DataError(
            f"the scores by {method!r} are not calibrated, and a score is no chance; calibrated: "
            f"{known}; fit one with `python app.py calibrate` and score again"
        )


def _nothing_judged(report: GridReport, method: str) -> bool:
    """Whether the method could judge no image, filtered ones aside."""
    there = [score for score in report.scores[method] if score.reason != NO_PICTURE]
    return bool(there) and all(score.value is None for score in there)


def _grid_of(report: GridReport, method: str) -> ScoredGrid:
    """A grid as generated; images that could not be judged are there and satisfy nobody."""
    chances = report.relevance[method]
    similarity = report.similarity
    if all(score.reason == NO_PICTURE for score in report.scores[method]):
        similarity = tuple(map(tuple, np.eye(len(chances)).tolist()))
    return ScoredGrid(
        tuple(chance or 0.0 for chance in chances),
        report.saliency.get("generated", (1.0,) * len(chances))[: len(chances)],
        similarity,
        unjudged=tuple(cell for cell, chance in enumerate(chances) if chance is None),
    )


def _judged(grids: Sequence[ScoredGrid], left_out: int) -> JudgedImages:
    images = sum(len(grid.relevance) for grid in grids)
    return JudgedImages(images, images - sum(len(grid.unjudged) for grid in grids), left_out)


def _together(inputs: Sequence[MetricInputs]) -> MetricInputs:
    """Where all numbers come from; what reports do not share is named with "+".

    >>> _together([MetricInputs("vq2", saliency="a"), MetricInputs("vq2", saliency="b")]).saliency
    'a+b'
    """
    values = zip(*map(astuple, inputs), strict=True)
    return MetricInputs(*("+".join(filter(None, dict.fromkeys(each))) for each in values))
