"""`batch`: a file of prompts, generated and scored by one process or many, and resumable."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from alignment.ranking import TARGETS
from cli.batch_results import show, show_searches
from cli.flags import MetricSettings, read_texts, with_metric_flags, with_request
from request import Request
from request.parameters import Asked
from search import DEFAULT, STRATEGIES, Budget
from session.batch.ledger import RESULTS, finalise
from session.batch.units import Search, Shard, Unit, plan, read_targets
from session.batch.work import run
from session.systems.system import MADE_FROM

SETTINGS = ("seed", *MADE_FROM)


def _read_shard(text: str) -> Shard:
    """From "1/4" to "4/4".

    >>> _read_shard("2/4")
    Shard(place=1, of=4)
    """
    place, _, of = text.partition("/")
    if not (place.isdecimal() and of.isdecimal() and 1 <= int(place) <= int(of)):
        raise typer.BadParameter(f"{text!r} is no shard; those of two are 1/2 and 2/2")
    return Shard(int(place) - 1, int(of))


def read_systems(texts: Sequence[str], asked: Asked) -> list[tuple[str, Request]]:
    """Each system: its name, empty without one, and all of its request but the prompt.

    Args:
        texts: each a model, with "NAME=" before it and ",SETTING=VALUE" behind it where wanted.
        asked: what all of them share.

    Raises:
        typer.BadParameter: a setting is not known, or a name comes twice.
        InvalidRequestError, UnknownModelError: a value or a model cannot be.

    >>> from request.parameters import asked_of
    >>> ((name, request),) = read_systems(["few=icons,steps=2"], asked_of({}))
    >>> name, request.model, request.steps
    ('few', 'icons', 2)
    """
    systems = [_read_system(text.strip(), asked) for text in texts]
    for (one, _), (other, _) in combinations(systems, 2):
        if one and one == other:
            raise typer.BadParameter(f"two systems are called {one}; give each a name of its own")
    return systems


def _read_system(text: str, asked: Asked) -> tuple[str, Request]:
    head, *settings = re.split(r",(?=\s*\w+=)", text)
    name, _, model = head.rpartition("=")
    given = dict(each.strip().split("=", 1) for each in settings)
    for setting in given:
        if setting not in SETTINGS:
            known = ", ".join(SETTINGS)
            raise typer.BadParameter(f"{text!r} has no setting {setting!r}; known: {known}")
    return name, asked(model=model, **given)


@with_request("rows", "columns", "seed", "bundle", "completion", "vq2", completion="off")
@with_metric_flags
def batch(
    prompts: Annotated[
        Any, typer.Option(parser=read_texts, metavar="FILE", help="UTF-8, one prompt per line.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for images, records and results.")],
    models: Annotated[
        str,
        typer.Option(help="Text-to-image models, separated by commas; `icons` by default."),
    ] = "",
    *,
    asked: Asked,
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=MODEL,SETTING=VALUE",
            help=f"A text-to-image model with its {', '.join(SETTINGS)}, and what tables call it. "
            "Repeatable; without NAME= it is called after its model and what differs.",
        ),
    ] = None,
    grids_per_prompt: Annotated[
        int,
        typer.Option(min=1, help="Grids of each prompt; each goes on from the seeds of the last."),
    ] = 1,
    targets: Annotated[
        Path | None,
        typer.Option(
            help="Target images: a folder with one for each prompt, by name in the order of the "
            "prompts, or a CSV file of prompt and image. Images get a score more, max(0, cosine) "
            "to the nearest target."
        ),
    ] = None,
    relevance: Annotated[
        str | None,
        typer.Option(
            help="The method whose calibrated scores are the relevance of set metrics: `targets` "
            "where there are any, else `vq2`."
        ),
    ] = None,
    metric_settings: MetricSettings,
    until_right: Annotated[
        str,
        typer.Option(
            metavar="BUDGET",
            help="Search for one image of each prompt instead of grids, with this budget for each: "
            'seconds, evaluations or questions, e.g. `60s` or "128 evaluations".',
        ),
    ] = "",
    strategy: Annotated[
        str | None,
        typer.Option(help=f"How to search: {', '.join(STRATEGIES)}.", show_default=DEFAULT),
    ] = None,
    shard: Annotated[
        Any,
        typer.Option(parser=_read_shard, metavar="I/N", help="The part to do here, 1/N to N/N."),
    ] = "1/1",
) -> None:
    """Generate and score a file of prompts by one or more systems: models with their settings.

    Stopped at any point, even killed, the same command goes on from there: nothing is lost and
    nothing is done twice. Several processes share the work: `--shard 1/4` to `--shard 4/4` on four
    machines with one folder, `torchrun --nproc-per-node 8 app.py batch ...` on eight GPUs.

    In the end it prints mean scores, and the mean of each set metric of the grids as generated:
    RBP and ERR under the saliency and the uniform order, each with and without novelty, and
    Diversity. What is printed (`--relevance`, `--order`, `--persistence`, `--novelty`) can be
    changed later: no work is done again for it. A pipe or a file also gets all of it as a last
    line of JSON. `python -m benchmarks preference --results OUT/results.jsonl` tests the
    differences, and holds each metric against people's preferences.

    Prompts are completed where `--completion` says so, and not by default: runs of earlier versions
    go on with their own images.

    **Examples**

        python app.py batch --prompts prompts.txt --rows 3 --columns 3 --out runs/first

        python app.py batch --prompts prompts.txt --models icons,sd-turbo --out runs/second
        --grids-per-prompt 3 --targets wanted/

        python app.py batch --prompts prompts.txt --system plain=icons,completion=off
        --system completed=icons,completion=on --out runs/third

        python app.py batch --prompts prompts.txt --until-right "128 evaluations" --out runs/right

    **Files**

        OUT/images/ID/cell-00.png   the images of one prompt by one model

        OUT/records-1-of-1.jsonl    what is done, one record per line, in the order of doing

        OUT/results.jsonl           once all is done, the same lines model by model
    """
    environment = os.environ
    rank, ranks = (int(environment.get(*each)) for each in (("RANK", "0"), ("WORLD_SIZE", "1")))
    mine = shard.split(rank, ranks)
    _use_accelerator(int(environment.get("LOCAL_RANK", "0")))
    given = [*filter(None, models.split(",")), *(system or ())]
    systems = read_systems(given or [Request.model], asked)
    if until_right and (targets or grids_per_prompt > 1):
        raise typer.BadParameter(
            "--until-right makes one image of each prompt; leave out --targets and "
            "--grids-per-prompt"
        )
    if strategy and not until_right:
        raise typer.BadParameter("a --strategy searches; give --until-right BUDGET, too")
    search = Search(Budget.parse(until_right), strategy or DEFAULT) if until_right else None
    wanted = read_targets(targets, prompts) if targets else {}
    units = plan(prompts, systems, grids_per_prompt, wanted, search)
    if not _work_off(units, out, mine, shown=rank == 0):
        return
    if search:
        show_searches(out / RESULTS)
    else:
        show(out / RESULTS, relevance or (TARGETS if targets else "vq2"), metric_settings)


def _work_off(units: Sequence[Unit], out: Path, mine: Shard, *, shown: bool) -> bool:
    """Do a shard of the units; whether all shards are done."""
    with bar(shown=shown) as progress:
        task = progress.add_task("", total=len(mine.take(units)))
        for done in run(units, out, mine):
            progress.update(task, completed=done)
    if finalise(out, {unit.id: unit.system for unit in units}):
        return True
    print(f"shard {mine} is done; {RESULTS} comes with the last of the others")
    return False


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
