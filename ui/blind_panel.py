"""The blind panel of the compare tab: votes on pairs of grids without names, then the names.

Votes stay in the browser that they were given in, so that a reload loses none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any
from uuid import uuid4

import gradio as gr

from session.blind import BlindTest, Vote, blind_test, grids_csv, preferences_csv
from session.comparison import ComparisonState
from session.votes import MOST_CHARACTERS, MOST_VOTES, read_votes, votes_text
from ui.components import ASSETS, AT_ONCE, Changes, html, page_store
from ui.render.blind import ballot, exported, revealed
from ui.render.compare import comparison
from ui.render.words import counted

CHOICES = {
    2: "Left much better",
    1: "Left better",
    0: "Alike",
    -1: "Right better",
    -2: "Right much better",
}


@dataclass(frozen=True)
class BlindPanel:
    """The components of the panel, and the handlers of their events."""

    whole: gr.Column
    ballot: gr.HTML
    votes: gr.Row
    choices: tuple[gr.Button, ...]
    """In the order of `CHOICES`."""
    reveal: gr.Button
    revealed: gr.HTML
    downloads: tuple[gr.DownloadButton, gr.DownloadButton]
    """Of the votes, and of the grids."""
    exported: gr.HTML
    """What these tables have of each other."""
    keeping: gr.Row
    """Of the two that follow; out of sight where no vote is kept."""
    number: gr.HTML
    forget: gr.Button
    test: gr.State
    """The `BlindTest` of this visitor."""
    kept: gr.HTML
    """All votes of this visitor as JSON, for the browser to keep."""
    earlier: gr.State
    """Those that the browser had when the page was opened, or another window changed them."""

    @property
    def drawn(self) -> list[Any]:
        """The components that change with a test."""
        return [self.whole, self.kept, *self.of_votes]

    @property
    def of_votes(self) -> list[Any]:
        """Those that change with its votes."""
        parts = [self.test, self.ballot, self.votes, self.reveal, self.revealed, *self.downloads]
        return [*parts, self.exported, self.keeping, self.number]

    def wire(self, result: gr.HTML) -> None:
        """Connect the events.

        Args:
            result: where the table of the comparison is shown.
        """
        once = {**AT_ONCE, "trigger_mode": "once"}
        for preference, button in zip(CHOICES, self.choices, strict=True):
            button.click(partial(self.on_vote, preference), [self.test], self.drawn, **once)
        shown = partial(self.on_reveal, result)
        self.reveal.click(shown, [self.test], [result, *self.drawn], **once)
        recalled = [self.earlier, *self.of_votes]
        self.kept.recall(self._on_recall, [self.test], recalled, **AT_ONCE)
        forgotten = [self.earlier, self.kept, *self.of_votes]
        self.forget.click(self.on_forget, [self.test], forgotten, **once)

    def begin(
        self,
        blind: bool,
        state: ComparisonState | None,
        test: BlindTest | None,
        kept: Sequence[Vote] = (),
    ) -> Changes:
        """The first ballot of a comparison that is to be judged blindly; else no panel.

        Args:
            blind: whether it is.
            state: the comparison.
            test: the one before, on this page.
            kept: votes that the browser had when the page was opened.
        """
        earlier = test.all_votes if test else kept
        if not state or (test and test.comparison is state):  # nothing new was made
            return {self.test: test}
        new = blind_test(state, Random(), earlier)
        return self.draw(new) if blind else {self.test: new, self.whole: gr.update(visible=False)}

    def draw(self, test: BlindTest) -> Changes:
        """The current ballot, or what the votes say; the browser keeps them."""
        kept = votes_text(test.all_votes)
        return {self.whole: gr.update(visible=True), self.kept: kept, **self._counted(test)}

    def _counted(self, test: BlindTest) -> Changes:
        """What changes with the votes of a test."""
        votes = test.all_votes if test.revealed else ()
        texts = {
            "preferences.csv": preferences_csv(votes) if votes else "",
            "grids.csv": grids_csv(test.comparison) if votes else "",
        }
        store = page_store()
        tables = [text and store.content(text.encode(), name) for name, text in texts.items()]
        return {
            self.test: test,
            self.ballot: "" if test.revealed else ballot(test),
            self.votes: gr.update(visible=test.current is not None),
            self.reveal: gr.update(visible=not test.revealed),
            self.revealed: revealed(test) if test.revealed else "",
            self.exported: exported(test) if votes else "",
            **self._keeping(len(test.all_votes)),
            **{
                button: gr.update(visible=bool(file), value=file or None)
                for button, file in zip(self.downloads, tables, strict=True)
            },
        }

    def _keeping(self, votes: int) -> Changes:
        """How many votes are kept, and the button that forgets them."""
        said = f"<p>{counted(votes, 'vote')} of yours kept by this browser</p>"
        return {self.keeping: gr.update(visible=votes > 0), self.number: said}

    def on_vote(self, preference: int, test: BlindTest | None) -> Changes:
        """A vote on the current ballot; the next one follows."""
        return self.draw(test.voted(preference)) if test else {self.test: test}

    def on_reveal(self, result: gr.HTML, test: BlindTest | None) -> Changes:
        """The names, the table and what the votes say; there are no more votes on this one."""
        if not test:
            return {self.test: test}
        drawn = self.draw(replace(test, revealed=True))
        return {**drawn, result: comparison(test.comparison)}

    def on_forget(self, test: BlindTest | None) -> Changes:
        """No votes are known any more, neither here nor to the browser."""
        return {self.kept: f"forget {uuid4().hex}", **self.recalled((), test)}

    def _on_recall(self, event: gr.EventData, test: BlindTest | None) -> Changes:
        return self.recalled(read_votes(event._data.get("votes")), test)

    def recalled(self, kept: Sequence[Vote], test: BlindTest | None) -> Changes:
        """These votes, maybe of another window, too, are those that the browser keeps."""
        counts = self._counted(test.recalled(kept)) if test else self._keeping(len(kept))
        return {self.earlier: tuple(kept), **counts}


def lay_out() -> BlindPanel:
    """Build the panel, out of sight."""
    with gr.Column(visible=False, elem_classes="blind") as whole:
        shown = html("ballot")
        with gr.Row(elem_classes="votes") as votes:
            choices = tuple(gr.Button(text, min_width=120) for text in CHOICES.values())
        small = {"size": "sm", "elem_classes": "again"}
        reveal = gr.Button("Reveal the columns", **small)
        found = html("revealed")
        with gr.Row(elem_classes="next"):
            downloads = (
                gr.DownloadButton("Download preferences.csv", visible=False, **small),
                gr.DownloadButton("Download grids.csv", visible=False, **small),
            )
        said = html("exported")
    with gr.Row(elem_classes="next keeping", visible=False) as keeping:
        number = html("votes-number", min_width=0)
        forget = gr.Button("Forget my votes", scale=0, **small)
    limits: dict[str, Any] = {"votes": MOST_VOTES, "characters": MOST_CHARACTERS}
    script = (ASSETS / "votes.js").read_text(encoding="utf-8")
    return BlindPanel(
        whole=whole,
        ballot=shown,
        votes=votes,
        choices=choices,
        reveal=reveal,
        revealed=found,
        downloads=downloads,
        exported=said,
        keeping=keeping,
        number=number,
        forget=forget,
        test=gr.State(None),
        kept=html("votes-kept", js_on_load=script, html_template="<span></span>", **limits),
        earlier=gr.State(()),
    )
