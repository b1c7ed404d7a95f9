"""The fields of a prompt pair, what they ask for, and the button by which a model enriches them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from ui.components import RUN, Changes, model_choice, segments
from ui.render import status
from ui.request_fields import whole
from ui.run_controls import user_message
from ui.vocabulary import unlearned

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


def enrich_fields(runs: Runs) -> EnrichPanel:
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


EVALUATOR_NAMES = {"vnli": "VNLI", "clip": "CLIP", "vlm": "VLM, 1 or 0"}
"""The name of each evaluator on the page."""


@dataclass(frozen=True)
class PairFields:
    """The components."""

    prompts: tuple[gr.Textbox, gr.Textbox]
    descriptions: tuple[gr.Textbox, gr.Textbox]
    revised: tuple[gr.Textbox, gr.Textbox]
    generations: gr.Number
    seed: gr.Number
    evaluator: gr.Radio
    model: gr.Dropdown
    bundle: gr.Dropdown

    @property
    def texts(self) -> list[gr.Textbox]:
        """The six fields with words."""
        return [*self.prompts, *self.descriptions, *self.revised]

    @property
    def settings(self) -> list[Any]:
        """The fields that say how to generate and evaluate."""
        return [self.generations, self.seed, self.evaluator, self.model, self.bundle]

    @property
    def request(self) -> list[Any]:
        """What becomes a request, in the order of `requested`."""
        return [*self.texts, *self.settings]

    def able(self, bundle: str, evaluator: str) -> Changes:
        """The evaluators that the models of a bundle can be; the one chosen where it is one."""
        names = evaluators_of(alignment.find_bundle(bundle))
        chosen = evaluator if evaluator in names else names[0]
        return {self.evaluator: gr.update(choices=named(names), value=chosen)}

    def filled(self, link: PairLink, offer: Offer) -> Changes:
        """The fields that ask for what a link asks for, as far as it is offered."""
        changes = dict(zip(self.request, values_of(link), strict=True))
        for field, known in ((self.model, offer.models), (self.bundle, offer.bundles)):
            if changes[field] not in known:
                del changes[field]
        return {**changes, **self.able(link.bundle, link.judge)}


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
    first_seed, each = whole(seed, "seed"), whole(generations, "number of images each", low=1)
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


def values_of(link: PairLink) -> tuple[Any, ...]:
    """What the fields hold that ask for a link, in the order of `requested`."""
    return tuple(link.model_dump(exclude={"made"}).values())


def link_of(asked: Sequence[PairState], made: bool = True) -> PairLink:
    """The link of what the fields ask for.

    Args:
        asked: one pair, or two where a prompt is enriched.
        made: whether its images are shown.
    """
    first, *rest = asked
    enriched = rest[0].pair.prompts if rest else ("", "")
    return PairLink(
        first=first.pair.prompts[0],
        second=first.pair.prompts[1],
        first_shows=first.pair.descriptions[0],
        second_shows=first.pair.descriptions[1],
        first_enriched=enriched[0],
        second_enriched=enriched[1],
        pictures=first.generations,
        seed=first.seed,
        judge=first.evaluator,
        model=first.model,
        bundle=first.bundle,
        made=made,
    )


def named(evaluators: Sequence[str]) -> list[tuple[str, str]]:
    """Evaluators as choices: the name on the page, and the name in code."""
    return [(EVALUATOR_NAMES[name], name) for name in evaluators]


def lay_out_settings(offer: Offer) -> dict[str, Any]:
    """Build the fields that say how to generate and evaluate."""
    with gr.Row(elem_classes="settings"):
        evaluators = named(evaluators_of(alignment.find_bundle(offer.bundles[0])))
        evaluator = segments(evaluators, evaluators[0][1], label="evaluated by", scale=3)
        evaluator.offered_later = tuple(EVALUATOR_NAMES)  # by other bundles
        return {
            "evaluator": evaluator,
            "generations": gr.Number(4, label="images each", min_width=90),
            "seed": gr.Number(7, label="seed", min_width=90),
            "model": model_choice(
                offer.models,
                "text-to-image model",
                offer.off,
                offer.other_models,
                offer.slow,
            ),
            "bundle": model_choice(offer.bundles, "evaluators", offer.off, offer.other_bundles),
        }
