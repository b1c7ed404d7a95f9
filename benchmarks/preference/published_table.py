"""The published table as a table of the terminal, and sentences about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from alignment.statistics.preferences import PreferenceAgreement
from benchmarks.preference.people import PREFERENCES, Pair
from benchmarks.preference.published import FID, PeopleColumn, name_of
from session.systems.measures import label

CHANCE = 0.05
"""A star says that the agreement is no chance at this level."""
CAPTION = (
    "agrees: share of people's preferences, their ties left out, with the 95 % interval, prompts "
    "drawn; a measure without a preference does not agree. Below it, the share where it decides, "
    "and of how many (chance 50 %). *: agreeing as often as disagreeing has p < .05, after Holm's "
    "correction over the table."
)


def show_people(
    columns: Mapping[str, PeopleColumn],
    distances: Mapping[Pair, tuple[float, float]],
    console: Console,
) -> None:
    """Print the table and what FID says, where people were asked."""
    if columns:
        console.print(table_of(columns))
    for pair, each in distances.items():
        console.print(frechet_sentence(pair, each, columns), soft_wrap=True, markup=False)


def table_of(columns: Mapping[str, PeopleColumn]) -> Table:
    """One row for each measure, then what people said."""
    table = Table(title="Agreement with people's preferences", caption=CAPTION)
    table.add_column("measure", no_wrap=True)
    for name in columns:
        table.add_column(escape(name), justify="right", overflow="fold")
    for measure in dict.fromkeys(name for each in columns.values() for name in each.agreements):
        cells = (_cell(measure, each) for each in columns.values())
        table.add_row(FID if measure == FID else label(measure), *cells)
    table.add_section()
    table.add_row("people: preferences", *(_counts(each) for each in columns.values()))
    table.add_row("ties", *(str(each.ties) for each in columns.values()))
    table.add_row("2 / 1 / 0 / -1 / -2", *(_answers(each) for each in columns.values()))
    return table


def _cell(measure: str, column: PeopleColumn) -> str:
    if measure not in column.agreements:
        return "all ties"
    found = column.agreements[measure]
    star = "*" if column.corrected[measure] < CHANCE else " "
    rate, interval = found.rate.percents
    return f"{rate}{star} ({interval})\n{_decided(found)}"


def _decided(found: PreferenceAgreement) -> str:
    decides = found.n - found.metric_ties
    return f"{found.decided.percents[0]} of {decides}" if decides else "never decides"


def _counts(column: PeopleColumn) -> str:
    total = sum(column.answers.values()) - column.ties
    prompts = max((each.rate.n for each in column.agreements.values()), default=0)
    return f"{total} on {prompts} prompts"


def _answers(column: PeopleColumn) -> str:
    """How often people gave each of the five answers; ratings have others."""
    if not {*column.answers} <= {*PREFERENCES}:
        return ""
    return " / ".join(str(column.answers.get(each, 0)) for each in PREFERENCES)


def frechet_sentence(
    pair: Pair, distances: tuple[float, float], columns: Mapping[str, PeopleColumn]
) -> str:
    """Which system is nearer to real images, and whether people prefer that one.

    >>> frechet_sentence(Pair("", "A", "B"), (12.0, 15.5), {"A - B": PeopleColumn({0: 1}, {}, {})})
    'FID of A - B: 12 and 15.5.'
    """
    said = f"FID of {name_of(pair)}: {distances[0]:.3g} and {distances[1]:.3g}"
    agreed = columns[name_of(pair)].agreements.get(FID)
    if agreed is None:
        return f"{said}."
    nearer = pair.first if distances[0] < distances[1] else pair.second
    share, interval = agreed.rate.percents
    whether = "against people" if agreed.rate.value < 1 / 2 else "with people"
    return f"{said}; {whether}, who prefer {nearer}, the nearer one, in {share} ({interval})."


def without_grids_sentence(absent: Mapping[str, Any]) -> str:
    """Which preferences are left out, and why.

    >>> absent = {"preferences": 2, "of": 5, "systems": ["A"], "known": ["B"], "prompts": ["owl"]}
    >>> without_grids_sentence(absent)
    '2 of 5 preferences are left out: there are no grids of the system A (known: B) and of the
    prompt owl.'
    """
    known = {"system": f" (known: {'; '.join(absent['known'])})", "prompt": ""}
    which = [
        f"of the {kind}{'s' if len(absent[f'{kind}s']) > 1 else ''} {'; '.join(absent[f'{kind}s'])}"
        + known[kind]
        for kind in ("system", "prompt")
        if absent[f"{kind}s"]
    ]
    left = f"{absent['preferences']} of {absent['of']} preferences are left out"
    return f"{left}: there are no grids {' and '.join(which)}."
