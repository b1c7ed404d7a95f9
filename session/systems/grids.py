"""Scored grids of several systems on the same prompts, as batch runs have left them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from alignment.errors import UnreadableReportError
from alignment.evaluation import NO_IMAGE, metric_inputs
from alignment.records import GridReport
from alignment.report import StoredReport, stored_report
from alignment.set_metrics.grid import MetricInputs
from session.errors import DataError
from session.systems.system import system_of, told_apart
from session.tables import objects


@dataclass(frozen=True)
class Result:
    """A scored grid of one prompt by one system."""

    file: Path
    """The results that it is a line of."""
    stored: StoredReport
    id: str
    system: str
    """What the system is called; empty where who ran the batch gave no name."""

    @property
    def names(self) -> tuple[str, ...]:
        """By which a judgement can name the grid: its seed and its id."""
        return str(self.stored.seed), self.id

    @property
    def images(self) -> tuple[str, ...]:
        """The files of its images; those that were filtered have none."""
        return tuple(str(self.file.parent / each) for each in self.stored.images if each)


def read_lines(files: Mapping[Path, str]) -> list[Result]:
    """The lines of results of batch runs.

    A system is a model and settings. It is called as the file is, as the batch called it
    (`batch --system NAME=MODEL`), or after its model and the settings that differ among systems of
    that model.

    Args:
        files: each with what its system is to be called; empty where that is not said. Where it has
            several systems, the name goes before theirs.

    Raises:
        DataError: a line is no report, the message names file and line; or two files have the same
            grid of systems that are called alike.
    """
    lines = [line for file in files for line in _lines(file)]
    apart = told_apart({system_of(each.stored) for each in lines if not each.system})
    own = [each.system or apart[system_of(each.stored)] for each in lines]
    alone = {
        file: len({name for name, line in zip(own, lines, strict=True) if line.file == file}) == 1
        for file in files
    }
    found, seen = [], dict[tuple[str, str, int | None], Path]()
    for name, line in zip(own, lines, strict=True):
        given = files[line.file]
        called = given if given and alone[line.file] else ", ".join(filter(None, (given, name)))
        grid = (called, line.stored.report.prompt, line.stored.seed)
        if seen.setdefault(grid, line.file) != line.file:
            raise DataError(
                f"{seen[grid]} and {line.file} both have a grid of {called} on {grid[1]!r} from "
                f"seed {grid[2]}; give one of them, or name the systems: --results NAME=FILE"
            )
        found.append(replace(line, system=called))
    return found


def _lines(file: Path) -> Iterator[Result]:
    for number, plain in enumerate(objects(file, "prompt", "model", "cells"), 1):
        try:
            stored = stored_report(plain)
        except UnreadableReportError as error:
            raise DataError(f"{file.name}, line {number}: {error}") from error
        yield Result(file, stored, plain.get("id", ""), plain.get("system", ""))


@dataclass(frozen=True)
class ScoredGrid:
    """What a set metric needs to know of one grid, place by place, row by row."""

    relevance: tuple[float, ...]
    attention: tuple[float, ...]
    similarity: tuple[tuple[float, ...], ...] | None = None
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
        name: judged_images(grids_of({name: prompts}), left_out[name])
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
    """The same, over the prompts that every system has something of."""
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
            f"the scores by {method!r} are not calibrated, so they are not chances; calibrated: "
            f"{known}; fit one with `python app.py calibrate` and score again"
        )


def _nothing_judged(report: GridReport, method: str) -> bool:
    """Whether the method could judge no image, filtered ones aside."""
    there = [score for score in report.scores[method] if score.reason != NO_IMAGE]
    return bool(there) and all(score.value is None for score in there)


def _grid_of(report: GridReport, method: str) -> ScoredGrid:
    """A grid as generated; images that could not be judged are there and satisfy nobody."""
    chances = report.relevance[method]
    similarity = report.similarity
    if all(score.reason == NO_IMAGE for score in report.scores[method]):
        similarity = tuple(map(tuple, np.eye(len(chances)).tolist()))
    return ScoredGrid(
        tuple(chance or 0.0 for chance in chances),
        report.saliency.get("generated", (1.0,) * len(chances))[: len(chances)],
        similarity,
        unjudged=tuple(cell for cell, chance in enumerate(chances) if chance is None),
    )


def judged_images(grids: Sequence[ScoredGrid], left_out: int = 0) -> JudgedImages:
    """How much of these grids could be judged."""
    images = sum(len(grid.relevance) for grid in grids)
    return JudgedImages(images, images - sum(len(grid.unjudged) for grid in grids), left_out)


def _together(inputs: Sequence[MetricInputs]) -> MetricInputs:
    """Where all numbers come from; what reports do not share is named with "+".

    >>> _together([MetricInputs("vq2", saliency="a"), MetricInputs("vq2", saliency="b")]).saliency
    'a+b'
    """
    values = zip(*map(astuple, inputs), strict=True)
    return MetricInputs(*("+".join(filter(None, dict.fromkeys(each))) for each in values))
