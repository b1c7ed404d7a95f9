"""A link to a page: what it shows, as a query, and back.

    ?prompt=a+red+car&grid=2x2&seed=7&model=stickers&completion=yes&bundle=embedded&show=generated

The names up to `again` say which images are meant; they are always written, so that a link gives
the same images when defaults have changed. The others say how the images are looked at, and which
files of the model made them (`revision`); they are left out where they have their default. A run
is the images and what they are measured by (`saliency`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from pydantic import Field

from alignment.evaluation import METHODS
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL
from alignment.set_metrics.viewing_orders import Order
from generation import GridRequest
from generation.validation import LARGEST_SEED
from session.link_fields import (
    TOO_MANY,
    BundleName,
    Choice,
    Grid,
    LinkPart,
    Method,
    ModelName,
    Prompt,
    Saliency,
    Seed,
    mistake,
    named,
    read_part,
    text_of,
)
from session.state import GridImages, GridState
from session.viewer_utility import ViewingSettings

RUN = ("prompt", "grid", "seed", "model", "completion", "bundle", "again")
"""The names that say which images are meant."""
MEASURED = ("saliency",)
"""Those that say how they are measured, where it is not as usual."""
TABS = ("playground", "compare", "commonsense", "your-pictures", "about")
SEEDS = r"(\d{1,2}:\d{1,10}(,\d{1,2}:\d{1,10})*)?"

Tab = Literal[TABS]  # type: ignore[valid-type]


class Link(LinkPart):
    """What the playground shows, and which tab is open."""

    prompt: Prompt = ""
    grid: Grid = "3x3"
    seed: Seed = 7
    model: ModelName = "stickers"
    completion: Choice = False
    bundle: BundleName = "embedded"
    again: Annotated[
        str,
        Field(
            pattern=f"^{SEEDS}$", description="cell:seed of pictures made again, as in 4:16,5:17"
        ),
    ] = ""
    rank: Method = METHODS[0]
    show: Annotated[
        Literal["generated", "reranked", "best"],
        Field(description="generated, reranked or best"),
    ] = "reranked"
    order: Annotated[Order, Field(description="positional, saliency or uniform")] = "positional"
    persistence: Annotated[
        float, Field(ge=0.05, le=0.95, description="a number from 0.05 to 0.95")
    ] = 0.8
    novelty: Choice = False
    picture: Annotated[
        int | None, Field(ge=0, le=LARGEST_SEED, description="the seed of a picture of the grid")
    ] = None
    revision: Annotated[
        str, Field(pattern="^[0-9a-f]{0,40}$", description="the revision of the model's files")
    ] = ""
    saliency: Saliency = SPECTRAL_RESIDUAL
    tab: Annotated[Tab, Field(description=f"one of {', '.join(TABS)}")] = TABS[0]

    @property
    def request(self) -> GridRequest:
        """The request that makes the images."""
        rows, columns = map(int, self.grid.split("x"))
        return GridRequest(self.prompt, rows, columns, self.seed, self.model, self.completion)

    @property
    def regenerated(self) -> dict[int, int]:
        """Cell -> seed, of the images that were made again."""
        pairs = (each.split(":") for each in self.again.split(",") if each)
        return {int(cell): int(seed) for cell, seed in pairs if int(cell) < self.request.size}

    @property
    def state(self) -> GridState:
        """The grid before anything of it is made."""
        images = GridImages(regenerated=self.regenerated)
        return GridState(self.request, self.bundle, self.rank, images, saliency=self.saliency)

    @property
    def view(self) -> ViewingSettings:
        """How the grid is looked at."""
        return ViewingSettings(self.show, self.order, self.persistence, self.novelty)

    @property
    def cell(self) -> int | None:
        """The cell of the picture whose reasons are shown; None where no cell has its seed."""
        state = self.state
        cells = (cell for cell in range(state.size) if state.seed_of(cell) == self.picture)
        return next(cells, None)

    @property
    def run(self) -> str:
        """The part of the query that says which run is meant: the same for the same report."""
        names = (*RUN, *(name for name in MEASURED if self._differs(name)))
        return urlencode(self._texts(names), errors="replace")

    def __str__(self) -> str:
        """The query, without a question mark."""
        rest = [name for name in Link.model_fields if name not in RUN and self._differs(name)]
        return urlencode(self._texts((*RUN, *rest)), errors="replace")

    def _differs(self, name: str) -> bool:
        return bool(getattr(self, name) != Link.model_fields[name].default)

    def _texts(self, names: tuple[str, ...]) -> list[tuple[str, str]]:
        found = ((name, text_of(getattr(self, name))) for name in names)
        return [(name, text) for name, text in found if text or name == "prompt"]


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
    given = named(query)
    if given is None:
        return Link(), (TOO_MANY,)
    link, mistakes = read_part(Link, given, bundles)
    if link.picture is not None and link.cell is None:
        mistakes = (*mistakes, mistake(Link, "picture", given["picture"]))
        link = link.model_copy(update={"picture": None})
    return link, mistakes


def link_of(
    state: GridState, selected: int | None = None, view: ViewingSettings | None = None
) -> Link:
    """The link of a grid that was generated here.

    Args:
        state: whose request has a model.
        selected: the cell whose reasons are shown.
        view: how the grid is looked at; the default when None.
    """
    request, seeds = state.request, sorted(state.images.regenerated.items())
    fields: dict[str, Any] = {
        "prompt": request.prompt,
        "grid": f"{request.rows}x{request.columns}",
        "seed": request.seed,
        "model": request.model,
        "completion": request.completion,
        "bundle": state.bundle,
        "again": ",".join(f"{cell}:{seed}" for cell, seed in seeds),
        "rank": state.ranked_by,
        "revision": state.revision,
        "saliency": state.saliency,
        "picture": None if selected is None else state.seed_of(selected),
    }
    if view:
        fields |= {"show": view.arrangement, "order": view.order}
        fields |= {"persistence": view.persistence, "novelty": view.novelty}
    return Link.model_construct(**fields)
