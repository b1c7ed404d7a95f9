"""`generate`: a prompt becomes a ranked grid here and now, with a report and its images."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import Progress

from alignment.questions.settings import Vq2Settings
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL
from cli.vq2 import with_vq2_flags
from generation import GridRequest, InvalidRequestError, find_model
from session.jobs import generate_and_score
from session.state import GridState
from session.storage import ReportFolder
from ui.render.export.files import documents
from ui.render.status import activity
from ui.render.table import metrics_table, ranked_table

EMBEDDED = "embedded"
"""The bundle whose models ship with the project."""


Model = Annotated[str, typer.Option(help="Text-to-image model, a name in `generation.MODELS`.")]
BundleName = Annotated[
    str,
    typer.Option(help="Models that score; `bundles` lists them.", envvar="BUNDLE"),
]
Saliency = Annotated[
    str,
    typer.Option(
        metavar="spectral-residual|FOLDER|HUB-ID",
        help="What says where people look: spectral residual, or a segmentation model of "
        "transformers with one label.",
    ),
]


@with_vq2_flags
def generate(
    prompt: Annotated[str, typer.Argument(help="What the images should show.")],
    rows: Annotated[int, typer.Option(help="Rows of the grid, 1 to 6.")] = 3,
    columns: Annotated[int, typer.Option(help="Columns of the grid, 1 to 6.")] = 3,
    seed: Annotated[
        int, typer.Option(help="Seed of the first image; image k is generated from seed + k.")
    ] = 7,
    model: Model = "stickers",
    bundle: BundleName = EMBEDDED,
    rank_by: Annotated[
        str, typer.Option(help="Method that ranks: `vq2`, `vnli`, `clip` or `mean`.")
    ] = "vq2",
    completion: Annotated[
        Literal["auto", "on", "off"],
        typer.Option(
            help="Whether each seed draws what the prompt leaves open (background, places); "
            "`auto` is `on` for the embedded model. Images are scored against the prompt as typed."
        ),
    ] = "auto",
    *,
    vq2: Vq2Settings,
    saliency: Saliency = SPECTRAL_RESIDUAL,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the images, report.html, report.json, scores.csv, contact-sheet.png."
        ),
    ] = None,
) -> None:
    """Generate a prompt as a grid, score and rank the images, and say what is wrong with each."""
    completed = find_model(model).completes(completion)
    request = GridRequest(prompt, rows, columns, seed, model, completed)
    requested = GridState(request, bundle, rank_by, vq2=vq2, saliency=saliency)
    state = write_report(requested, out and _folder_at(out))
    Console().print(ranked_table(state), metrics_table(state))
    if out and state.report:
        print(f"report and images: {out.resolve()}", file=sys.stderr)


def write_report(requested: GridState, out: Path | None) -> GridState:
    """Do the whole job with a progress bar; images and report go to `out`."""
    folder, quiet = ReportFolder(out), not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("")
        for state in generate_and_score(requested, folder):
            at = state.download or state.stage
            bar.update(task, description=activity(state), completed=at.done, total=at.total)
    if state.report and out:
        for name, content in documents(state, state.report).items():
            (out / name).write_bytes(content)
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
