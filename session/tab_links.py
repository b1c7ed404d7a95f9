"""Links to the tabs Compare and Commonsense: what was asked there, as a query.

    ?tab=compare&compare.prompts=a+red+car&compare.grid=2x2&compare.a.seed=7&compare.b.seed=9

Each name begins with that of its tab, so that one address holds what every tab shows. Names are
always written, but for those of `USUALLY_LEFT_OUT`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from alignment.ranking import METHODS
from generation.records import Side
from request.query import LONGEST_QUERY, TOO_MANY, query_of, read_part
from request.record import Method
from session.comparison import LETTERS, MOST_PROMPTS, MOST_SYSTEMS, ComparisonState, prompts_of
from session.pair_state import AskedPair
from session.systems.system import System

COMPARE, COMMONSENSE = "compare.", "commonsense."
"""What the names of each tab begin with."""
LONGEST = 8_000
"""Characters of the query of one tab: servers before the page may take no more."""
USUALLY_LEFT_OUT = ("blind", "made", "vq2", "steps", "guidance")
"""Names that are written only where their value is not the usual one."""
TOO_LONG = "the prompts of this comparison are too long for a link; write them, one per line"


class ComparisonPart(BaseModel, frozen=True):
    """What all columns of a comparison share."""

    prompts: Annotated[
        str,
        Field(max_length=LONGEST_QUERY, description=f"1 to {MOST_PROMPTS} prompts, one per line"),
    ] = ""
    rows: Side = 2
    columns: Side = 2
    rank_by: Method = METHODS[0]
    systems: Annotated[int, Field(ge=2, le=MOST_SYSTEMS)] = 2
    """How many columns there are."""
    blind: bool = False


@dataclass(frozen=True)
class ComparisonLink:
    """What the tab Compare shows."""

    asked: ComparisonState
    """Without its grids."""
    blind: bool = False

    @property
    def whole(self) -> bool:
        """Whether its prompts are short enough for an address."""
        return len(self._text(self.asked.prompts)) <= LONGEST

    def __str__(self) -> str:
        """The query of the tab; without the prompts where they are too long for an address."""
        return self._text(self.asked.prompts if self.whole else ())

    def _text(self, prompts: Sequence[str]) -> str:
        asked = self.asked
        shared = ComparisonPart.model_construct(
            prompts="\n".join(prompts),
            rows=asked.rows,
            columns=asked.columns,
            rank_by=asked.rank_by,
            systems=len(asked.systems),
            blind=self.blind,
        )
        columns = zip(map(_column, LETTERS), asked.systems, strict=False)
        parts = [(COMPARE, shared), *columns]
        return "&".join(query_of(part, USUALLY_LEFT_OUT, prefix=name) for name, part in parts)


def read_comparison(
    query: str, bundles: Sequence[str] = ()
) -> tuple[ComparisonLink, tuple[str, ...]]:
    """What a query asks the tab Compare for, see `read_link`.

    >>> link, _ = read_comparison("compare.prompts=a+cat&compare.b.seed=9")
    >>> link.asked.prompts, [system.seed for system in link.asked.systems]
    (('a cat',), [7, 9])
    """
    shared, mistakes = read_part(ComparisonPart, query, bundles, COMPARE)
    parts = [
        read_part(System, query, bundles, _column(letter)) for letter in LETTERS[: shared.systems]
    ]
    asked = ComparisonState(
        prompts_of(shared.prompts),
        tuple(system for system, _ in parts),
        shared.rows,
        shared.columns,
        shared.rank_by,
    )
    mistakes += tuple(each for _, said in parts for each in said)
    mistakes += () if asked.prompts else (TOO_LONG,)
    return ComparisonLink(asked, shared.blind), (TOO_MANY,) if TOO_MANY in mistakes else mistakes


def read_pair(query: str, bundles: Sequence[str] = ()) -> tuple[AskedPair, tuple[str, ...]]:
    """What a query asks the tab Commonsense for, see `read_link`.

    >>> read_pair("commonsense.first=a+lamp+by+day")[0].first
    'a lamp by day'
    """
    return read_part(AskedPair, query, bundles, COMMONSENSE)


def pair_query(asked: AskedPair) -> str:
    """What the tab Commonsense is asked for; empty where it is too long for an address."""
    query = query_of(asked, USUALLY_LEFT_OUT, prefix=COMMONSENSE)
    return query if len(query) <= LONGEST else ""


def _column(letter: str) -> str:
    return f"{COMPARE}{letter.lower()}."
