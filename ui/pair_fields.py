"""The fields of a prompt pair, what they ask for, and the button by which a model enriches them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import gradio as gr

import alignment
from alignment.prompt_pairs.description_match import evaluators_of
from alignment.records import PromptPair
from session.limits import Runs
from session.offer import Offer
from session.pair_jobs import check, enrich
from session.pair_state import PairState
from session.tab_links import PairLink
from ui.admission import admitted
from ui.components import RUN, Changes, as_offered, bundle_choice, model_choice, segments
from ui.render import status
from ui.request_fields import whole
from ui.run_controls import user_message
from ui.vocabulary import not_known

ENRICH = "Enrich both with the language model"


class EnrichPanel:
    """The enriched prompts, folded away, and the button by which a model writes them."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        with gr.Accordion("enriched prompts (optional)", open=False):
            self.revised = side_by_side("first prompt, enriched", "second prompt, enriched")
            self.enrich = gr.Button(ENRICH, elem_classes="again")

    def wire(self, prompts: Sequence[gr.Textbox], bundle: gr.Dropdown, line: gr.HTML) -> None:
        asked = partial(self.on_enrich, line)
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


def side_by_side(*labels: str) -> tuple[gr.Textbox, gr.Textbox]:
    """A field for each of the two."""
    with gr.Row(elem_classes="pair-fields"):
        first, second = (
            gr.Textbox(label=label, lines=1, max_lines=3, min_width=260) for label in labels
        )
    return first, second


EVALUATOR_NAMES = {"vnli": "VNLI", "clip": "CLIP", "vlm": "VLM, 1 or 0"}
"""The name of each evaluator on the page."""


class PairFields:
    """The fields of two prompts, of what they should show, and of how to make and evaluate them."""

    def __init__(self, offer: Offer, runs: Runs) -> None:
        self.prompts = side_by_side("first prompt", "second prompt")
        self.descriptions = side_by_side("the first should show", "the second should show")
        self.enriched = EnrichPanel(runs)
        with gr.Row(elem_classes="settings"):
            evaluators = named(evaluators_of(alignment.find_bundle(offer.bundles[0])))
            first = evaluators[0][1]
            self.evaluator = segments(evaluators, first, label="evaluated by", scale=3)
            self.evaluator.offered_later = tuple(EVALUATOR_NAMES)  # by other bundles
            self.generations = gr.Number(4, label="images each", min_width=90)
            self.seed = gr.Number(7, label="seed", min_width=90)
            self.model, self.bundle = model_choice(offer), bundle_choice(offer)

    @property
    def texts(self) -> list[gr.Textbox]:
        """The six fields with words."""
        return [*self.prompts, *self.descriptions, *self.enriched.revised]

    @property
    def settings(self) -> list[Any]:
        """The fields that say how to generate and evaluate."""
        return [self.generations, self.seed, self.evaluator, self.model, self.bundle]

    @property
    def request(self) -> list[Any]:
        """What becomes a request, in the order of `PairLink`."""
        return [*self.texts, *self.settings]

    def able(self, bundle: str, evaluator: str) -> Changes:
        """The evaluators that the models of a bundle can be; the one chosen where it is one."""
        names = evaluators_of(alignment.find_bundle(bundle))
        chosen = evaluator if evaluator in names else names[0]
        return {self.evaluator: gr.update(choices=named(names), value=chosen)}

    def filled(self, link: PairLink, offer: Offer) -> Changes:
        """The fields that ask for what a link asks for, as far as it is offered."""
        values = dict(zip(self.request, link.model_dump().values(), strict=False))
        offered = {self.model: offer.models, self.bundle: offer.bundles}
        return {**as_offered(values, offered), **self.able(link.bundle, link.judge)}


def asked_of(*fields: Any, made: bool = True) -> PairLink:
    """What the fields ask for, in the order of `PairFields.request`.

    Raises:
        InvalidRequestError: a number is missing, or is not whole.
    """
    values = dict(zip(PairLink.model_fields, fields, strict=False))
    numbers = {
        "seed": whole(values["seed"], "seed"),
        "pictures": whole(values["pictures"], "number of images each", low=1),
    }
    return PairLink.model_construct(**{**values, **numbers, "made": made})


def pairs_of(link: PairLink) -> list[PairState]:
    """What a link asks for: one pair, or two where a prompt is enriched.

    An enriched prompt that is left empty stays as it is.

    Raises:
        InvalidRequestError: a text is missing, or a number is out of its range.
    """
    prompts, shows = (link.first, link.second), (link.first_shows, link.second_shows)
    pairs = [PromptPair(prompts, shows)]
    first, second = link.first_enriched.strip(), link.second_enriched.strip()
    if first or second:
        pairs.append(PromptPair((first or link.first, second or link.second), shows))
    states = [
        PairState(
            pair=pair,
            generations=link.pictures,
            seed=link.seed,
            model=link.model,
            bundle=link.bundle,
            evaluator=link.judge,
            revised=pair is not pairs[0],
            unknown=not_known(" ".join(pair.prompts), "", link.model),
        )
        for pair in pairs
    ]
    for state in states:
        check(state)
    return states


def named(evaluators: Sequence[str]) -> list[tuple[str, str]]:
    """Evaluators as choices: the name on the page, and the name in code."""
    return [(EVALUATOR_NAMES[name], name) for name in evaluators]
