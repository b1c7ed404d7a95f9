"""The choices a visitor has come in; the tab for prompt pairs goes out, laid out, not yet wired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import gradio as gr

from ui.grid_panel import ONE_AT_A_TIME, Changes, html, instead
from ui.tabs.playground import named

LEAD = (
    "Two prompts that differ little imply different pictures and do not say so: does the "
    "text-to-image model know? It is right when the first picture fits the first description "
    "alone, and the second the second alone."
)
EVALUATORS = {"vnli": "VNLI", "clip": "CLIP", "vlm": "VLM, 1 or 0"}
"""How each evaluator is called on the page."""


class CommonsenseHandlers(Protocol):
    """What the events of the tab do; each handler returns the components that change."""

    def compare(self, *request: Any) -> Iterator[Changes]:
        """Generate both prompts and judge their pictures."""

    def stopped(self) -> Changes:
        """The work was cancelled."""

    def enrich(self, first: str, second: str, bundle: str) -> Iterator[Changes]:
        """The language model of the judges is to enrich both prompts."""

    def choose(self, number: int) -> Changes:
        """An example was chosen; the work was cancelled."""


@dataclass(frozen=True)
class Choices:
    """What can be chosen, by name."""

    models: Sequence[str]
    bundles: Sequence[str]
    evaluators: Sequence[str]
    examples: Sequence[str]
    """What the example pairs are about."""


@dataclass(frozen=True)
class CommonsensePage:
    """Every component that takes part in an event."""

    prompts: tuple[gr.Textbox, gr.Textbox]
    descriptions: tuple[gr.Textbox, gr.Textbox]
    revised: tuple[gr.Textbox, gr.Textbox]
    enrich: gr.Button
    examples: tuple[gr.Button, ...]
    generations: gr.Number
    seed: gr.Number
    evaluator: gr.Radio
    model: gr.Dropdown
    bundle: gr.Dropdown
    compare: gr.Button
    stop: gr.Button
    status: gr.HTML
    result: gr.HTML

    @property
    def texts(self) -> list[gr.Textbox]:
        """The six fields with words."""
        return [*self.prompts, *self.descriptions, *self.revised]

    @property
    def request(self) -> list[Any]:
        """The fields that say what to do."""
        settings = [self.generations, self.seed, self.evaluator, self.model, self.bundle]
        return [*self.texts, *settings]

    def wire(self, handlers: CommonsenseHandlers) -> None:
        """What happens on each event."""
        changed = [self.stop, self.status]
        starts = [self.compare.click, *(text.submit for text in self.texts)]
        works = [
            start(handlers.compare, self.request, [*changed, self.result], **ONE_AT_A_TIME)
            for start in starts
        ]
        instead(self.stop.click, works, handlers.stopped, None, changed)
        asked = [*self.prompts, self.bundle]
        self.enrich.click(handlers.enrich, asked, [self.status, *self.revised], **ONE_AT_A_TIME)
        for number, chip in enumerate(self.examples):
            shown = [*self.texts, *changed, self.result]
            instead(chip.click, works, partial(handlers.choose, number), None, shown)


def lay_out(choices: Choices) -> CommonsensePage:
    """Build the tab inside the one that is open."""
    html("commonsense-lead", f"<p>{LEAD}</p>")
    with gr.Row(elem_classes="chips"):
        html("try", "try:", min_width=0)
        examples = tuple(map(_chip, choices.examples))
    prompts = _side_by_side("first prompt", "second prompt")
    descriptions = _side_by_side("the first should show", "the second should show")
    with gr.Accordion("enriched prompts (optional)", open=False):
        revised = _side_by_side("first prompt, enriched", "second prompt, enriched")
        enrich = gr.Button("Have the judges' language model write them", elem_classes="again")
    settings = _settings(choices)
    with gr.Row(elem_classes="ask"):
        compare = gr.Button("Compare", variant="primary", scale=0, min_width=160)
        stop = gr.Button("Stop", variant="stop", scale=0, min_width=80, interactive=False)
    return CommonsensePage(
        prompts=prompts,
        descriptions=descriptions,
        revised=revised,
        enrich=enrich,
        examples=examples,
        compare=compare,
        stop=stop,
        status=html("status"),
        result=html("pairs"),
        **settings,
    )


def _chip(example: str) -> gr.Button:
    return gr.Button(example, size="sm", elem_classes="chip", min_width=0)


def _side_by_side(*labels: str) -> tuple[gr.Textbox, gr.Textbox]:
    """A field for each of the two."""
    with gr.Row(elem_classes="pair-fields"):
        first, second = (
            gr.Textbox(label=label, lines=1, max_lines=3, min_width=260) for label in labels
        )
    return first, second


def _settings(choices: Choices) -> dict[str, Any]:
    with gr.Row(elem_classes="settings"):
        evaluator = gr.Radio(
            [(EVALUATORS[name], name) for name in choices.evaluators],
            value=choices.evaluators[0],
            label="judged by",
            elem_classes="segments",
            scale=3,
            min_width=280,
        )
        generations = gr.Number(4, label="pictures each", precision=0, min_width=90)
        seed = gr.Number(7, label="seed", precision=0, min_width=90)
        model = named(choices.models, "text-to-image model")
        bundle = named(choices.bundles, "judges")
    return {
        "evaluator": evaluator,
        "generations": generations,
        "seed": seed,
        "model": model,
        "bundle": bundle,
    }
