"""The presentation of the grid on show, and the guided tour of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from uuid import uuid4

import gradio as gr

from session.attention import attention, saliency_overlay
from session.pair_state import PairState
from session.state import GridState
from session.viewer_utility import ViewerUtility, ViewingSettings, viewer_utility
from ui.components import AT_ONCE, html, page_store
from ui.render.presentation import about_grid, preparing, presentation, tour
from ui.render.words import url


def lay_out() -> tuple[gr.Button, gr.Button]:
    small = {"size": "sm", "min_width": 0, "elem_classes": "opens"}
    return (
        gr.Button("Present", elem_id="present", **small),
        gr.Button("Tour", elem_id="tour", **small),
    )


def wire(
    buttons: tuple[gr.Button, gr.Button],
    state: gr.State,
    examples: Sequence[GridState],
    pair: Sequence[PairState],
) -> None:
    """Add the place of the slides and connect the buttons.

    Args:
        buttons: of `lay_out`.
        state: the grid on show.
        examples: worked examples, for the tour.
        pair: a worked pair of prompts, for the same.
    """
    place = html("present", preparing(), "presentation.js")
    present, guide = buttons
    present.click(presented, [state], [place], **AT_ONCE)
    guide.click(lambda: opened(tour(examples, pair, by_saliency, lit)), None, [place], **AT_ONCE)


def presented(state: GridState | None) -> str:
    """The slides of the grid on show; nothing while there is none."""
    return opened(about_grid(state)) if state else ""


def by_saliency(state: GridState) -> ViewerUtility:
    """What a finished grid is worth to a viewer whose eyes follow saliency."""
    if not state.report:
        raise ValueError("a grid that is told is finished")
    view = ViewingSettings("best")
    return viewer_utility(state.report, view, partial(attention, state))


def lit(state: GridState, cells: Sequence[int]) -> str:
    """The address of a grid's map of saliency."""
    return url(page_store().image(saliency_overlay(state, cells), "jpeg"))


def opened(slides: Sequence[str]) -> str:
    """The slides, marked so that the same ones open again."""
    return f"{presentation(slides)}<!-- {uuid4().hex} -->"
