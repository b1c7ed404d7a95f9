"""`bundles` and `plan`: the models of every bundle, and what a machine can run of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Annotated

import typer

import session.plan
from alignment.models.catalogue import ALONE, BUNDLES
from alignment.models.spec import Bundle, ScoringModel
from hub import this_machine
from session.limits import Limits
from session.plan import MACHINES, MachinePlan, lasting

TITLES = ("bundle", "role", "model", "size", "memory", "licence")


ALONE_NOTES = "Models for a role of any bundle: --bundle NAME+ROLE=MODEL"


def rows(bundle: Bundle) -> Iterator[tuple[str, ...]]:
    """One row for each model of a bundle, with all its roles; the first is the bundle itself."""
    size, needs = gigabytes(bundle.size_gb), gigabytes(bundle.memory_gb)
    yield f"**{bundle.name}**", bundle.notes, "", size, needs, ""
    for model in bundle.models:
        roles = ", ".join(_roles_of(model, bundle))
        yield _row(roles, model)


def other_rows() -> Iterator[tuple[str, ...]]:
    """One row for each model that no bundle has, with its kind."""
    yield "**none**", ALONE_NOTES, "", "", "", ""
    for kind, models in ALONE.items():
        for model in models:
            yield _row(kind, model)


def _row(roles: str, model: ScoringModel) -> tuple[str, ...]:
    said = f"`{model.name}`, {model.source}" if isinstance(model.source, str) else f"`{model.name}`"
    return "", roles, said, gigabytes(model.size_gb), gigabytes(model.memory_gb), model.licence


def _roles_of(model: ScoringModel, bundle: Bundle) -> list[str]:
    """What a model does in a bundle, in the order of the roles.

    >>> _roles_of(BUNDLES["embedded"].reader, BUNDLES["embedded"])
    ['question writer', 'reader', 'contradictor']
    """
    return [
        role.name.replace("_", " ")
        for role in fields(bundle)
        if getattr(bundle, role.name) == model
    ]


def gigabytes(size: float) -> str:
    """A size in words.

    >>> gigabytes(15.8), gigabytes(0.008)
    ('15.8 GB', '8 MB')
    """
    return f"{size:.1f} GB" if size >= 0.1 else f"{size * 1000:.0f} MB"


def markdown(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ["---"] * len(titles)
    return "\n".join(f"| {' | '.join(line)} |" for line in (titles, rule, *lines))


def bundles() -> None:
    """List every scoring model: its bundles and roles, its name, size, memory and licence.

    Prints a table in Markdown, then one JSON line. Nothing is loaded.
    """
    bundled = [row for bundle in BUNDLES.values() for row in rows(bundle)]
    print(markdown(TITLES, [*bundled, *other_rows()]))
    sizes = {
        name: {"size_gb": round(bundle.size_gb, 3), "memory_gb": round(bundle.memory_gb, 3)}
        for name, bundle in BUNDLES.items()
    }
    print(json.dumps(sizes))


PLAN_TITLES = ("machine", "text-to-image models, best first", "bundles, best first")
SHOWN = 4
"""Models of a machine in the table; of the others their number is said."""


def plan_row(name: str, found: MachinePlan) -> tuple[str, str, str]:
    """What a machine can run."""
    said = [f"`{each.name}` {lasting(each.seconds)}".strip() for each in found.models[:SHOWN]]
    others = len(found.models) - SHOWN
    models = ", ".join(said) + (f" and {others} more" if others > 0 else "")
    return name, models, ", ".join(f"`{each.name}`" for each in found.bundles)


def plan(
    *,
    machines: Annotated[
        bool, typer.Option("--all", help="The machines of README instead of this one.")
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
    print(markdown(PLAN_TITLES, [plan_row(*each) for each in plans.items()]))
