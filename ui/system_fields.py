"""The fields of one column of a comparison, and the system that they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

import generation
from session.comparison import LETTERS, PROMPT, System
from session.offer import Offer
from ui.components import Changes, model_choice
from ui.request_fields import whole

COMPLETION = (("usual", "auto"), ("on", "on"), ("off", "off"))
"""Whether seeds complete the prompt: as its model does it, or not."""
SETTINGS = (
    ("usual for the evaluators", "usual"),
    ("as published", "published"),
    ("the weakest answer decides", "weakest"),
)
"""The settings of VQ2, each a name in `session.comparison.VQ2`."""
DEFAULTS = ((7, "auto"), (7, "off"), (107, "auto"), (107, "off"))
"""Seed and completion of each column at first."""


@dataclass(frozen=True)
class SystemFields:
    """The fields of one system."""

    group: gr.Column
    model: gr.Dropdown
    bundle: gr.Dropdown
    seed: gr.Number
    completion: gr.Dropdown
    wording: gr.Textbox
    vq2: gr.Dropdown

    @property
    def fields(self) -> list[Any]:
        """In the order of `system_of`."""
        return [self.model, self.bundle, self.seed, self.completion, self.wording, self.vq2]

    def filled(self, system: System, offer: Offer) -> Changes:
        """The fields that ask for a system, as far as it is offered."""
        values = {
            self.model: system.model,
            self.bundle: system.bundle,
            self.seed: system.seed,
            self.completion: "on" if system.completion else "off",
            self.wording: system.wording,
            self.vq2: system.vq2,
        }
        offered = {self.model: offer.models, self.bundle: offer.bundles}
        return {
            field: value for field, value in values.items() if value in offered.get(field, (value,))
        }


def system_of(
    letter: str,
    model: str,
    bundle: str,
    seed: float | None,
    completion: str,
    wording: str,
    vq2: str = "usual",
) -> System:
    """The system that the fields of a column ask for.

    Raises:
        InvalidRequestError: the seed is no whole number.
    """
    first = whole(seed, f"seed of column {letter}")
    completed = generation.find_model(model).completes(completion)
    return System(model, bundle, first, completed, wording.strip() or PROMPT, vq2)


def lay_out(offer: Offer, place: int) -> SystemFields:
    """Build the fields of a column; the third and the fourth are out of sight at first."""
    seed, completion = DEFAULTS[place]
    letter = LETTERS[place]
    with gr.Column(visible=place < 2, min_width=240, elem_classes="system") as group:
        return SystemFields(
            group=group,
            model=model_choice(
                offer.models, f"{letter}: text-to-image model", offer.off, offer.other_models
            ),
            bundle=model_choice(
                offer.bundles, f"{letter}: evaluators", offer.off, offer.other_bundles
            ),
            seed=gr.Number(seed, label=f"{letter}: seed", min_width=90),
            completion=gr.Dropdown(
                list(COMPLETION),
                value=completion,
                label=f"{letter}: seeds complete the prompt",
                min_width=120,
            ),
            wording=gr.Textbox(
                PROMPT, label=f"{letter}: wording; {PROMPT} is the prompt of the row", max_lines=3
            ),
            vq2=gr.Dropdown(
                list(SETTINGS), value="usual", label=f"{letter}: settings of VQ2", min_width=120
            ),
        )
