"""The blind panel of the compare tab: votes on pairs of grids without names, then the names.

Votes stay in the browser that they were given in, and what was revealed there, so that a reload
loses none and a test goes on where it was.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

import gradio as gr

from session.blind import BlindTest, Kept, blind_test
from session.comparison import ComparisonState
from session.votes import (
    LONGEST_NAME,
    MOST_CHARACTERS,
    MOST_SEEN,
    MOST_VOTES,
    grids_csv,
    kept_text,
    preferences_csv,
    read_kept,
)
from ui.components import AT_ONCE, Changes, html, page_store
from ui.render import status
from ui.render.blind import ballot, revealed
from ui.render.compare import comparison
from ui.render.words import counted

CHOICES = {
    2: "Left much better",
    1: "Left better",
    0: "Alike",
    -1: "Right better",
    -2: "Right much better",
}
UNSEEN = "<span></span>"
"""The template of what is no text for people."""
FIRST_COUNTS = "of two on the same pair of grids the first counts"
NOT_COUNTED = (
    "Your last click is not counted: you had judged these two grids before, maybe in another "
    "window, and the first vote on two grids counts."
)


class BlindPanel:
    """The components of the panel, out of sight at first, and the handlers of their events."""

    def __init__(self, table: gr.HTML) -> None:
        """Build the panel.

        Args:
            table: of the comparison, which the tab places; empty as long as nothing is revealed.
        """
        self.table = table
        small = {"size": "sm", "elem_classes": "again"}
        with gr.Column(visible=False, elem_classes="blind") as self.whole:
            self.not_counted = html("not-counted")  # that the last click was no vote
            self.ballot = html("ballot")
            with gr.Row(elem_classes="votes") as self.votes:
                self.choices = [gr.Button(said, min_width=120) for said in CHOICES.values()]
            self.reveal = gr.Button("Reveal the columns", **small)
            self.revealed = html("revealed")
            with gr.Row(elem_classes="next"):
                self.downloads = [
                    gr.DownloadButton(f"Download {name}.csv", visible=False, **small)
                    for name in ("preferences", "grids")
                ]
        with gr.Row(elem_classes="next keeping", visible=False) as self.keeping:
            self.number = html("votes-number", min_width=0)
            self.name = gr.Textbox(
                label="your name, the rater in preferences.csv",
                max_length=LONGEST_NAME,
                min_width=220,
                elem_classes="rater",
            )
            self.forget = gr.Button("Forget my votes", scale=0, **small)
        # Which ballot is shown, so that a click is a vote on what the person saw.
        self.asked = html("asked", html_template=UNSEEN)
        self.test = gr.State(None)  # the `BlindTest` of this visitor
        most = {"votes": MOST_VOTES, "seen": MOST_SEEN, "characters": MOST_CHARACTERS}
        limits: dict[str, Any] = {"html_template": UNSEEN, **most}
        # What `Kept` has of this visitor as JSON, for the browser to keep.
        self.kept = html("votes-kept", "", "votes.js", **limits)
        # What the browser had when the page was opened, or another window changed it.
        self.earlier = gr.State(Kept())

    @property
    def drawn(self) -> list[Any]:
        """The components that change with a test."""
        return [self.whole, self.kept, *self.of_votes]

    @property
    def of_votes(self) -> list[Any]:
        """Those that change with its votes."""
        parts = [self.test, self.not_counted, self.ballot, self.asked, self.votes, self.reveal]
        told = [self.revealed, *self.downloads, self.table]
        return [*parts, *told, self.keeping, self.number, self.name]

    def wire(self) -> None:
        once = {**AT_ONCE, "trigger_mode": "once"}
        for preference, button in zip(CHOICES, self.choices, strict=True):
            seen = [self.asked, self.test]
            button.click(partial(self.on_vote, preference), seen, self.drawn, **once)
        recalled = [self.earlier, *self.of_votes]
        signed = [self.name.submit, self.name.blur]
        whose = [self.name, self.test, self.earlier]
        gr.on(signed, self.on_name, whose, [*recalled, self.kept], **AT_ONCE)
        self.reveal.click(self.on_reveal, [self.test], self.drawn, **once)
        self.kept.recall(self._on_recall, [self.test], recalled, **AT_ONCE)
        self.forget.click(self.on_forget, [self.test], [*recalled, self.kept], **once)

    def begin(
        self, blind: bool, state: ComparisonState | None, test: BlindTest | None, kept: Kept
    ) -> Changes:
        """After a job: the panel as `resume` has it, where something new was made."""
        made = state and not (test and test.comparison is state)
        return self.resume(blind, state, test, kept) if made else {self.test: test}

    def resume(
        self, blind: bool, state: ComparisonState | None, test: BlindTest | None, kept: Kept
    ) -> Changes:
        """A comparison that is to be judged blindly, where its test was; else no panel.

        Args:
            blind: whether it is.
            state: the comparison.
            test: the one before, on this page.
            kept: what the browser had when the page was opened.
        """
        if not state:
            return {self.test: test}
        known = test.kept if test else kept
        new = blind_test(state, known)
        return self.draw(new) if blind else {self.test: new, self.whole: gr.update(visible=False)}

    def draw(self, test: BlindTest) -> Changes:
        """The current ballot, or what the votes say; the browser keeps them."""
        kept = kept_text(test.kept)
        return {self.whole: gr.update(visible=True), self.kept: kept, **self._counted(test)}

    def _counted(self, test: BlindTest) -> Changes:
        """What changes with the votes of a test."""
        votes = test.all_votes if test.revealed else ()
        texts = {
            "preferences.csv": preferences_csv(test.kept) if votes else "",
            "grids.csv": grids_csv(test.comparison) if votes else "",
        }
        store = page_store()
        tables = [text and store.content(text.encode(), name) for name, text in texts.items()]
        return {
            self.test: test,
            self.not_counted: "",
            self.ballot: "" if test.revealed else ballot(test),
            self.asked: test.asked,
            self.votes: gr.update(visible=test.current is not None),
            self.reveal: gr.update(visible=not test.revealed),
            self.revealed: revealed(test) if test.revealed else "",
            **({self.table: comparison(test.comparison)} if test.revealed else {}),
            **self._keeping(test.kept),
            **{
                button: gr.update(visible=bool(file), value=file or None)
                for button, file in zip(self.downloads, tables, strict=True)
            },
        }

    def _keeping(self, kept: Kept) -> Changes:
        """How many votes are kept, whose they are, and the button that forgets them."""
        votes = len(kept.votes)
        said = f"<p>{counted(votes, 'vote')} of yours kept by this browser; {FIRST_COUNTS}</p>"
        name = gr.update(value=kept.name, placeholder=kept.rater)
        return {self.keeping: gr.update(visible=votes > 0), self.number: said, self.name: name}

    def on_vote(self, preference: int, asked: str, test: BlindTest | None) -> Changes:
        """A vote on the ballot that the person saw; the next one follows."""
        if not test:
            return {self.test: test}
        if asked != test.asked:
            return {**self.draw(test), self.not_counted: status.note(NOT_COUNTED)}
        return self.draw(test.voted(preference))

    def on_name(self, name: str, test: BlindTest | None, earlier: Kept) -> Changes:
        known = replace(test.kept if test else earlier, name=" ".join(name.split())[:LONGEST_NAME])
        return {**self.recalled(known, test), self.kept: kept_text(known)}

    def on_reveal(self, test: BlindTest | None) -> Changes:
        """The names, the table and what the votes say; there are no more votes on this one."""
        return self.draw(test.shown()) if test else {self.test: test}

    def on_forget(self, test: BlindTest | None) -> Changes:
        """No votes are known any more, neither here nor to the browser."""
        return {self.kept: f"forget {uuid4().hex}", **self.recalled(Kept(), test)}

    def _on_recall(self, event: gr.EventData, test: BlindTest | None) -> Changes:
        return self.recalled(read_kept(event._data), test)

    def recalled(self, kept: Kept, test: BlindTest | None) -> Changes:
        """This, maybe of another window, too, is what the browser keeps."""
        if not test:
            return {self.earlier: kept, **self._keeping(kept)}
        now = test.recalled(kept)
        changes = {self.earlier: kept, **self._counted(now)}
        if test.revealed:  # the tab may show something else by now
            changes.pop(self.table, None)
        if kept.votes and len(now.votes) < len(test.votes):
            changes[self.not_counted] = status.note(NOT_COUNTED)
        return changes
