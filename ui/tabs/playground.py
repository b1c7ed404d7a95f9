"""The choices a visitor has come in; the playground goes out, laid out but not yet wired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import gradio as gr

from ui import grid_panel
from ui.grid_panel import AT_ONCE, Changes, GridPanel, GridPanelEvents, Work, html, instead

SIZES = ("1 x 1", "2 x 2", "2 x 3", "3 x 3", "2 x 4", "4 x 4", "5 x 5", "6 x 6")


class PlaygroundHandlers(GridPanelEvents, Protocol):
    """What the events of the playground do."""

    def generate(self, *request: Any) -> Iterator[Changes]:
        """Do what the fields ask for."""

    def again(self, state: Any, selected: int, *view: Any) -> Iterator[Changes]:
        """Make the selected picture again."""

    def warn(self, prompt: str, model: str, bundle: str) -> Changes:
        """The request changed."""

    def show(self, number: int, *view: Any) -> Changes:
        """A worked example was chosen."""


@dataclass(frozen=True)
class Choices:
    """What can be chosen, by name."""

    models: Sequence[str]
    bundles: Sequence[str]
    methods: Sequence[str]
    examples: Sequence[str]
    """The prompts that are already worked out."""


@dataclass(frozen=True)
class Playground:
    """Every component that takes part in an event."""

    prompt: gr.Textbox
    generate: gr.Button
    size: gr.Dropdown
    seed: gr.Number
    model: gr.Dropdown
    bundle: gr.Dropdown
    chips: tuple[gr.Button, ...]
    table: GridPanel

    @property
    def request(self) -> list[Any]:
        """The fields that say what to do."""
        table = self.table
        return [self.prompt, self.size, self.seed, table.ranked_by, self.model, self.bundle]

    def wire(self, handlers: PlaygroundHandlers) -> None:
        """What happens on each event."""
        table, changed = self.table, [self.table.warning]
        works = [
            Work(self.generate.click, handlers.generate, self.request),
            Work(self.prompt.submit, handlers.generate, self.request),
            Work(table.again.click, handlers.again, table.shown),
        ]
        started = table.wire(handlers, works)
        words = [self.prompt.change, self.model.input, self.bundle.input]
        gr.on(words, handlers.warn, [self.prompt, self.model, self.bundle], changed, **AT_ONCE)
        changed = [*self.request, table.stop, *table.drawn]
        for number, chip in enumerate(self.chips):
            instead(chip.click, started, partial(handlers.show, number), table.view, changed)


def lay_out(choices: Choices) -> Playground:
    """Build the playground inside the tab that is open."""
    example = "a black apple and a green backpack"
    prompt, generate, stop = ask("Prompt", example, "Generate", "prompt")
    chips = _chips(choices.examples)
    warning = html("notice")
    with gr.Row(elem_classes="settings"):
        ranked_by = grid_panel.ranking_choice(choices.methods)
        size = gr.Dropdown(
            SIZES, value="3 x 3", label="grid", allow_custom_value=True, min_width=90
        )
        seed = gr.Number(7, label="seed", precision=0, min_width=90)
        model = named(choices.models, "text-to-image model")
        bundle = named(choices.bundles, "judges")
    table = grid_panel.lay_out(ranked_by=ranked_by, stop=stop, warning=warning)
    return Playground(prompt, generate, size, seed, model, bundle, chips, table)


def named(names: Sequence[str], label: str) -> gr.Dropdown:
    """One of several models, by name."""
    return gr.Dropdown(list(names), value=names[0], label=label, min_width=130)


def ask(
    label: str, placeholder: str, verb: str, elem_id: str
) -> tuple[gr.Textbox, gr.Button, gr.Button]:
    """A field for a prompt, and the two buttons: what starts the work, and what stops it."""
    with gr.Row(elem_classes="ask"):
        prompt = gr.Textbox(
            label=label,
            show_label=False,
            placeholder=placeholder,
            lines=1,
            max_lines=4,
            scale=8,
            elem_id=elem_id,
            container=False,
        )
        start = gr.Button(verb, variant="primary", scale=1, min_width=110)
        stop = gr.Button("Stop", variant="stop", scale=1, min_width=80, interactive=False)
    return prompt, start, stop


def _chips(examples: Sequence[str]) -> tuple[gr.Button, ...]:
    with gr.Row(elem_classes="chips", visible=bool(examples)):
        html("try", "worked out already:", min_width=0)
        return tuple(gr.Button(prompt, size="sm", elem_classes="chip") for prompt in examples)
