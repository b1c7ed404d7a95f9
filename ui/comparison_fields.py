"""The fields of a comparison and of each of its columns, and the request that they ask for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import gradio as gr

import alignment
import generation
from generation import InvalidRequestError
from generation.records import PROMPT
from session.comparison import LETTERS, ComparisonState, prompts_of
from session.offer import Offer, is_here
from session.systems.system import System
from session.tab_links import ComparisonLink
from ui.components import (
    AT_ONCE,
    Changes,
    as_offered,
    bundle_choice,
    html,
    keep_current,
    model_choice,
    more_button,
    ranking_choice,
    segments,
    size_choice,
)
from ui.request_fields import COMPLETION, COMPLETIONS, sides, whole

SETTINGS = (
    ("usual for the evaluators", "usual"),
    ("as published", "published"),
    ("the weakest answer decides", "weakest"),
)
"""The settings of VQ2, each a name in `session.systems.system.VQ2`."""
SEED = 7
"""Of each column at first: they differ in their model, or, where there is no other, by the next."""

Number = TypeVar("Number", int, float)


class SystemFields:
    """The fields of one system: a column, of which the last two are out of sight at first."""

    def __init__(self, offer: Offer, place: int) -> None:
        letter = LETTERS[place]
        among = [each for each in offer.models if is_here(each)] or offer.models[:1]
        again, other = divmod(place, len(among))
        self.first, own = SEED + again, among[other]
        with gr.Column(visible=place < 2, min_width=240, elem_classes="system") as self.group:
            self.model = model_choice(offer, f"{letter}: text-to-image model", own)
            said = f"{letter}: wording; {PROMPT} is the prompt of the row"
            self.wording = gr.Textbox(PROMPT, label=said, max_lines=3)
            # The line that says what is set, and opens all fields but these.
            self.more = html("more", "", "more.js")
            with gr.Column(elem_classes="more-fields"):
                self._lay_out_more(offer, letter)
        self.said = partial(more_of, letter)
        self.more.value = self.said(*(each.value for each in self.fields))

    def _lay_out_more(self, offer: Offer, letter: str) -> None:
        self.bundle = bundle_choice(offer, f"{letter}: evaluators")
        with gr.Row():
            self.seed = gr.Number(self.first, label=f"{letter}: seed", min_width=70)
            self.steps, self.guidance = (  # those of the model where they are empty
                gr.Textbox("", label=f"{letter}: {name}", placeholder=own, min_width=70)
                for name, own in zip(("steps", "guidance"), usual(self.model.value), strict=True)
            )
        with gr.Row():
            self.completion, self.vq2 = (
                gr.Dropdown([*among], value=among[0][1], label=f"{letter}: {said}", min_width=120)
                for among, said in (
                    (COMPLETIONS, COMPLETION),
                    (SETTINGS, "settings of VQ2"),
                )
            )

    def wire(self) -> None:
        """Connect the events: steps and guidance say what is usual for the model."""

        def said(model: str) -> list[Any]:
            return [gr.update(placeholder=each) for each in usual(model)]

        self.model.change(said, [self.model], [self.steps, self.guidance], **AT_ONCE)
        told = [each for each in self.fields if each is not self.wording]
        keep_current(self.more, self.said, self.fields, told)

    @property
    def fields(self) -> list[Any]:
        """In the order of `system_of`."""
        texts = [self.completion, self.wording, self.vq2]
        return [self.model, self.bundle, self.seed, *texts, self.steps, self.guidance]

    def filled(self, system: System, offer: Offer) -> Changes:
        """The fields that ask for a system, as far as it is offered."""
        values = {
            self.model: system.model,
            self.bundle: system.bundle,
            self.seed: system.seed,
            self.completion: "on" if system.completion else "off",
            self.wording: system.wording,
            self.vq2: system.vq2,
            self.steps: "" if system.steps is None else str(system.steps),
            self.guidance: "" if system.guidance is None else f"{system.guidance:g}",
        }
        offered = {self.model: offer.models, self.bundle: offer.bundles}
        return as_offered(values, offered)


def system_of(
    letter: str,
    model: str,
    bundle: str,
    seed: float | None,
    completion: str,
    wording: str,
    vq2: str = "usual",
    steps: str = "",
    guidance: str = "",
) -> System:
    """The system that the fields of a column ask for.

    Raises:
        InvalidRequestError: the seed, the steps or the guidance is no such number.
    """
    first = whole(seed, f"seed of column {letter}")
    taken = _number(int, steps, f"number of steps of column {letter}")
    scale = _number(float, guidance, f"guidance of column {letter}")
    completed = generation.find_model(model).completes(completion)
    worded = wording.strip() or PROMPT
    return System(model, bundle, first, completed, worded, vq2, taken, scale)


def more_of(letter: str, *fields: Any) -> str:
    """The button that opens the further fields of a column and says what they hold, as HTML.

    >>> print(more_of("B", "icons", "embedded", 9, "auto", "{prompt}", "usual", "12"))
    <button type="button" aria-expanded="false">More of B: seed 9, steps 12</button>
    >>> print(more_of("B", "icons", "embedded", 9, "off", "{prompt}")[43:-9])
    >More of B: seed 9, prompt as it is
    """
    try:
        system = system_of(letter, *fields)
    except InvalidRequestError as error:
        return more_button(f"More of {letter}: {error}")
    usual_one = System(completion=generation.find_model(system.model).completes("auto"))
    names = {"seed", *system.differing(usual_one)} - {"model", "wording"}
    return more_button(f"More of {letter}: {system.said(names)}")


def _number(kind: Callable[[str], Number], text: str, what: str) -> Number | None:
    try:
        return kind(text) if text.strip() else None
    except ValueError as error:
        said = f"the {what} is {text!r}; write a number, or nothing for that of the model"
        raise InvalidRequestError(said) from error


def usual(model: str) -> tuple[str, str]:
    """Steps and guidance of a model, which hold where the fields are empty.

    >>> usual("sd-1.5"), usual("stickers")
    (('50', '7.5'), ('4', 'takes none'))
    """
    spec = generation.find_model(model)
    return str(spec.steps), f"{spec.guidance:g}" if spec.takes_guidance else "takes none"


PROMPTS = """a black apple and a green backpack
three stars at night
an owl left of a pink umbrella
two penguins in the snow
a dog above a red car
a yellow balloon and a brown guitar
four fish
a purple teapot right of a cake
a rabbit on the grass
a blue rocket below a moon
two keys and an orange cupcake
three mushrooms on the beach"""
"""Of things that both embedded models know; so many that a difference has an interval."""


class ComparisonFields:
    """The fields that all columns share, and those of each column."""

    def __init__(self, offer: Offer) -> None:
        """Build all of them but the last, whether it is blind."""
        self.prompts = gr.Textbox(
            PROMPTS,
            label="prompts, one per line",
            lines=3,
            max_lines=5,
            elem_id="compared-prompts",
        )
        with gr.Row(elem_classes="settings"):
            self.ranked_by = ranking_choice(alignment.METHODS)
            counts = [(k, k) for k in "234"]
            self.count = segments(counts, "2", label="columns", min_width=120, scale=1)
            self.size = size_choice("2 x 2", "each grid")
        with gr.Row(elem_classes="columns"):
            self.columns = [SystemFields(offer, place) for place in range(len(LETTERS))]

    def ask_whether_blind(self) -> None:
        """Build the last of them, beside the buttons."""
        label = "blind: judge the grids before you see which column is which"
        self.blind = gr.Checkbox(False, label=label, scale=3)

    @property
    def request(self) -> list[Any]:
        """Whether it is blind, and what becomes a request, in the order of `requested`."""
        fields = [field for column in self.columns for field in column.fields]
        shared = [self.prompts, self.size, self.count, self.ranked_by]
        return [self.blind, *shared, *fields]

    @property
    def groups(self) -> list[gr.Column]:
        """The columns, some of them out of sight."""
        return [column.group for column in self.columns]

    def on_count(self, count: str) -> Changes:
        return {
            group: gr.update(visible=place < int(count)) for place, group in enumerate(self.groups)
        }

    def as_opened(self) -> Changes:
        shown = self.on_count(str(self.count.value))
        blind = gr.update(value=self.blind.value, interactive=True)
        return {**shown, **{field: field.value for field in self.request}, self.blind: blind}

    def filled(self, link: ComparisonLink, offer: Offer) -> Changes:
        """The fields that ask for what a link asks for, as far as it is offered."""
        asked, columns = link.asked, dict[Any, Any]()
        for column, system in zip(self.columns, asked.systems, strict=False):
            columns |= column.filled(system, offer)
        count = str(len(asked.systems))
        return {
            **columns,
            **self.on_count(count),
            self.prompts: "\n".join(asked.prompts),
            self.size: f"{asked.rows} x {asked.columns}",
            self.count: count,
            self.ranked_by: asked.rank_by,
            self.blind: gr.update(value=link.blind, interactive=True),
        }


def requested(prompts: str, size: str, count: str, rank_by: str, *fields: Any) -> ComparisonState:
    """The comparison that the fields ask for.

    Args:
        size: of each grid, e.g. "2 x 2".
        fields: those of each column in turn, as in `system_of`.

    Raises:
        InvalidRequestError: the grid is not two numbers, or a column has no seed.
    """
    width = len(fields) // len(LETTERS)
    columns = [fields[place * width : (place + 1) * width] for place in range(int(count))]
    systems = tuple(
        system_of(letter, *column) for letter, column in zip(LETTERS, columns, strict=False)
    )
    return ComparisonState(prompts_of(prompts), systems, *sides(size), rank_by)
