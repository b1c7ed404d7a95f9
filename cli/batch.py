"""The options of a batch run come in; a bar while it runs, a table and a line of JSON go out."""

from __future__ import annotations

import json
import os
import sys
import warnings
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

import session.batch as room
from alignment import AlignmentError, find_bundle
from alignment.records import ImageScore
from alignment.report import stored_report
from alignment.scorers import GRID_METHODS
from generation import GenerationError, find_model
from session.batch.ledger import RESULTS, SharedLedgerError, settle
from session.batch.run import run
from session.batch.units import GRID_SIZES, Shard, plan

Means = dict[str, dict[str, float | None]]
"""Text-to-image model -> method -> mean score of its pictures; None when none of them could be
judged."""


def main(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> None:
    """Run from the command line, alone or as one of torchrun's processes."""
    options = parser().parse_args(arguments)
    rank, ranks = (int(environment.get(*each)) for each in (("RANK", "0"), ("WORLD_SIZE", "1")))
    shard = options.shard.split(rank, ranks)
    hush()
    use_accelerator(int(environment.get("LOCAL_RANK", "0")))
    try:
        pipelines = [find_model(name) for name in options.models]
        judges = find_bundle(options.bundle)
        units = plan(options.prompts, pipelines, judges, options.images, options.seed)
        with bar(shown=rank == 0) as progress:
            task = progress.add_task("", total=len(shard.take(units)))
            for done in run(units, options.out, shard, options.ray):
                progress.update(task, completed=done)
    except (GenerationError, AlignmentError, SharedLedgerError) as error:
        sys.exit(str(error))
    if settle(options.out, [unit.id for unit in units]):
        show(options.out / RESULTS)
    else:
        print(f"shard {shard} is done; {RESULTS} comes with the last of the others")


def parser() -> ArgumentParser:
    """The options."""
    options = ArgumentParser(prog="python -m benchmarks batch", description=room.__doc__)
    options.add_argument("--prompts", type=read_prompts, required=True, help="a file, one a line")
    options.add_argument("--models", type=lambda names: names.split(","), default=["stickers"])
    options.add_argument("--images", type=int, choices=GRID_SIZES, default=9, metavar="N")
    options.add_argument("--seed", type=int, default=7, help="of the first picture of each prompt")
    options.add_argument("--bundle", default="embedded", help="name of a bundle")
    options.add_argument("--out", type=Path, required=True, help="a folder")
    options.add_argument("--shard", type=read_shard, default=Shard(), metavar="I/N")
    options.add_argument("--ray", type=int, default=0, metavar="N", help="so many workers on Ray")
    return options


def read_prompts(path: str) -> list[str]:
    """The lines of a file that say something."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ArgumentTypeError(f"cannot read {path}: {error.strerror}") from error
    return [line.strip() for line in lines if line.strip()]


def read_shard(text: str) -> Shard:
    """From "1/4" to "4/4".

    >>> read_shard("2/4")
    Shard(place=1, of=4)
    """
    place, _, of = text.partition("/")
    if not (place.isdecimal() and of.isdecimal() and 1 <= int(place) <= int(of)):
        raise ArgumentTypeError(f"{text!r} is no shard; those of two are 1/2 and 2/2")
    return Shard(int(place) - 1, int(of))


def hush() -> None:
    """Keep the libraries' own bars and warnings out of this one's way."""
    for library in ("TRANSFORMERS", "DIFFUSERS"):
        os.environ.setdefault(f"{library}_VERBOSITY", "error")
    os.environ.setdefault("TQDM_DISABLE", "1")
    warnings.filterwarnings("ignore", "`torch.jit.script` is deprecated", FutureWarning)


def use_accelerator(index: int) -> None:
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
    means = mean_scores(results)
    table = Table("text-to-image model", *GRID_METHODS, title="Mean score of a picture")
    for pipeline, scores in means.items():
        table.add_row(pipeline, *(_rounded(scores.get(method)) for method in GRID_METHODS))
    Console().print(table)
    print(json.dumps({"results": str(results), "signature": signature(results), "means": means}))


def signature(results: Path) -> str:
    """What it takes to compute the means again, from the first record."""
    with results.open(encoding="utf-8") as lines:
        first = json.loads(next(lines))
    images = first["rows"] * first["columns"]
    return f"mean|over:pictures|bundle:{first['bundle']}|images:{images}|seed:{first['seed']}"


def mean_scores(results: Path) -> Means:
    """What each text-to-image model's pictures score; a picture that could not be judged is left
    out.
    """
    values: dict[str, dict[str, list[float]]] = {}
    for pipeline, score in _scores(results):
        method = values.setdefault(pipeline, {}).setdefault(score.method, [])
        method.extend([score.value] if score.value is not None else [])
    return {
        pipeline: {method: fmean(each) if each else None for method, each in methods.items()}
        for pipeline, methods in values.items()
    }


def _scores(results: Path) -> Iterator[tuple[str, ImageScore]]:
    """Text-to-image model and score of each picture by each method."""
    with results.open(encoding="utf-8") as lines:
        for line in lines:
            stored = stored_report(json.loads(line))
            for scores in stored.report.scores.values():
                yield from ((stored.model, score) for score in scores)


def _rounded(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
