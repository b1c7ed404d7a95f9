"""The fields of a prompt pair, and what they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradio as gr

import alignment
from alignment.prompt_pairs.description_match import evaluators_of
from request.fields import fields_for
from session.offer import Offer
from session.pair_jobs import check
from session.pair_state import AskedPair, PairState
from ui.components import (
    Changes,
    as_offered,
    bundle_choice,
    html,
    model_choice,
    more_button,
    segments,
)
from ui.render.words import counted
from ui.request_fields import seed_in_words, whole


def side_by_side(*labels: str) -> tuple[gr.Textbox, gr.Textbox]:
    with gr.Row(elem_classes="pair-fields"):
        first, second = (
            gr.Textbox(label=label, lines=1, max_lines=3, min_width=260) for label in labels
        )
    return first, second


EVALUATOR_NAMES = {"vnli": "VNLI", "clip": "CLIP", "vlm": "vision-language model"}
"""The name of each evaluator on the page."""


class PairFields:
    """The fields of two prompts, of what they should show, and of how to make and evaluate them."""

    def __init__(self) -> None:
        self.prompts = side_by_side("first prompt", "second prompt")
        self.descriptions = side_by_side("the first should show", "the second should show")
        # The line that says what is set, and opens all fields but these; it is still to be placed.
        self.more = html("more", "", "more.js", render=False)

    def lay_out_settings(self, offer: Offer) -> None:
        with gr.Row(elem_classes="settings more-fields"):
            evaluators = named(evaluators_of(alignment.find_bundle(offer.bundles[0])))
            first = evaluators[0][1]
            self.evaluator = segments(evaluators, first, label="evaluated by", scale=3)
            self.evaluator.offered_later = tuple(EVALUATOR_NAMES)  # by other bundles
            self.generations = gr.Number(4, label="images each", min_width=90)
            self.seed = gr.Number(7, label="seed", min_width=90)
            self.model, self.bundle = model_choice(offer), bundle_choice(offer)

    @property
    def texts(self) -> list[gr.Textbox]:
        return [*self.prompts, *self.descriptions]

    @property
    def settings(self) -> list[Any]:
        return [self.generations, self.seed, self.evaluator, self.model, self.bundle]

    @property
    def request(self) -> list[Any]:
        """What becomes a request, in the order of `AskedPair`."""
        return [*self.texts, *self.settings]

    def able(self, bundle: str, evaluator: str) -> Changes:
        """The evaluators that the models of a bundle can be; the one chosen where it is one."""
        names = evaluators_of(alignment.find_bundle(bundle))
        chosen = evaluator if evaluator in names else names[0]
        return {self.evaluator: gr.update(choices=named(names), value=chosen)}

    def on_bundle(self, bundle: str, evaluator: str) -> Changes:
        """The same for a visitor who may have chosen another evaluator since; that choice stays.

        A dropdown that loses the focus says that it was set, though it is as it was.
        """
        changes = self.able(bundle, evaluator)
        if changes[self.evaluator]["value"] == evaluator:
            del changes[self.evaluator]["value"]
        return changes

    def filled(self, asked: AskedPair, offer: Offer) -> Changes:
        """The fields that ask for it, as far as it is offered."""
        values = dict(zip(self.request, vars(asked).values(), strict=False))
        offered = {self.model: offer.models, self.bundle: offer.bundles}
        return {**as_offered(values, offered), **self.able(asked.bundle, asked.judge)}


def more_line(
    images: float | None, seed: float | None, evaluator: str, model: str, bundle: str
) -> str:
    """The button that opens the settings and says what they are, as HTML.

    >>> print(more_line(1, 7, "vnli", "icons", "embedded")[44:-9])
    More: 1 image each by icons, seed 7, evaluated by VNLI (embedded)
    """
    number = "no number of images" if images is None else counted(images, "image")
    each = f"{number} each by {model}, {seed_in_words(seed)}"
    return more_button(f"More: {each}, evaluated by {EVALUATOR_NAMES[evaluator]} ({bundle})")


def requested(*fields: Any, made: bool = True) -> PairState:
    """What the fields ask for, in the order of `PairFields.request`, if it can be generated."""
    values = dict(zip(fields_for(AskedPair), fields, strict=False))
    values["seed"] = whole(values["seed"], "seed")
    values["pictures"] = whole(values["pictures"], "number of images each", low=1)
    return pair_of(AskedPair(**values, made=made))


def pair_of(asked: AskedPair) -> PairState:
    """The pair that is asked for, if it can be generated."""
    check(asked)
    return PairState(asked)


def named(evaluators: Sequence[str]) -> list[tuple[str, str]]:
    """Evaluators as choices: the name on the page, and the name in code."""
    return [(EVALUATOR_NAMES[name], name) for name in evaluators]
