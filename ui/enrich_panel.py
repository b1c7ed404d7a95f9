"""The enriched prompts of a pair: two fields, and the button by which a model writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

import alignment
from session.limits import Runs
from session.pair_jobs import enrich
from ui.admission import admitted
from ui.components import RUN, Changes
from ui.messages import user_message
from ui.render import status

ENRICH = "Enrich both with the language model"


@dataclass(frozen=True)
class EnrichPanel:
    """The components, and the handler of the button."""

    revised: tuple[gr.Textbox, gr.Textbox]
    enrich: gr.Button
    runs: Runs
    """The runs of the server."""

    def wire(self, prompts: Sequence[gr.Textbox], bundle: gr.Dropdown, line: gr.HTML) -> None:
        """Connect the button.

        Args:
            prompts: what is enriched.
            bundle: whose language model does it.
            line: of status.
        """

        def asked(*fields: str) -> Iterator[Changes]:
            yield from self.on_enrich(line, *fields)

        self.enrich.click(asked, [*prompts, bundle], [line, *self.revised], **RUN)

    def on_enrich(self, line: gr.HTML, first: str, second: str, bundle: str) -> Iterator[Changes]:
        """Have the bundle's language model write out what both prompts imply."""
        yield {line: status.begun("the language model reads both prompts")}
        try:
            with admitted(self.runs) as run, run.turns():
                (texts,) = enrich((first, second), bundle)
        except Exception as error:
            yield {line: status.mistake(user_message(error))}
        else:
            done = status.note("both prompts are enriched; edit them if you like, then compare")
            yield {line: done, **dict(zip(self.revised, texts, strict=True))}

    def offered(self, bundle: str) -> Changes:
        """The button; off, with the reason, where a bundle has no language model."""
        able = alignment.find_bundle(bundle).language is not None
        why = "" if able else f" (off: the evaluators {bundle!r} have none)"
        update: Any = gr.update(value=ENRICH + why, interactive=able)
        return {self.enrich: update}


def lay_out(runs: Runs) -> EnrichPanel:
    """Build the fields and the button, folded away."""
    with gr.Accordion("enriched prompts (optional)", open=False):
        revised = side_by_side("first prompt, enriched", "second prompt, enriched")
        return EnrichPanel(revised, gr.Button(ENRICH, elem_classes="again"), runs)


def side_by_side(*labels: str) -> tuple[gr.Textbox, gr.Textbox]:
    """A field for each of the two."""
    with gr.Row(elem_classes="pair-fields"):
        first, second = (
            gr.Textbox(label=label, lines=1, max_lines=3, min_width=260) for label in labels
        )
    return first, second
