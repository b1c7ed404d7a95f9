"""`generate`: a prompt becomes a ranked grid here and now, with a report and its images."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from cli.flags import with_request
from generation import InvalidRequestError
from request.parameters import Asked
from session.jobs import generate_and_score
from session.state import GridState
from session.storage import ReportFolder
from ui.render.export.page import documents
from ui.render.status import activity
from ui.render.table import metrics_table, ranked_table


@with_request(completion="auto")
def generate(
    *,
    asked: Asked,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the images, report.html, report.json, scores.csv, contact-sheet.png."
        ),
    ] = None,
) -> None:
    """Generate a prompt as a grid, score and rank the images, and say what is wrong with each."""
    state = write_report(GridState(asked()), out and _folder_at(out))
    Console().print(ranked_table(state), metrics_table(state))
    if out and state.report:
        print(f"report and images: {out.resolve()}", file=sys.stderr)


def write_report(requested: GridState, out: Path | None) -> GridState:
    """Do the whole job with a progress bar; images and report go to `out`."""
    state = last_shown(generate_and_score(requested, ReportFolder(out)))
    if state.report and out:
        for name, content in documents(state, state.report).items():
            (out / name).write_bytes(content)
    return state


def last_shown(states: Iterator[GridState]) -> GridState:
    """The last state; all of them are shown on the terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("")
        for state in states:
            at = state.download or state.stage
            bar.update(task, description=activity(state), completed=at.done, total=at.total)
    return state


def _folder_at(out: Path) -> Path:
    """The folder of a report, made where there is none yet.

    Raises:
        InvalidRequestError: it cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidRequestError(
            f"there can be no folder {out}: {error.strerror}; choose another with --out"
        ) from error
    return out
