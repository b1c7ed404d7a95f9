"""The controls that describe the viewer whom the set metrics assume."""

from __future__ import annotations

import gradio as gr

from alignment.set_metrics.viewing_orders import Order
from session.viewer_utility import ViewingSettings
from ui.components import segments
from ui.render.summary import ORDERS

LEAST_PERSISTENT, MOST_PERSISTENT = 0.05, 0.95


def viewing_settings(
    arrangement: str, order: Order, persistence: float | None, novelty: bool
) -> ViewingSettings:
    """The settings that the controls show; a number typed out of range becomes the nearest."""
    known = 0.8 if persistence is None else persistence
    within = min(max(known, LEAST_PERSISTENT), MOST_PERSISTENT)
    return ViewingSettings(arrangement, order, within, novelty)


def lay_out() -> tuple[gr.Radio, gr.Slider, gr.Checkbox]:
    """The assumed viewer: viewing order, persistence, novelty."""
    with gr.Row(elem_classes="viewer"):
        orders = [(said, name) for name, said in ORDERS.items()]
        order = segments(orders, orders[0][1], label="viewing order", scale=3)
        persistence = gr.Slider(
            LEAST_PERSISTENT,
            MOST_PERSISTENT,
            0.8,
            step=0.05,
            label="persistence",
            info="the probability of looking at one more image",
            min_width=220,
            elem_classes="persistence",
        )
        novelty = gr.Checkbox(False, label="novelty: repeats count less", min_width=120)
        gr.Checkbox(
            False, label="show the viewing order on the grid", min_width=150, elem_classes="way"
        )
    return order, persistence, novelty
