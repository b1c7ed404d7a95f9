"""`batch`: a file of prompts, generated and scored by one process or many, and resumable."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from alignment import find_bundle
from alignment.questions.settings import Vq2Settings
from alignment.records import ImageScore
from alignment.report import stored_report
from alignment.scorers import GRID_METHODS
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL
from cli.generate import EMBEDDED, BundleName, Saliency
from cli.vq2 import with_vq2_flags
from generation import find_model
from session.batch.ledger import RESULTS, finalise
from session.batch.run import run
from session.batch.units import GRID_SIZES, Shard, plan

Means = dict[str, dict[str, float | None]]
"""Text-to-image model -> method -> mean score of its images; None when none has a score."""


def read_prompts(file: str) -> list[str]:
    """The lines of a file that are not blank.

    Raises:
        typer.BadParameter: the file cannot be read, or is not UTF-8.
    """
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise typer.BadParameter(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise typer.BadParameter(
            f"{file} is not UTF-8 (byte {error.start} is {error.object[error.start]:#x}); "
            "save it as UTF-8"
        ) from error
    return [line.strip() for line in lines if line.strip()]


def _read_shard(text: str) -> Shard:
    """From "1/4" to "4/4".

    Raises:
        typer.BadParameter: the text is anything else.

    >>> _read_shard("2/4")
    Shard(place=1, of=4)
    """
    place, _, of = text.partition("/")
    if not (place.isdecimal() and of.isdecimal() and 1 <= int(place) <= int(of)):
        raise typer.BadParameter(f"{text!r} is no shard; those of two are 1/2 and 2/2")
    return Shard(int(place) - 1, int(of))


@with_vq2_flags
def batch(
    prompts: Annotated[
        Any, typer.Option(parser=read_prompts, metavar="FILE", help="UTF-8, one prompt a line.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for images, records and results.")],
    models: Annotated[
        str, typer.Option(help="Text-to-image models, separated by commas.")
    ] = "stickers",
    images: Annotated[
        int, typer.Option(help=f"Images of each prompt: {', '.join(map(str, GRID_SIZES))}.")
    ] = 9,
    seed: Annotated[int, typer.Option(help="Seed of the first image of each prompt.")] = 7,
    bundle: BundleName = EMBEDDED,
    completion: Annotated[
        Literal["auto", "on", "off"],
        typer.Option(
            help="Whether each seed draws what the prompt leaves open; `auto` is the model's own "
            "default, as on the page. `off` unless given, as it was in earlier versions: their "
            "runs go on with their own pictures."
        ),
    ] = "off",
    *,
    vq2: Vq2Settings,
    saliency: Saliency = SPECTRAL_RESIDUAL,
    shard: Annotated[
        Any,
        typer.Option(parser=_read_shard, metavar="I/N", help="The part to do here, 1/N to N/N."),
    ] = "1/1",
    ray: Annotated[int, typer.Option(help="Workers on a Ray cluster; 0 works here alone.")] = 0,
) -> None:
    """Generate and score a file of prompts by one or more text-to-image models.

    Stopped at any point, even killed, the same command goes on from there: nothing is lost and
    nothing is done twice. Several processes share the work: `--shard 1/4` to `--shard 4/4` on four
    machines with one folder, `torchrun --nproc-per-node 8 app.py batch ...` on eight GPUs, and
    `--ray 8` for eight workers on a Ray cluster (`pip install .[ray]`).

    **Example**

        python app.py batch --prompts prompts.txt --models stickers --images 9 --out runs/first

    **Files**

        OUT/images/ID/cell-00.png   the images of one prompt by one model

        OUT/records-1-of-1.jsonl    what is done, one record a line, in the order of doing

        OUT/results.jsonl           once all is done, the same lines model by model
    """
    environment = os.environ
    rank, ranks = (int(environment.get(*each)) for each in (("RANK", "0"), ("WORLD_SIZE", "1")))
    mine = shard.split(rank, ranks)
    _use_accelerator(int(environment.get("LOCAL_RANK", "0")))
    specs = [find_model(name) for name in models.split(",")]
    units = plan(
        prompts,
        specs,
        find_bundle(bundle),
        _check_size(images),
        seed,
        completion=completion,
        vq2=vq2,
        saliency=saliency,
    )
    with bar(shown=rank == 0) as progress:
        task = progress.add_task("", total=len(mine.take(units)))
        for done in run(units, out, mine, ray):
            progress.update(task, completed=done)
    if finalise(out, [unit.id for unit in units]):
        show(out / RESULTS)
    else:
        print(f"shard {mine} is done; {RESULTS} comes with the last of the others")


def _check_size(images: int) -> int:
    """The number of images of a prompt, where they fill a grid.

    Raises:
        typer.BadParameter: they do not.
    """
    if images not in GRID_SIZES:
        known = ", ".join(map(str, GRID_SIZES))
        raise typer.BadParameter(f"{images} images fill no grid; choose from {known}")
    return images


def _use_accelerator(index: int) -> None:
    """Make one accelerator this process's own, where there are any."""
    import torch

    if torch.accelerator.is_available():
        torch.accelerator.set_device_index(index)


def bar(*, shown: bool) -> Progress:
    """Units done of all, and the time left, for a person at a terminal."""
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not (shown and sys.stderr.isatty()),
    )


def show(results: Path) -> None:
    """Print the table, then the line."""
    means = _mean_scores(results)
    table = Table("text-to-image model", *GRID_METHODS, title="Mean score of an image")
    for model, scores in means.items():
        table.add_row(model, *(_rounded(scores.get(method)) for method in GRID_METHODS))
    Console().print(table)
    print(json.dumps({"results": str(results), "signature": signature(results), "means": means}))


def signature(results: Path) -> str:
    """What it takes to compute the means again, from the first record."""
    with results.open(encoding="utf-8") as lines:
        first = json.loads(next(lines))
    images = first["rows"] * first["columns"]
    said = f"mean|over:pictures|bundle:{first['bundle']}|images:{images}|seed:{first['seed']}"
    scores = stored_report(first).report.scores.get("vq2", ())
    vq2 = next((str(score.signature) for score in scores if score.signature), "")
    return f"{said}|completion:{'on' if first['completion'] else 'off'}|{vq2}".rstrip("|")


def _mean_scores(results: Path) -> Means:
    """Mean scores of each text-to-image model's images; an image without a score is left out."""
    values: dict[str, dict[str, list[float]]] = {}
    for model, score in _scores(results):
        method = values.setdefault(model, {}).setdefault(score.method, [])
        method.extend([score.value] if score.value is not None else [])
    return {
        model: {method: fmean(each) if each else None for method, each in methods.items()}
        for model, methods in values.items()
    }


def _scores(results: Path) -> Iterator[tuple[str, ImageScore]]:
    """Text-to-image model and score of each image by each method."""
    with results.open(encoding="utf-8") as lines:
        for line in lines:
            stored = stored_report(json.loads(line))
            for scores in stored.report.scores.values():
                yield from ((stored.model, score) for score in scores)


def _rounded(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
