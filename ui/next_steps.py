"""The buttons for what can be done next with the grid on show, each where it can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from session.state import GridState
from ui.components import Changes, html
from ui.render.replaced import replaced
from ui.render.search import attempts
from ui.render.words import counted, image_name
from ui.search_panel import findable, repairable

SMALL = {"size": "sm", "elem_classes": "again", "visible": False}


@dataclass(frozen=True)
class NextSteps:
    """The buttons, and what belongs to them."""

    again: gr.Button
    """Generates the selected image again."""
    contradict: gr.Button
    """Starts the contrast check."""
    resume: gr.Button
    """Goes on with a stopped job."""
    score: gr.Button
    """Scores the images of a stopped job."""
    repair: gr.Button
    """Repairs the selected image."""
    find: gr.Button
    """Looks for an image that shows everything."""
    attempts: gr.HTML
    """Those of the last search."""
    undo: gr.Button
    """Takes an image back that was generated again."""
    replaced: gr.HTML
    """That image beside the old one."""

    @property
    def drawn(self) -> list[Any]:
        """All of them."""
        buttons = [self.again, self.repair, self.contradict, self.resume, self.score, self.find]
        return [*buttons, self.undo, self.replaced, self.attempts]

    def offered(self, state: GridState, selected: int | None) -> Changes:
        """What can be done with a grid that no job works on."""
        return {
            **self.of_image(state, selected),
            self.contradict: gr.update(visible=_scorable(state)),
            self.find: gr.update(visible=findable(state)),
            self.attempts: attempts(state),
            **self._of_stopped(state),
            **self._of_replaced(state),
        }

    def none(self, state: GridState) -> Changes:
        """What can be done while a job works on the grid: nothing of it."""
        hidden = gr.update(visible=False)
        buttons = (self.again, self.repair, self.contradict, self.resume, self.score, self.find)
        return {**dict.fromkeys(buttons, hidden), self.attempts: "", **self._of_replaced(state)}

    def of_image(self, state: GridState, selected: int | None) -> Changes:
        """What can be done with the selected image."""
        made = selected is not None and bool(state.report) and bool(state.file(selected))
        possible = made and bool(state.request.model and state.request.bundle)
        return {
            self.again: gr.update(visible=possible),
            self.repair: gr.update(visible=possible and repairable(state, selected)),
        }

    def _of_stopped(self, state: GridState) -> Changes:
        """What can be done with a job that was stopped."""
        stopped = not state.report and bool(state.request.model)
        missing = len(state.missing) if stopped else 0
        rest = f"Go on: generate {counted(missing, 'more image')}, then score"
        return {
            self.resume: gr.update(value=rest, visible=stopped and missing > 0),
            self.score: gr.update(visible=stopped and missing < state.size),
        }

    def _of_replaced(self, state: GridState) -> Changes:
        """An image that was generated again, beside the old one, and the way back."""
        last = state.replaced
        said = f"Take {image_name(last.before, last.cell)} back" if last else ""
        return {
            self.undo: gr.update(value=said, visible=last is not None),
            self.replaced: replaced(state),
        }


def _scorable(state: GridState) -> bool:
    """Whether its best image can be scored again."""
    return bool(state.ranked and state.request.bundle and state.file(state.ranked[0]))


def contrast_button() -> gr.Button:
    """The button for the contrast check, out of sight; it concerns the whole grid."""
    return gr.Button("Contrast check", **SMALL)


def lay_out(contradict: gr.Button, find: gr.Button, attempts: gr.HTML) -> NextSteps:
    """Build the other buttons, out of sight."""
    with gr.Row(elem_classes="next"):
        buttons = {
            "again": gr.Button("Make again", **SMALL),
            "repair": gr.Button("Repair", **SMALL),
            "resume": gr.Button("Go on", **SMALL),
            "score": gr.Button("Score the images that are there", **SMALL),
            "undo": gr.Button("Take it back", **SMALL),
        }
    others = {"contradict": contradict, "find": find, "attempts": attempts}
    return NextSteps(**buttons, **others, replaced=html("replaced"))
