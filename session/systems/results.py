"""The results of batch runs: reports, and what the system of each is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alignment.errors import UnreadableReportError
from alignment.report import StoredReport, stored_report
from session.errors import DataError
from session.systems.system import system_of, told_apart
from session.tables import objects


@dataclass(frozen=True)
class Result:
    """A scored grid of one prompt by one system."""

    system: str
    """What the system is called."""
    stored: StoredReport
    names: tuple[str, ...]
    """By which a judgement can name the grid: its seed and its id."""
    images: tuple[str, ...]
    """The files of its images; those that were filtered have none."""


@dataclass(frozen=True)
class _Line:
    file: Path
    stored: StoredReport
    id: str
    called: str
    """By who ran the batch; empty where they gave no name."""


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
    apart = told_apart({system_of(each.stored) for each in lines if not each.called})
    own = [each.called or apart[system_of(each.stored)] for each in lines]
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
        found.append(_result(called, line))
    return found


def _result(called: str, line: _Line) -> Result:
    home, images = line.file.parent, line.stored.images
    files = tuple(str(home / each) for each in images if each)
    return Result(called, line.stored, (str(line.stored.seed), line.id), files)


def _lines(file: Path) -> Iterator[_Line]:
    for number, plain in enumerate(objects(file, "prompt", "model", "cells"), 1):
        stored = _report(f"{file.name}, line {number}", plain)
        yield _Line(file, stored, plain.get("id", ""), plain.get("system", ""))


def _report(where: str, plain: dict[str, Any]) -> StoredReport:
    try:
        return stored_report(plain)
    except UnreadableReportError as error:
        raise DataError(f"{where}: {error}") from error
