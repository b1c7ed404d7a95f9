"""`plan`: what a machine can run."""

from __future__ import annotations

from typing import Annotated

import typer

import session.plan
from cli.tables import markdown
from hub import this_machine
from session.limits import Limits
from session.plan import MACHINES, MachinePlan, lasting

TITLES = ("machine", "text-to-image models, best first", "bundles, best first")
SHOWN = 4
"""Models of a machine in the table; of the others their number is said."""


def row(name: str, found: MachinePlan) -> tuple[str, str, str]:
    """What a machine can run."""
    said = [f"`{each.name}` {lasting(each.seconds)}".strip() for each in found.models[:SHOWN]]
    others = len(found.models) - SHOWN
    models = ", ".join(said) + (f" and {others} more" if others > 0 else "")
    return name, models, ", ".join(f"`{each.name}`" for each in found.bundles)


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
    plans = {name: session.plan.plan(each, run_seconds) for name, each in chosen.items()}
    print(markdown(TITLES, [row(*each) for each in plans.items()]))
