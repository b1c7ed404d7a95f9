"""A link to a page: what it shows, as a query, and back.

    ?prompt=a+red+car&grid=2x2&seed=7&model=icons&completion=yes&bundle=embedded&show=generated

The names up to `again` say which images are meant; they are always written, so that a link gives
the same images when defaults have changed. The others are left out where they have their default;
those of `LOOKED_AT` say how the images are looked at, and which files of the model made them. A run
is the images and what they are measured by, so all names but those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from alignment.evaluation import PERSISTENCE
from alignment.report_format import FOUND
from alignment.set_metrics.viewing_orders import Order
from generation.records import Prompt
from request import Request
from request.query import fields_of, mistake, query_of, read_part
from request.record import NO_OTHERS
from session.search_state import Found
from session.state import GridImages, GridState
from session.viewer_utility import ViewingSettings

ALWAYS = ("prompt", "grid", "seed", "model", "completion", "bundle", "again")
"""The names that are always written."""
LOOKED_AT = ("rank", "show", "order", "persistence", "novelty", "picture", "revision")
"""The names that do not say which run is meant."""
ONE_AGAIN = rf"\d{{1,2}}:\d{{1,10}}(\.{FOUND})?"
AGAIN = f"({ONE_AGAIN}(,{ONE_AGAIN})*)?"


@dataclass(frozen=True, config=NO_OTHERS)
class Link(Request):
    """What the playground shows."""

    prompt: Prompt = ""
    again: Annotated[
        str,
        Field(
            pattern=f"^{AGAIN}$",
            description="cell:seed of images made again, as in 4:16,5:17.repair.2, whose second "
            "part is the strategy and the attempt of a search from that seed",
        ),
    ] = ""
    arrangement: Literal["generated", "reranked", "best"] = "reranked"
    order: Order = "saliency"
    persistence: Annotated[float, Field(ge=0.05, le=0.95)] = PERSISTENCE
    novelty: bool = False
    picture: Annotated[int | None, Field(description="the seed of an image of the grid")] = None

    @property
    def request(self) -> Request:
        """What the images are generated and scored by."""
        return Request(**{each.name: getattr(self, each.name) for each in fields(Request)})

    @property
    def regenerated(self) -> dict[int, int]:
        """Cell -> seed, of the images that were made again."""
        seeds = {cell: int(seed) for cell, (seed, _) in self._made_again.items()}
        return {cell: seed for cell, seed in seeds.items() if seed != self.seed + cell}

    @property
    def found(self) -> dict[int, Found]:
        """Cell -> which attempt of a search, of images that their seed alone does not make."""
        return {cell: Found.read(how) for cell, (_, how) in self._made_again.items() if how}

    @property
    def _made_again(self) -> dict[int, tuple[str, str]]:
        """Cell -> seed, and what follows it."""
        pairs = (each.split(":") for each in self.again.split(",") if each)
        parts = {int(cell): how.partition(".") for cell, how in pairs}
        return {cell: (seed, how) for cell, (seed, _, how) in parts.items() if cell < self.size}

    @property
    def state(self) -> GridState:
        """The grid before anything of it is made."""
        return GridState(self.request, GridImages(regenerated=self.regenerated, found=self.found))

    @property
    def view(self) -> ViewingSettings:
        """How the grid is looked at."""
        return ViewingSettings(self.arrangement, self.order, self.persistence, self.novelty)

    @property
    def cell(self) -> int | None:
        """The cell of the image whose reasons are shown; None where no cell has its seed."""
        state = self.state
        cells = (cell for cell in range(state.size) if state.seed_of(cell) == self.picture)
        return next(cells, None)

    @property
    def run(self) -> str:
        """The part of the query that says which run is meant: the same for the same report."""
        return query_of(self, USUALLY_LEFT_OUT, RUN)

    def __str__(self) -> str:
        """The query, without a question mark."""
        return query_of(self, USUALLY_LEFT_OUT, (*RUN, *LOOKED_AT))


NAMES = tuple(fields_of(Link))
RUN = (*ALWAYS, *(name for name in NAMES if name not in ALWAYS + LOOKED_AT))
"""The names that say which run is meant."""
USUALLY_LEFT_OUT = {*NAMES} - {*ALWAYS}


def read_link(query: str, bundles: Sequence[str] = ()) -> tuple[Link, tuple[str, ...]]:
    """What a query asks for; whatever cannot be is said, has its default, and the rest is kept.

    Args:
        query: of a link, from anybody; a question mark in front does not matter.
        bundles: that are known beside the named ones, such as one with another model in a role.

    Returns:
        The link, and a sentence for each value that cannot be.

    >>> read_link("prompt=a+red+car&grid=9x9&seed=3")[1]
    ('"grid" is "9x9" in this link; it can be rows x columns, 1x1 to 6x6; 3x3 is used instead',)
    """
    link, mistakes = read_part(Link, query, bundles)
    if link.picture is not None and link.cell is None:
        mistakes = (*mistakes, mistake(Link, "picture", str(link.picture)))
        link = replace(link, picture=None)
    return link, mistakes


def link_of(
    state: GridState, selected: int | None = None, view: ViewingSettings | None = None
) -> Link:
    """The link of a grid that was generated here."""
    found = state.images.found
    ends = {cell: f".{how}" for cell, how in found.items()}
    again = sorted({*state.images.regenerated, *found})
    return Link(
        **vars(replace(state.request, rank_by=state.ranked_by)),
        again=",".join(f"{cell}:{state.seed_of(cell)}{ends.get(cell, '')}" for cell in again),
        picture=None if selected is None else state.seed_of(selected),
        **vars(view) if view else {},
    )
