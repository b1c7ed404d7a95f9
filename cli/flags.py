"""Flags that several commands share: the fields of a record, which a decorator gives a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import Parameter
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer
from pydantic.fields import FieldInfo

from cli.vq2 import Vq2Flags
from request import Request
from request.fields import fields_for, given_as, help_of
from request.parameters import Asked, asked_of, in_place_of

Command: TypeAlias = Callable[..., None]
ENVIRONMENT = {"bundle": "BUNDLE"}
"""Field -> the variable that gives its value where the flag does not."""


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
    return in_place_of(
        parameter, flags_of(record), lambda values, others: made(record(**values), others)
    )


def with_request(
    *names: str, record: type[Request] = Request, **defaults: Any
) -> Callable[[Command], Command]:
    """A decorator of commands: their keyword `asked: Asked` is replaced by fields of a request.

    Args:
        names: of the fields; all that a command can give where there are none.
        record: whose fields they are.
        defaults: of this command, where they are not those of the record.
    """
    known = fields_for(record, "command")
    chosen = {name: known[name] for name in names or known}
    usual = {name: Parameter.empty if f.is_required() else f.default for name, f in chosen.items()}
    flags = [
        _flag(name, option(name, field), {**usual, **defaults}[name])
        for name, field in chosen.items()
        if name != "vq2"
    ]
    flags += flags_of(Vq2Flags) if "vq2" in chosen else []
    return in_place_of("asked", flags, lambda values, _: _asked(record, values))


def _asked(record: type[Request], values: Mapping[str, Any]) -> Asked:
    own = {each.name: values[each.name] for each in fields(Vq2Flags) if each.name in values}
    fields_given = {name: value for name, value in values.items() if name not in own}
    settings = {"vq2": Vq2Flags(**own).settings(values["bundle"])} if own else {}
    return asked_of(record, {**fields_given, **settings})


def option(name: str, field: FieldInfo) -> Any:
    """The typer option of a field, an argument where the field has no default."""
    said = help_of(field)
    if field.is_required():
        return Annotated[given_as(field), typer.Argument(help=said)]
    return Annotated[given_as(field), typer.Option(envvar=ENVIRONMENT.get(name), help=said)]


def flags_of(record: type[Any]) -> list[Parameter]:
    """A parameter for each field of a dataclass whose annotations are typer options."""
    types = get_type_hints(record, include_extras=True)
    return [_flag(each.name, types[each.name], each.default) for each in fields(record)]


def _flag(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
