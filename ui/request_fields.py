"""The fields of the playground, what they can hold, and the request that they ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

import gradio as gr

import generation
from alignment import METHODS
from generation import InvalidRequestError
from generation.validation import validate_seed, validate_sides
from request import Request, plain
from session.offer import Offer
from session.state import GridState
from ui.components import (
    Changes,
    as_offered,
    bundle_choice,
    model_choice,
    ranking_choice,
    size_choice,
)
from ui.render.vocabulary import vocabulary_of
from ui.render.words import method_name

USUAL = "auto"
COMPLETION = "what the prompt leaves open"
COMPLETIONS = (
    ("as usual for the model", USUAL),
    ("chosen by the seed", "on"),
    ("left to the model", "off"),
)
"""Whether background and places that a prompt leaves open are drawn by the seed."""


@dataclass(frozen=True)
class RequestFields:
    """The components that ask for a request, in the order of `requested`."""

    prompt: gr.Textbox
    size: gr.Dropdown
    seed: gr.Number
    rank_by: gr.Radio
    model: gr.Dropdown
    bundle: gr.Dropdown
    completion: gr.Dropdown

    @property
    def inputs(self) -> list[Any]:
        """Of the events that ask for a request."""
        return [*vars(self).values()]

    def filled(self, request: Request, offer: Offer) -> Changes:
        """A request in the fields; of what is not offered the one chosen stays."""
        offered = {
            self.model: offer.models,
            self.bundle: offer.bundles,
            self.rank_by: METHODS,
        }
        values = {
            getattr(self, name): value
            for name, value in plain(request).items()
            if name in vars(self)
        }
        asked, name = "on" if request.completion else "off", request.model
        here = name in offer.models
        usual = here and generation.find_model(name).completion == request.completion
        values |= {
            self.size: f"{request.rows} x {request.columns}",
            self.completion: USUAL if usual else asked,
        }
        return as_offered(values, offered)


def lay_out_fields(prompt: gr.Textbox, offer: Offer) -> RequestFields:
    """Build the fields beside the prompt."""
    with gr.Row(elem_classes="settings"):
        ranked_by = ranking_choice(METHODS)
        size = size_choice("3 x 3")
        seed = gr.Number(7, label="seed", min_width=90)
        model, bundle = model_choice(offer), bundle_choice(offer)
    with gr.Row(elem_classes="settings rest"):
        completion = gr.Dropdown(
            COMPLETIONS,
            value=USUAL,
            label=COMPLETION,
            min_width=220,
        )
    return RequestFields(prompt, size, seed, ranked_by, model, bundle, completion)


def requested(
    prompt: str,
    size: str,
    seed: float | None,
    *others: Any,
) -> GridState:
    """The state that the fields ask for.

    Args:
        others: the further fields in the order of `RequestFields`; a request has those that are
            called like its own, and its defaults for those that are left out.

    Raises:
        InvalidRequestError: the grid is not two numbers, or there is no whole seed.
    """
    if said := "".join(mistakes(size, seed)):
        raise InvalidRequestError(said)
    names = [each.name for each in fields(RequestFields)][3:]
    given = {"completion": USUAL, **dict(zip(names, others, strict=False))}
    return GridState(Request(prompt, *sides(size), whole(seed, "seed"), **given))


def made_as_before(asked: Request, before: Request) -> Request:
    """A request whose images are made as before in what no field says, such as the steps.

    Another prompt or model begins with the defaults.
    """
    if (asked.prompt, asked.model) != (before.prompt, before.model):
        return asked
    unsaid = ("steps", "guidance", "wording")
    return replace(asked, **{name: getattr(before, name) for name in unsaid})


def in_words(
    size: str,
    seed: float | None,
    rank_by: str,
    model: str,
    bundle: str,
    completion: str,
    *_: Any,
) -> str:
    """What the fields beside the prompt say, in one line; some only where it is unusual.

    >>> in_words("3 x 3", 7, "vq2", "stickers", "embedded", "auto")
    'More: stickers (48 things), 3 x 3, VQ2 (embedded)'
    >>> in_words("2 x 2", 9, "clip", "sdxl", "small", "off")
    'More: sdxl, 2 x 2, CLIP (small), seed 9, not completed'
    """
    unusual = {
        seed_in_words(seed): seed != Request.seed,
        "completed by the seed": completion == "on",
        "not completed": completion == "off",
    }
    if learned := vocabulary_of(model):
        model += f" ({len(learned['classes'])} things)"
    said = [model, size, f"{method_name(rank_by)} ({bundle})"]
    return f"More: {', '.join([*said, *(name for name, set_ in unusual.items() if set_)])}"


def seed_in_words(seed: float | None) -> str:
    """What a field for a seed holds.

    >>> seed_in_words(4_294_967_295), seed_in_words(None)
    ('seed 4294967295', 'no seed')
    """
    return "no seed" if seed is None else f"seed {seed:.12g}"


def whole(value: float | None, what: str, low: int = 0) -> int:
    """The value of a number field.

    Raises:
        InvalidRequestError: there is none, or it is no whole number.

    >>> whole(7.0, "seed")
    7
    """
    if value is None:
        raise InvalidRequestError(f"there is no {what}; write a whole number from {low}")
    if value != int(value):
        raise InvalidRequestError(f"the {what} is {value}; write a whole number from {low}")
    return int(value)


def mistakes(size: str, seed: float | None) -> tuple[str, str]:
    """What is wrong with the grid, and what with the seed; empty where nothing is.

    >>> mistakes("3 x 3", -1)
    ('', 'the seed is -1; it can be 0 to 4294967287 for 9 images')
    >>> mistakes("0 x 9", 7)
    ('the grid is 0 x 9; it can be 1 x 1 to 6 x 6', '')
    """
    try:
        rows, columns = sides(size)
        validate_sides(rows, columns)
    except InvalidRequestError as error:
        return str(error), ""
    try:
        validate_seed(whole(seed, "seed"), rows * columns)
    except InvalidRequestError as error:
        return "", str(error)
    return "", ""


def sides(size: str) -> tuple[int, int]:
    """Rows and columns of a grid as it is written.

    Raises:
        InvalidRequestError: they are not two numbers.

    >>> sides("2 x 3")
    (2, 3)
    """
    found = re.fullmatch(r"\s*(\d{1,4})\s*[x×*]\s*(\d{1,4})\s*", size)
    if not found:
        raise InvalidRequestError(f"the grid is {size!r}; write rows x columns, such as 3 x 3")
    return int(found[1]), int(found[2])
