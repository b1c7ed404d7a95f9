"""The commonsense tab: two prompts that differ little, compared by what their images show."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr

import alignment
from alignment.prompt_pairs.description_match import evaluators_of
from alignment.records import PromptPair
from session.limits import Runs
from session.offer import Offer
from session.pair_jobs import check, generate_and_compare
from session.pair_state import PairState
from ui import enrich_panel
from ui.admission import admitted
from ui.components import (
    AT_ONCE,
    Changes,
    html,
    model_choice,
    previewing,
    segments,
    set_initial,
)
from ui.enrich_panel import EnrichPanel, side_by_side
from ui.messages import user_message
from ui.render import status
from ui.render.commonsense import activity, comparison
from ui.request_fields import whole
from ui.run_controls import RunControls
from ui.stopping import instead
from ui.vocabulary import unlearned

LEAD = (
    "Two prompts that differ little imply different pictures without saying so: does the "
    "text-to-image model know? It is right when the first picture fits the first description "
    "alone, and the second picture the second alone."
)
EVALUATOR_NAMES = {"vnli": "VNLI", "clip": "CLIP", "vlm": "VLM, 1 or 0"}
"""The name of each evaluator on the page."""
NOT_GENERATED = "nothing is generated yet; Compare generates and scores this pair"


@dataclass(frozen=True)
class Commonsense:
    """The components of the tab, and the handlers of their events."""

    prompts: tuple[gr.Textbox, gr.Textbox]
    descriptions: tuple[gr.Textbox, gr.Textbox]
    enriched: EnrichPanel
    chips: tuple[gr.Button, ...]
    generations: gr.Number
    seed: gr.Number
    evaluator: gr.Radio
    model: gr.Dropdown
    bundle: gr.Dropdown
    controls: RunControls
    result: gr.HTML
    examples: tuple[PromptPair, ...]
    runs: Runs
    """The runs of the server."""

    @property
    def texts(self) -> list[gr.Textbox]:
        """The six fields with words."""
        return [*self.prompts, *self.descriptions, *self.enriched.revised]

    @property
    def settings(self) -> list[Any]:
        """The fields that say how to generate and evaluate."""
        return [self.generations, self.seed, self.evaluator, self.model, self.bundle]

    def wire(self) -> None:
        """Connect the events."""
        controls = self.controls
        request, changed = [*self.texts, *self.settings], [*controls.parts, self.result]
        starts = (controls.start.click, *(text.submit for text in self.texts))
        jobs = [controls.wire(start, self.on_compare, request, changed) for start in starts]
        instead(controls.stop.click, jobs, self.on_stop, None, controls.parts, self.runs)
        able = [self.evaluator, self.enriched.enrich]
        self.bundle.change(self.on_bundle, [self.bundle, self.evaluator], able, **AT_ONCE)
        self.enriched.wire(self.prompts, self.bundle, controls.status)
        for number, chip in enumerate(self.chips):
            shown = [*self.texts, *changed]
            instead(chip.click, jobs, partial(self.on_example, number), None, shown, self.runs)

    def on_compare(self, *fields: Any) -> Iterator[Changes]:
        """Generate and evaluate the pair, then the enriched one where there is one."""
        start, finished = time.perf_counter(), list[PairState]()
        try:
            with admitted(self.runs) as run, ExitStack() as stores:
                for pair in requested(*fields):
                    places = stores.enter_context(previewing()), stores.enter_context(previewing())
                    job = generate_and_compare(pair, places, run.turns)
                    for state in run.checked(job):
                        run.facts |= {"model": state.model, "bundle": state.bundle}
                        yield self._grow([*finished, state], time.perf_counter() - start)
                    finished.append(state)
            end = status.note(f"done in {time.perf_counter() - start:.1f} s")
        except Exception as error:
            end = status.mistake(user_message(error))
        yield self.controls.ready(end)

    def _grow(self, states: Sequence[PairState], seconds: float) -> Changes:
        at = states[-1].download or states[-1]
        line = status.progress(activity(states[-1]), at.done, at.total, seconds)
        return {**self.controls.running(line), self.result: comparison(states)}

    def on_stop(self) -> Changes:
        """After a job was cancelled: what is there stays."""
        return self.controls.ready(status.note("stopped; the results so far stay"))

    def on_bundle(self, bundle: str, evaluator: str) -> Changes:
        """Offer what the models of a bundle can do."""
        names = evaluators_of(alignment.find_bundle(bundle))
        chosen = evaluator if evaluator in names else names[0]
        return {
            self.evaluator: gr.update(choices=named(names), value=chosen),
            **self.enriched.offered(bundle),
        }

    def on_example(self, number: int) -> Changes:
        """An example takes the place of the running job."""
        return {**self.controls.ready(""), **self.filled(number)}

    def filled(self, number: int) -> Changes:
        """The texts of an example and the places of its images; nothing is generated yet."""
        pair = self.examples[number]
        texts = (*pair.prompts, *pair.descriptions, "", "")
        generations, seed, evaluator, model, bundle = (each.value for each in self.settings)
        blank = PairState(pair, generations, seed, model, bundle, evaluator)
        return {
            **dict(zip(self.texts, texts, strict=True)),
            self.controls.status: status.note(NOT_GENERATED),
            self.result: comparison([blank]),
        }


def requested(
    first: str,
    second: str,
    first_shows: str,
    second_shows: str,
    first_revised: str,
    second_revised: str,
    generations: float | None,
    seed: float | None,
    evaluator: str,
    model: str,
    bundle: str,
) -> Sequence[PairState]:
    """What the fields ask for: one pair, or two where a prompt is enriched.

    An enriched prompt that is left empty stays as it is.

    Raises:
        InvalidRequestError: a text or a number is missing, or out of its range.
    """
    first_seed, each = whole(seed, "seed"), whole(generations, "number of pictures each", low=1)
    pairs = [PromptPair((first, second), (first_shows, second_shows))]
    if first_revised.strip() or second_revised.strip():
        both = (first_revised.strip() or first, second_revised.strip() or second)
        pairs.append(PromptPair(both, (first_shows, second_shows)))
    states = [
        PairState(
            pair=pair,
            generations=each,
            seed=first_seed,
            model=model,
            bundle=bundle,
            evaluator=evaluator,
            revised=pair is not pairs[0],
            unknown=unlearned(" ".join(pair.prompts), model),
        )
        for pair in pairs
    ]
    for state in states:
        check(state)
    return states


def build(offer: Offer, pairs: Sequence[PromptPair], runs: Runs) -> None:
    """Build and wire the tab inside the one that is open.

    Args:
        offer: what a visitor may choose from.
        pairs: the first of each category becomes an example.
        runs: of the server.
    """
    examples: dict[str, PromptPair] = {}
    for pair in pairs:
        examples.setdefault(pair.category, pair)
    page = lay_out(offer, examples, runs)
    page.wire()
    for field, value in page.filled(0).items():
        field.value = value
    set_initial(page.enriched.offered(offer.bundles[0]))


def lay_out(offer: Offer, examples: dict[str, PromptPair], runs: Runs) -> Commonsense:
    """Build the tab, not yet wired."""
    html("commonsense-lead", f"<p>{LEAD}</p>")
    with gr.Row(elem_classes="chips"):
        html("try", "try:", min_width=0)
        chips = tuple(map(_chip, examples))
    prompts = side_by_side("first prompt", "second prompt")
    descriptions = side_by_side("the first should show", "the second should show")
    enriched = enrich_panel.lay_out(runs)
    settings = _settings(offer)
    with gr.Row(elem_classes="ask"):
        compare = gr.Button("Compare", variant="primary", scale=0, min_width=160)
        stop = gr.Button("Stop", variant="stop", scale=0, min_width=80, interactive=False)
    return Commonsense(
        prompts=prompts,
        descriptions=descriptions,
        enriched=enriched,
        chips=chips,
        controls=RunControls(compare, stop, html("status"), runs),
        result=html("pairs"),
        examples=tuple(examples.values()),
        runs=runs,
        **settings,
    )


def _chip(example: str) -> gr.Button:
    return gr.Button(example, size="sm", elem_classes="chip", min_width=0)


def named(evaluators: Sequence[str]) -> list[tuple[str, str]]:
    """Evaluators as choices: the name on the page, and the name in code."""
    return [(EVALUATOR_NAMES[name], name) for name in evaluators]


def _settings(offer: Offer) -> dict[str, Any]:
    with gr.Row(elem_classes="settings"):
        evaluators = named(evaluators_of(alignment.find_bundle(offer.bundles[0])))
        evaluator = segments(evaluators, evaluators[0][1], label="evaluated by", scale=3)
        evaluator.offered_later = tuple(EVALUATOR_NAMES)  # by other bundles
        return {
            "evaluator": evaluator,
            "generations": gr.Number(4, label="pictures each", min_width=90),
            "seed": gr.Number(7, label="seed", min_width=90),
            "model": model_choice(
                offer.models, "text-to-image model", offer.off, offer.other_models
            ),
            "bundle": model_choice(offer.bundles, "evaluators", offer.off, offer.other_bundles),
        }
