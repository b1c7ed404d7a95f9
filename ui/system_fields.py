"""The fields of one column of a comparison, and the system that they ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import gradio as gr

import generation
from generation import InvalidRequestError
from generation.records import PROMPT
from session.comparison import LETTERS
from session.offer import Offer
from session.systems.system import System
from ui.components import AT_ONCE, Changes, model_choice
from ui.request_fields import whole

COMPLETION = (("usual", "auto"), ("on", "on"), ("off", "off"))
"""Whether seeds complete the prompt: as its model does it, or not."""
SETTINGS = (
    ("usual for the evaluators", "usual"),
    ("as published", "published"),
    ("the weakest answer decides", "weakest"),
)
"""The settings of VQ2, each a name in `session.comparison.VQ2`."""
SEED = 7
"""Of each column at first: columns begin equal, so that what is changed in one is what differs."""

Number = TypeVar("Number", int, float)


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
    steps: gr.Textbox
    """Those of the model where it is empty, as is the guidance."""
    guidance: gr.Textbox

    def wire(self) -> None:
        """Connect the events: steps and guidance say what is usual for the model."""

        def said(model: str) -> list[Any]:
            return [gr.update(placeholder=each) for each in usual(model)]

        self.model.change(said, [self.model], [self.steps, self.guidance], **AT_ONCE)

    @property
    def fields(self) -> list[Any]:
        """In the order of `system_of`."""
        texts = [self.completion, self.wording, self.vq2]
        return [self.model, self.bundle, self.seed, *texts, self.steps, self.guidance]

    def filled(self, system: System, offer: Offer) -> Changes:
        """The fields that ask for a system, as far as it is offered."""
        values = {
            self.model: system.model,
            self.bundle: system.bundle,
            self.seed: system.seed,
            self.completion: "on" if system.completion else "off",
            self.wording: system.wording,
            self.vq2: system.vq2,
            self.steps: "" if system.steps is None else str(system.steps),
            self.guidance: "" if system.guidance is None else f"{system.guidance:g}",
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
    steps: str = "",
    guidance: str = "",
) -> System:
    """The system that the fields of a column ask for.

    Raises:
        InvalidRequestError: the seed, the steps or the guidance is no such number.
    """
    first = whole(seed, f"seed of column {letter}")
    taken = _number(int, steps, f"number of steps of column {letter}")
    scale = _number(float, guidance, f"guidance of column {letter}")
    completed = generation.find_model(model).completes(completion)
    worded = wording.strip() or PROMPT
    return System(model, bundle, first, completed, worded, vq2, taken, scale)


def _number(kind: Callable[[str], Number], text: str, what: str) -> Number | None:
    try:
        return kind(text) if text.strip() else None
    except ValueError as error:
        said = f"the {what} is {text!r}; write a number, or nothing for that of the model"
        raise InvalidRequestError(said) from error


def usual(model: str) -> tuple[str, str]:
    """Steps and guidance of a model, which hold where the fields are empty.

    >>> usual("sd-1.5"), usual("stickers")
    (('50', '7.5'), ('4', 'takes none'))
    """
    spec = generation.find_model(model)
    return str(spec.steps), f"{spec.guidance:g}" if spec.takes_guidance else "takes none"


def lay_out(offer: Offer, place: int) -> SystemFields:
    """Build the fields of a column; the third and the fourth are out of sight at first."""
    letter = LETTERS[place]
    with gr.Column(visible=place < 2, min_width=240, elem_classes="system") as group:
        model = model_choice(
            offer.models,
            f"{letter}: text-to-image model",
            offer.off,
            offer.other_models,
            offer.slow,
        )
        bundle = model_choice(
            offer.bundles, f"{letter}: evaluators", offer.off, offer.other_bundles
        )
        wording = gr.Textbox(
            PROMPT, label=f"{letter}: wording; {PROMPT} is the prompt of the row", max_lines=3
        )
        with gr.Row():
            seed = gr.Number(SEED, label=f"{letter}: seed", min_width=70)
            steps, guidance = (
                gr.Textbox("", label=f"{letter}: {name}", placeholder=own, min_width=70)
                for name, own in zip(("steps", "guidance"), usual(offer.models[0]), strict=True)
            )
        with gr.Row():
            completion = gr.Dropdown(
                list(COMPLETION),
                value="auto",
                label=f"{letter}: seeds complete the prompt",
                min_width=120,
            )
            vq2 = gr.Dropdown(
                list(SETTINGS), value="usual", label=f"{letter}: settings of VQ2", min_width=120
            )
    return SystemFields(group, model, bundle, seed, completion, wording, vq2, steps, guidance)
