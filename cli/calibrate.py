"""`calibrate`: fits how often an image with a score is right, on labelled pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from alignment import METHODS, Models, find_bundle
from alignment.calibration import CALIBRATIONS, Calibration
from alignment.calibration_fit import calibrate as fit
from alignment.questions.settings import default_settings
from cli.flags import with_request
from request.parameters import Asked


@with_request("bundle", "vq2")
def calibrate(
    tables: Annotated[
        list[Path],
        typer.Argument(
            exists=True, dir_okay=False, help="CSV files with columns image, text, label (0 or 1)."
        ),
    ],
    method: Annotated[
        list[str] | None, typer.Option(help="A scoring method; may be given again. All by default.")
    ] = None,
    *,
    asked: Asked,
    folder: Annotated[
        Path, typer.Option(file_okay=False, help="Where BUNDLE/METHOD.json is written.")
    ] = CALIBRATIONS,
) -> None:
    """Calibrate a bundle's scores: from a score to the chance that an image is right.

    ERR and RBP need that chance and are not given for a method without it. The tables have the
    format of SeeTRUE, with image files beside them: at least 50 pairs that are right and 50 that
    are wrong, and in each table at least 20 groups that share no image and no text, of images like
    those that will be scored. A calibration is of VQ2's settings, too: it is used where the same
    are set.

    Every pair is scored by every method: a few pairs a second on a CPU with the embedded models.
    Pairs of which some words are not judged are then left out, where enough others are there: the
    page calls no such image right.

    The page says right or wrong of an image from a threshold on, so that at most 5 % of the pairs
    that are kept get a wrong verdict. Give one table for each source of images, such as a
    text-to-image model: the promise is kept on each apart. `python -m benchmarks calibration` says
    how well.

    Prints a table of the expected calibration error (cross-validated), then one JSON line.

    **Example**

        python app.py calibrate pairs.csv --bundle small --method vq2
    """
    request = asked()
    models = Models(find_bundle(request.bundle))
    settings = request.vq2 or default_settings(request.bundle)
    today = datetime.now(tz=timezone.utc).date().isoformat()
    methods = method or METHODS
    fitted = fit(tables, models, settings, methods=methods, date=today, folder=folder)
    try:
        found = [*track(fitted, "methods", len(methods), console=Console(stderr=True))]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    for each in found:
        for source in each.unscored:
            typer.echo(without(each.method, source), err=True)
    Console().print(table(found))
    print(json.dumps({each.method: _figures(each) for each in found}))


def table(calibrations: Iterable[Calibration]) -> Table:
    """One row for each method."""
    shown = Table("method", "fit", "pairs", "error before", "error after", "verdicts from")
    for each in calibrations:
        shown.add_row(
            each.method,
            each.kind,
            f"{each.pairs} ({each.right} right)",
            f"{each.error_before:.3f}",
            f"{each.error:.3f}",
            f"{each.threshold:.3f}" if each.threshold <= 1 else "never",
        )
    return shown


def without(method: str, source: str) -> str:
    """That a table says nothing about a method."""
    return (
        f"{method} could score no pair of {source}: its calibration is not fitted on it, and "
        "promises nothing of images like those"
    )


def _figures(each: Calibration) -> Mapping[str, Any]:
    names = "name kind pairs right error_before error threshold unscored".split()
    return {name: getattr(each, name) for name in names}
