"""Flags that several commands share: the fields of a record, which a decorator gives a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeAlias, get_type_hints

Command: TypeAlias = Callable[..., None]


def with_flags(
    record: type[Any],
    parameter: str,
    made: Callable[[Any, Mapping[str, Any]], Any] = lambda flags, others: flags,
) -> Callable[[Command], Command]:
    """A decorator of commands: one of their parameters is replaced by the fields of a record.

    Args:
        record: a frozen dataclass; each field is annotated with its typer option and has a default.
        parameter: a keyword of the command, which gets what the flags make.
        made: from the record and the command's other arguments; the record itself by default.
    """
    types = get_type_hints(record, include_extras=True)
    flags = [
        Parameter(
            each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=types[each.name]
        )
        for each in fields(record)
    ]

    def decorated(command: Command) -> Command:
        taken = signature(command, eval_str=True)
        parameters = [*taken.parameters.values()]
        place = [*taken.parameters].index(parameter)

        @wraps(command)
        def flagged(**given: Any) -> None:
            chosen = record(**{flag.name: given.pop(flag.name) for flag in flags})
            command(**given, **{parameter: made(chosen, given)})

        shown = taken.replace(parameters=[*parameters[:place], *flags, *parameters[place + 1 :]])
        flagged.__signature__ = shown  # type: ignore[attr-defined]
        return flagged

    return decorated
