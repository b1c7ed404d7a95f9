"""`plan`: which models and bundles a machine can run, and how long they take there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

import session.plan
from cli.bundles import markdown
from hub import Machine, this_machine
from session.limits import Limits
from session.plan import MACHINES, MachinePlan, lasting

TITLES = ("machine", "text-to-image models, best first", "bundles, best first")
SHOWN = 6
"""Models of a machine in the table; of the others their number is said."""


def rows(machines: Mapping[str, Machine], run_seconds: float) -> list[tuple[str, ...]]:
    """A row for each machine."""
    plans = {name: session.plan.plan(each, run_seconds) for name, each in machines.items()}
    return [(name, _models(each), _bundles(each)) for name, each in plans.items()]


def _models(found: MachinePlan) -> str:
    said = [f"`{each.name}` {lasting(each.seconds)}".strip() for each in found.models[:SHOWN]]
    others = len(found.models) - SHOWN
    return ", ".join(said) + (f" and {others} more" if others > 0 else "")


def _bundles(found: MachinePlan) -> str:
    return ", ".join(f"`{each.name}`" for each in found.bundles)


def plan(
    *,
    machines: Annotated[
        bool, typer.Option("--all", help="The machines of docs/models.md instead of this one.")
    ] = False,
    run_seconds: Annotated[
        float, typer.Option(help="Seconds for which one run may have the models.", min=1)
    ] = Limits.seconds_per_run,
) -> None:
    """Say which models and bundles this machine can run, best first, with seconds for an image.

    Prints a table in Markdown. Seconds are counted from operations, not measured; nothing is loaded
    or downloaded.
    """
    chosen = MACHINES if machines else {"this machine": this_machine()}
    print(markdown(TITLES, rows(chosen, run_seconds)))
