"""The compare tab: a list of prompts, generated and scored in two to four ways, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import gradio as gr

from session.comparison import MOST_PROMPTS, ComparisonState, check, compare, prompts_of
from session.history import Recent
from session.limits import Runs
from session.offer import MADE_AT_ONCE, Offer, at_hand, evaluations
from session.run import Turn
from session.storage import ContentStore
from session.tab_links import ComparisonLink, read_comparison
from ui.admission import comparison_facts
from ui.blind_panel import BlindPanel
from ui.comparison_fields import ComparisonFields, requested
from ui.components import (
    AT_ONCE,
    QUIET,
    Changes,
    enabled,
    html,
    keep_current,
    page_store,
    start_and_stop,
)
from ui.render import status
from ui.render.compare import activity, comparison
from ui.render.evidence import evidence
from ui.render.export.scores import comparison_csv, comparison_json
from ui.render.replacements import vocabulary_warnings
from ui.render.words import counted
from ui.run_controls import RunControls, user_message
from ui.saving import file_button
from ui.visits import Wanted, tab_address

LEAD = (
    "Each column generates and scores a grid for every prompt, and the columns are compared "
    "prompt by prompt. At first only their models differ; take the same model to compare seeds, "
    "steps or wordings. However a column words a prompt, its images are scored against the "
    "prompt of the row."
)
TOO_LONG = "its prompts are too long for the address, which names the columns alone"


class Compare:
    def __init__(self, offer: Offer, runs: Runs) -> None:
        self.offer = offer
        html("compare-lead", f"<p>{LEAD}</p>")
        self.fields = ComparisonFields(offer)
        with gr.Row(elem_classes="ask"):
            start, stop = start_and_stop("Compare these", 180, "start")
            self.fields.ask_whether_blind()
        with gr.Row(elem_classes="said"):
            self.run = RunControls(start, stop, html("status"), runs)
            self.address = tab_address("compare")
        self.warning = html("warning")
        self.result = html("comparison", "", "compare.js", render=False)
        self.panel = BlindPanel(self.result)
        self.result.render()
        with gr.Row(elem_classes="next files"):  # of the table on show
            self.saved = [
                file_button(f"Download comparison.{kind}", partial(_file, text, kind))
                for kind, text in (("csv", comparison_csv), ("json", comparison_json))
            ]
        self.reasons = html("reasons")
        self.state = gr.State(None)  # the `ComparisonState` on show
        # Finished comparisons of any visitor, found by who knows the address.
        self.recent = Recent[ComparisonState](files_of, most=8)

    @property
    def controls(self) -> list[Any]:
        """The components that show whether a comparison is running."""
        return [*self.run.parts, self.fields.blind]

    def wire(self) -> None:
        fields, address = self.fields, self.address
        changed = [*self.controls, self.state, self.result, self.reasons]
        start, stop = self.run.start, self.run.stop
        start.click(lambda: enabled(False), None, [fields.blind], **AT_ONCE)
        asked = [*changed, address.part]
        self.run.wire(start.click, self.on_compare, fields.request, asked)
        self.run.wire(address.wanted.change, self.on_wanted, [address.wanted], changed)
        judged = [fields.blind, self.state, self.panel.test, self.panel.earlier]
        visited = [*fields.request, *fields.groups, *asked, address.wanted, self.panel.whole]
        visit = address.wire(self.on_visit, visited, self.run)
        for each in self.run.started:
            each.then(self.panel.begin, judged, self.panel.drawn, **QUIET)
        visit.then(self.panel.resume, judged, self.panel.drawn, **QUIET)
        stopped = [*self.controls, *self.panel.drawn]
        self.run.instead(stop.click, self.on_stop, judged, stopped)
        self.panel.wire()
        for column in fields.columns:
            column.wire()
        for each in self.saved:
            each.wire([self.state], self.run.status)
        fields.count.input(fields.on_count, [fields.count], fields.groups, **AT_ONCE)
        used = [part for column in fields.columns for part in (column.bundle, column.model)]
        words = [fields.prompts, fields.count, *used]
        keep_current(self.warning, on_words, words, words)
        self.result.select(on_select, [self.state], [self.reasons], **AT_ONCE)

    def on_compare(self, blind: bool, *fields: Any) -> Iterator[Changes]:
        """Generate and score every grid that the fields ask for; the address names them."""
        try:
            asked = requested(*fields)
            check(asked)
        except Exception as error:
            yield self.ready(status.mistake(user_message(error)))
            return
        link = ComparisonLink(asked, blind)
        yield {self.address.part: str(link)}
        yield from self._made(link)

    def on_wanted(self, wanted: Wanted | None) -> Iterator[Changes]:
        if wanted:
            yield from self._made(read_comparison(wanted.query, self.offer.bundles)[0])

    def _made(self, link: ComparisonLink) -> Iterator[Changes]:
        """Finished grids are shown at once, unless it is blind."""
        finished = -1

        def states(store: ContentStore, turn: Turn) -> Iterator[ComparisonState]:
            shown = 0
            for state in compare(link.asked, store, turn):
                if len(state.finished) > shown:
                    shown = len(state.finished)
                    store.drop_previews()
                yield state
            if link.whole:
                self.recent.save(str(link), state)

        def draw(state: ComparisonState) -> Changes:
            nonlocal finished
            known, finished = finished, len(state.finished)
            changes = {self.fields.blind: enabled(False)}
            return changes | (self.shown(state, link.blind) if finished != known else {})

        def done(state: ComparisonState, seconds: float) -> str:
            said = f"{counted(len(state.finished), 'grid')} in {seconds:.1f} s"
            return said if link.whole else f"{said}; {TOO_LONG}"

        def line(state: ComparisonState, seconds: float) -> str:
            return status.progress(*activity(state), seconds)

        yield from self.run.run(states, draw, line, done, comparison_facts)
        yield {self.fields.blind: enabled(True)}

    def on_visit(self, query: str) -> Changes:
        """Show what a link asks for: a comparison that is kept, or it is made, or offered.

        Without a query, the tab as it opened.
        """
        if not query:
            return {**self._blank(""), **self.fields.as_opened()}
        link, mistakes = read_comparison(query, self.offer.bundles)
        asked = link.asked
        for each in asked.systems:
            mistakes += self.offer.lacking(each.model, each.bundle)
        found = self.recent.find(str(link))
        if mistakes:
            shown = self._blank(status.mistake("; ".join(dict.fromkeys(mistakes))))
        elif found:
            shown = {**self.ready(""), **self.shown(found, link.blind), self.address.part: query}
            shown[self.panel.whole] = gr.update(visible=link.blind)
        else:
            shown = {**self._offered(link), self.address.part: query}
        return {**shown, **self.fields.filled(link, self.offer)}

    def _offered(self, link: ComparisonLink) -> Changes:
        """A comparison that is still to be made: a small one at once, others by the button."""
        asked = link.asked
        images = len(asked.places) * asked.rows * asked.columns
        here = (at_hand(each.model, each.bundle) for each in asked.systems)
        each_makes = images // len(asked.systems)
        work = sum(evaluations(each.model, each.steps, each_makes) for each in asked.systems)
        if work <= MADE_AT_ONCE and all(here):
            return {**self._blank(""), self.address.wanted: Wanted(str(link))}
        asks = f"this link asks for {counted(images, 'image')}; press Compare these to make them"
        return self._blank(status.note(asks))

    def _blank(self, line: str) -> Changes:
        return {
            **self.ready(line),
            self.state: None,
            self.result: "",
            self.reasons: "",
            self.address.part: "",
            self.panel.whole: gr.update(visible=False),
        }

    def shown(self, state: ComparisonState, blind: bool) -> Changes:
        """What changes with a grid that is finished."""
        return {
            self.state: state,
            self.result: "" if blind else comparison(state),
            self.reasons: "",
        }

    def ready(self, line: str) -> Changes:
        """No comparison is under way any more; the status line says how it ended."""
        return {**self.run.ready(line), self.fields.blind: enabled(True)}

    def on_stop(self, *judged: Any) -> Changes:
        end = self.ready(status.note("stopped; the finished grids are kept"))
        return {**end, **self.panel.begin(*judged)}


def on_words(prompts: str, count: str, *used: str) -> str:
    """Warn about words that the models of a column do not know."""
    columns = [*zip(used[::2], used[1::2], strict=True)][: int(count)]
    return vocabulary_warnings(prompts_of(prompts)[:MOST_PROMPTS], dict.fromkeys(columns))


def on_select(state: ComparisonState | None, event: gr.SelectData) -> str:
    """The reasons of an image of the table."""
    row, system, cell = map(int, str(event.value).split(","))
    grid = state.finished.get((row, system)) if state else None
    return evidence(grid, cell) if grid and cell in range(grid.size) else ""


def _file(text: Callable[[ComparisonState], str], kind: str, state: ComparisonState) -> str:
    return page_store().content(text(state).encode(), f"comparison.{kind}")


def files_of(comparison: ComparisonState) -> Iterator[str | None]:
    return (file for grid in comparison.grids.values() for file in grid.images.files)
