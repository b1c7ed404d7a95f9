"""The fields of a comparison, and the request that they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

import alignment
from session.comparison import LETTERS, ComparisonState, prompts_of
from session.offer import Offer
from session.tab_links import ComparisonLink
from ui import system_fields
from ui.components import Changes, ranking_choice, saliency_choice, segments
from ui.request_fields import SIZES, sides
from ui.system_fields import SystemFields, system_of

PROMPTS = "a black apple and a green backpack\nthree stars at night\nan owl left of a pink umbrella"


@dataclass(frozen=True)
class ComparisonFields:
    """The fields that all columns share, and those of each column."""

    prompts: gr.Textbox
    size: gr.Dropdown
    count: gr.Radio
    ranked_by: gr.Radio
    saliency: gr.Dropdown
    columns: tuple[SystemFields, ...]
    blind: gr.Checkbox

    @property
    def request(self) -> list[Any]:
        """Whether it is blind, and what becomes a request, in the order of `requested`."""
        fields = [field for column in self.columns for field in column.fields]
        shared = [self.prompts, self.size, self.count, self.ranked_by, self.saliency]
        return [self.blind, *shared, *fields]

    @property
    def groups(self) -> list[gr.Column]:
        """The columns, some of them out of sight."""
        return [column.group for column in self.columns]

    def on_count(self, count: str) -> list[Any]:
        """So many columns are shown."""
        return [gr.update(visible=place < int(count)) for place in range(len(self.columns))]

    def as_opened(self) -> Changes:
        """The fields as the page opened."""
        count = str(self.count.value)
        shown = dict(zip(self.groups, self.on_count(count), strict=True))
        blind = gr.update(value=self.blind.value, interactive=True)
        return {**shown, **{field: field.value for field in self.request}, self.blind: blind}

    def filled(self, link: ComparisonLink, offer: Offer) -> Changes:
        """The fields that ask for what a link asks for, as far as it is offered."""
        asked, columns = link.asked, dict[Any, Any]()
        for column, system in zip(self.columns, asked.systems, strict=False):
            columns |= column.filled(system, offer)
        if asked.saliency in offer.saliencies:
            columns[self.saliency] = asked.saliency
        count = str(len(asked.systems))
        return {
            **columns,
            **dict(zip(self.groups, self.on_count(count), strict=True)),
            self.prompts: "\n".join(asked.prompts),
            self.size: f"{asked.rows} x {asked.columns}",
            self.count: count,
            self.ranked_by: asked.rank_by,
            self.blind: gr.update(value=link.blind, interactive=True),
        }


def requested(
    prompts: str, size: str, count: str, rank_by: str, saliency: str, *fields: Any
) -> ComparisonState:
    """The comparison that the fields ask for.

    Args:
        prompts: one a line.
        size: of each grid, e.g. "2 x 2".
        count: of the columns that are shown.
        rank_by: a ranking method.
        saliency: a model of visual attention.
        fields: those of each column in turn, as in `system_of`.

    Raises:
        InvalidRequestError: the grid is not two numbers, or a column has no seed.
    """
    width = len(fields) // len(LETTERS)
    columns = [fields[place * width : (place + 1) * width] for place in range(int(count))]
    systems = tuple(
        system_of(letter, *column) for letter, column in zip(LETTERS, columns, strict=False)
    )
    return ComparisonState(prompts_of(prompts), systems, *sides(size), rank_by, saliency)


def lay_out(offer: Offer) -> tuple[dict[str, Any], tuple[SystemFields, ...]]:
    """Build the fields but for the last: those that columns share, and those of each column."""
    prompts = gr.Textbox(
        PROMPTS, label="prompts, one a line", lines=3, max_lines=12, elem_id="compared-prompts"
    )
    with gr.Row(elem_classes="settings compared"):
        ranked_by = ranking_choice(alignment.METHODS)
        count = segments([(k, k) for k in "234"], "2", label="columns", min_width=120, scale=1)
        size = gr.Dropdown(
            SIZES, value="2 x 2", label="each grid", allow_custom_value=True, min_width=90
        )
        saliency = saliency_choice(offer.saliencies)
    with gr.Row(elem_classes="columns"):
        columns = tuple(system_fields.lay_out(offer, place) for place in range(len(LETTERS)))
    shared = {"prompts": prompts, "size": size, "count": count, "ranked_by": ranked_by}
    return {**shared, "saliency": saliency}, columns
