"""`generate`: a prompt becomes a ranked grid here and now, with a report and its images."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from alignment.judgements import METHOD
from cli.flags import with_request
from cli.progress import last_shown, warn_of
from generation import InvalidRequestError
from request.parameters import Asked
from session.jobs import generate_and_score
from session.state import GridState
from session.storage import ReportFolder
from ui.render.export.files import documents, image_files
from ui.render.gallery import completed
from ui.render.outcome import outcome
from ui.render.sentences import not_judged
from ui.render.summary import METRICS, without_calibration
from ui.render.words import method_name, number, score_name


@with_request(completion="auto")
def generate(
    *,
    asked: Asked,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the images, report.html, report.json and scores.csv."),
    ] = None,
) -> None:
    """Generate a grid from a prompt, score and rank the images, and say what is wrong with each."""
    request = asked()
    warn_of(request)
    state = write_report(GridState(request), out and _folder_at(out))
    Console().print(ranked_table(state), metrics_table(state))
    if out and state.report:
        print(f"report and images: {out.resolve()}", file=sys.stderr)


def write_report(requested: GridState, out: Path | None) -> GridState:
    """Do the whole job with a progress bar; images and report go to `out`, else nowhere."""
    with nullcontext(out) if out else TemporaryDirectory() as folder:
        state = last_shown(generate_and_score(requested, ReportFolder(Path(folder))))
    if state.report and out:
        for name, content in {**documents(state, state.report), **image_files(state)}.items():
            (out / name).write_bytes(content)
    return state


def _folder_at(out: Path) -> Path:
    """The folder of a report, made where there is none yet."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidRequestError(
            f"there can be no folder {out}: {error.strerror}; choose another with --out"
        ) from error
    return out


def ranked_table(state: GridState) -> Table:
    """One row per image, best first: rank, seed, every method's score, the page's verdict,
    and what the model was given beyond the prompt; below it what was not judged, and why.
    """
    methods = (score_name(each[0]) for each in state.scores.values())
    caption = escape("\n".join(_without_judgement(state))) or None
    table = Table("rank", "seed", *methods, "verdict", "generated with", caption=caption)
    for cell in state.arranged("reranked"):
        table.add_row(*_image_row(state, cell))
    return table


def _without_judgement(state: GridState) -> Iterator[str]:
    """What was not judged, and why: words of the prompt, then methods."""
    if unjudged := "; ".join(not_judged(state.answers())):
        yield f"not judged: {unjudged}"
    for first, *_ in state.scores.values():
        if first.reason and first.method != METHOD:
            yield f"{score_name(first)}: {first.reason}"


def metrics_table(state: GridState) -> Table:
    """ERR and RBP of a viewer who looks row by row, as generated and as reranked."""
    table = Table("row by row", "as generated", "reranked", caption=_why_empty(state))
    for metric in METRICS:
        found = state.report.row_by_row(metric) if state.report else {}
        table.add_row(metric, *(number(found.get(each)) for each in ("generated", "reranked")))
    return table


def _why_empty(state: GridState) -> str | None:
    """That the method has no calibration, where that is so and some image has a score."""
    report = state.report
    if not report or report.set_scores or report.ranked_by in report.relevance or not state.ranked:
        return None
    return without_calibration(method_name(report.ranked_by))


def _image_row(state: GridState, cell: int) -> list[str]:
    scores = [score for name in state.scores if (score := state.score(cell, name))]
    return [
        str(state.rank(cell) or "–"),
        str(state.seed_of(cell)),
        *(number(score.value) for score in scores),
        escape(outcome(state, cell).words),  # brackets in a prompt are no mark-up
        escape(completed(state, cell)),
    ]
