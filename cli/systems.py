"""`--system NAME=MODEL,SETTING=VALUE`: a text-to-image model, how it is asked, and its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import typer

from request import Request
from request.parameters import Asked
from session.systems.system import MADE_FROM

SETTINGS = ("seed", *MADE_FROM)


def read_systems(texts: Sequence[str], asked: Asked) -> list[tuple[str, Request]]:
    """Each system: its name, empty without one, and all of its request but the prompt.

    Args:
        texts: each a model, with "NAME=" before it and ",SETTING=VALUE" behind it where wanted.
        asked: what all of them share.

    Raises:
        typer.BadParameter: a setting is not known, a name comes twice, or two names are given to
            one system.
        InvalidRequestError, UnknownModelError: a value or a model cannot be.

    >>> from request.parameters import asked_of
    >>> ((name, request),) = read_systems(["few=stickers,steps=2"], asked_of(Request, {}))
    >>> name, request.model, request.steps
    ('few', 'stickers', 2)
    """
    systems = [_read_system(text.strip(), asked) for text in texts]
    for (one, first), (other, second) in combinations(systems, 2):
        if one and one == other:
            raise typer.BadParameter(f"two systems are called {one}; give each a name of its own")
        if first == second and one != other:
            raise typer.BadParameter(f"{one!r} and {other!r} are one system; change a setting")
    return systems


def _read_system(text: str, asked: Asked) -> tuple[str, Request]:
    head, *settings = re.split(r",(?=\s*\w+=)", text)
    name, _, model = head.rpartition("=")
    given = dict(each.strip().split("=", 1) for each in settings)
    for setting in given:
        if setting not in SETTINGS:
            known = ", ".join(SETTINGS)
            raise typer.BadParameter(f"{text!r} has no setting {setting!r}; known: {known}")
    return name, asked(model=model, **given)
