"""The commonsense tab: two prompts that differ little, compared by what their images show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import gradio as gr

from alignment.prompt_pairs.records import PromptPair
from generation import InvalidRequestError
from session.history import Recent
from session.limits import Runs
from session.offer import Offer, at_hand
from session.pair_jobs import generate_and_compare
from session.pair_state import AskedPair, PairState
from session.run import Turn
from session.storage import ContentStore
from session.tab_links import pair_query, read_pair
from ui.components import AT_ONCE, Changes, html, keep_current, set_initial, start_and_stop
from ui.pair_fields import PairFields, more_line, pair_of, requested
from ui.render import status
from ui.render.commonsense import activity, comparison
from ui.render.replacements import vocabulary_warning
from ui.run_controls import RunControls, user_message
from ui.visits import Wanted, tab_address

LEAD = (
    "Two prompts that differ little imply different images without saying so: does the "
    "text-to-image model know? It is right when the first image fits the first description "
    "alone, and the second image the second alone."
)
STORED = "the stored pair"
OUTRIGHT = "say it outright"
"""The button that copies the descriptions into the prompts."""
TOO_LONG = "these prompts are too long for the address"
NOT_GENERATED = "nothing is generated yet; press Compare to generate and score this pair"


class Commonsense:
    def __init__(
        self, offer: Offer, pairs: Sequence[PromptPair], worked: PairState, runs: Runs
    ) -> None:
        """Build it with a stored pair.

        Args:
            pairs: the first of each category becomes an example.
            worked: the stored pair, which it opens with.
        """
        examples: dict[str, PromptPair] = {}
        for pair in pairs:
            examples.setdefault(pair.category, pair)
        self.offer, self.examples, self.worked = offer, [*examples.values()], worked
        html("commonsense-lead", f"<p>{LEAD}</p>")
        with gr.Row(elem_classes="chips"):
            html("try", "try:", min_width=0)
            self.stored, *self.chips, self.outright = (
                gr.Button(each, size="sm", elem_classes="chip", min_width=0)
                for each in (STORED, *examples, OUTRIGHT)
            )
        self.fields = PairFields()
        with gr.Row(elem_classes="ask"):
            start, stop = start_and_stop("Compare", 160)
        with gr.Row(elem_classes="said"):
            self.fields.more.render()
            self.controls = RunControls(start, stop, html("status"), runs)
            self.address = tab_address("commonsense")
        self.fields.lay_out_settings(offer)
        self.warning = html("warning")
        self.result = html("pairs")
        # Finished pairs of any visitor, found by who knows the address.
        self.recent = Recent[PairState](files_of)

    @property
    def drawn(self) -> list[Any]:
        return [*self.controls.parts, self.result, self.address.part]

    def wire(self) -> None:
        controls, fields, address = self.controls, self.fields, self.address
        starts = (controls.start.click, *(text.submit for text in fields.texts))
        asked = [(start, self.on_compare, fields.request) for start in starts]
        asked.append((address.wanted.change, self.on_wanted, [address.wanted]))
        for each in asked:
            controls.wire(*each, self.drawn)
        controls.instead(controls.stop.click, self.on_stop, None, controls.parts)
        keep_current(fields.more, more_line, fields.settings, fields.settings)
        words = [fields.bundle, fields.model, *fields.texts]
        keep_current(self.warning, on_words, words, words)
        chosen, able = [fields.bundle, fields.evaluator], [fields.evaluator]
        fields.bundle.input(fields.on_bundle, chosen, able, **AT_ONCE)
        whole = [*fields.texts, *self.drawn, fields.generations, fields.seed]
        controls.instead(self.stored.click, self.opened, None, whole)
        shown = [*fields.texts, *self.drawn]
        for number, chip in enumerate(self.chips):
            controls.instead(chip.click, partial(self.on_example, number), fields.settings, shown)
        controls.instead(self.outright.click, self.on_outright, fields.request, shown)
        visited = [*fields.request, *self.drawn, address.wanted]
        address.wire(self.on_visit, visited, controls)
        set_initial(self.opened())
        fields.more.value = more_line(*(each.value for each in fields.settings))

    def on_compare(self, *fields: Any) -> Iterator[Changes]:
        try:
            pair = requested(*fields)
        except Exception as error:
            yield self.controls.ready(status.mistake(user_message(error)))
            return
        yield {self.address.part: pair_query(pair.request)}
        yield from self._made(pair)

    def on_wanted(self, wanted: Wanted | None) -> Iterator[Changes]:
        if wanted:
            link, _ = read_pair(wanted.query, self.offer.bundles)
            yield from self._made(pair_of(link))

    def _made(self, pair: PairState) -> Iterator[Changes]:
        address = pair_query(pair.request)

        def states(store: ContentStore, turn: Turn) -> Iterator[PairState]:
            for state in generate_and_compare(pair, store, turn):
                yield state
            if address:
                self.recent.save(address, state)

        def done(_: PairState, seconds: float) -> str:
            return f"done in {seconds:.1f} s" + ("" if address else f"; {TOO_LONG}")

        def draw(state: PairState) -> Changes:
            return {self.result: comparison(state)}

        facts = {"model": pair.request.model, "bundle": pair.request.bundle}
        return self.controls.run(states, draw, _line, done, lambda _: facts)

    def on_stop(self) -> Changes:
        return self.controls.ready(status.note("stopped; the results so far are kept"))

    def on_example(self, number: int, *settings: Any) -> Changes:
        """The texts of an example, with these settings as far as they can be."""
        pair = self.examples[number]
        texts = (*pair.prompts, *pair.descriptions)
        try:
            return self._offered(texts, settings)
        except InvalidRequestError:
            return self._offered(texts, [each.value for each in self.fields.settings])

    def on_outright(self, *fields: Any) -> Changes:
        """The descriptions as prompts."""
        descriptions, settings = fields[2:4], fields[4:]
        try:
            return self._offered((*descriptions, *descriptions), settings)
        except InvalidRequestError as error:
            return self.controls.ready(status.mistake(str(error)))

    def _offered(self, texts: Sequence[str], settings: Sequence[Any]) -> Changes:
        """A pair to be compared, of which nothing is generated yet."""
        asked = requested(*texts, *settings, made=False)
        changes = self._waiting(asked, pair_query(asked.request))
        return {**changes, **dict(zip(self.fields.texts, texts, strict=True))}

    def _waiting(self, asked: PairState, address: str) -> Changes:
        """The places of the images of a pair of which nothing is generated yet."""
        return {
            **self.controls.ready(status.note(NOT_GENERATED)),
            self.result: comparison(asked),
            self.address.part: address,
        }

    def on_visit(self, query: str) -> Changes:
        """Show what a link asks for: a pair that is kept, or it is made, or offered.

        Without a query, the tab as it opened.
        """
        if not query:
            filled = {field: field.value for field in self.fields.request}
            able = self.fields.able(self.fields.bundle.value, self.fields.evaluator.value)
            return {**filled, **able, **self.opened()}
        link, mistakes = read_pair(query, self.offer.bundles)
        mistakes += self.offer.lacking(link.model, link.bundle)
        filled = self.fields.filled(link, self.offer)
        try:
            shown = self._visited(link, mistakes, query)
        except InvalidRequestError as error:
            shown = self._mistaken((*mistakes, str(error)))
        return {**shown, **filled}

    def opened(self) -> Changes:
        """The stored pair, its images and its verdict."""
        pair, made = self.worked.pair, self.worked
        texts = (*pair.prompts, *pair.descriptions)
        return {
            **self.controls.ready(status.note(STORED)),
            self.result: comparison(made),
            self.address.part: "",
            **dict(zip(self.fields.texts, texts, strict=True)),
            self.fields.generations: made.request.pictures,
            self.fields.seed: made.request.seed,
        }

    def _visited(self, link: AskedPair, mistakes: Sequence[str], query: str) -> Changes:
        asked = pair_of(link)
        if mistakes:
            return self._mistaken(mistakes)
        shown = self._waiting(asked, query)
        if not link.made:
            return shown
        if found := self.recent.find(pair_query(link)):
            return {**shown, **self.controls.ready(""), self.result: comparison(found)}
        here = at_hand(link.model, link.bundle)
        return {**shown, self.address.wanted: Wanted(query)} if here else shown

    def _mistaken(self, mistakes: Sequence[str]) -> Changes:
        line = status.mistake("; ".join(mistakes))
        return {**self.controls.ready(line), self.result: "", self.address.part: ""}


def on_words(bundle: str, model: str, first: str, second: str, *descriptions: str) -> str:
    """Warn about words of prompts and descriptions that the models which read them do not know."""
    read = [(first, model), (second, model), *((each, "") for each in descriptions)]
    return "".join(dict.fromkeys(vocabulary_warning(text, bundle, by) for text, by in read))


def _line(state: PairState, seconds: float) -> str:
    at = state.download or state
    return status.progress(activity(state), at.done, at.total, seconds)


def files_of(pair: PairState) -> Iterator[str | None]:
    return (file for row in pair.files for file in row)
