"""Parameters of a function made from the fields of a record: for commands and for endpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from inspect import Parameter, signature
from typing import Any, TypeAlias, TypeVar

from request.record import Request

Asked: TypeAlias = Callable[..., Request]
"""The request that parameters ask for; further fields are its arguments."""
Result = TypeVar("Result")
Values: TypeAlias = dict[str, Any]


def in_place_of(
    parameter: str,
    parameters: Sequence[Parameter],
    made: Callable[[Values], Any],
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """A decorator of functions: one of their parameters is replaced by others.

    Args:
        parameter: of the function, which gets what is made.
        parameters: those that are seen from outside in its place.
        made: from their values.

    >>> double = [Parameter("half", Parameter.KEYWORD_ONLY, default=1)]
    >>> @in_place_of("whole", double, lambda values: 2 * values["half"])
    ... def add(one: int, *, whole: int) -> int:
    ...     return one + whole
    >>> add(1), add(1, half=4)
    (3, 9)
    """

    def decorated(function: Callable[..., Result]) -> Callable[..., Result]:
        taken = signature(function, eval_str=True)
        own, place = [*taken.parameters.values()], [*taken.parameters].index(parameter)
        seen = taken.replace(parameters=[*own[:place], *parameters, *own[place + 1 :]])

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> Result:
            bound = seen.bind(*args, **kwargs)
            bound.apply_defaults()
            given = dict(bound.arguments)
            values = {each.name: given.pop(each.name) for each in parameters}
            return function(**given, **{parameter: made(values)})

        called.__signature__ = seen  # type: ignore[attr-defined]
        types = {each.name: each.annotation for each in seen.parameters.values()}
        called.__annotations__ = {**types, "return": seen.return_annotation}
        return called

    return decorated


def asked_of(values: Mapping[str, Any]) -> Asked:
    """What makes the request; a text that is empty is left as the record has it.

    >>> asked_of({"seed": 8, "rank_by": ""})(prompt="a red car").rank_by
    'vq2'
    """
    given = {name: value for name, value in values.items() if value != ""}
    return partial(Request, **{"prompt": "", **given})
