"""Flags that several commands share: fields of a record, given by a decorator; a file of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

import typer
from pydantic.fields import FieldInfo

from alignment.questions.settings import Vq2Settings, default_settings
from alignment.set_metrics.expectation import Novelty
from alignment.set_metrics.viewing_orders import Order
from request import Request
from request.fields import fields_for, given_as, help_of, limits
from request.parameters import Asked, asked_of, in_place_of

Command: TypeAlias = Callable[..., None]
ENVIRONMENT = {"bundle": "BUNDLE"}
"""Field -> the variable that gives its value where the flag does not."""


def with_flags(record: type[Any], parameter: str) -> Callable[[Command], Command]:
    """A decorator of commands: one of their parameters is replaced by the fields of a record.

    Args:
        record: a dataclass whose annotations are typer options.
        parameter: a keyword of the command, which gets the record.
    """
    types = get_type_hints(record, include_extras=True)
    flags = [_flag(each.name, types[each.name], each.default) for each in fields(record)]
    return in_place_of(parameter, flags, lambda values: record(**values))


def with_request(*names: str, **defaults: Any) -> Callable[[Command], Command]:
    """A decorator of commands: their keyword `asked: Asked` is replaced by fields of a request.

    Args:
        names: of the fields; all that a command can give where there are none.
        defaults: of this command, where they are not those of the record.
    """
    known = fields_for(Request, "command")
    chosen = {name: known[name] for name in names or known}
    usual = {name: Parameter.empty if f.is_required() else f.default for name, f in chosen.items()}
    flags = [
        _flag(name, option(name, field), {**usual, **defaults}[name])
        for name, field in chosen.items()
        if name != "vq2"
    ]
    flags += vq2_flags() if "vq2" in chosen else []
    return in_place_of("asked", flags, _asked)


def _asked(values: Mapping[str, Any]) -> Asked:
    own = {each.name: values[each.name] for each in fields(Vq2Settings) if each.name in values}
    fields_given = {name: value for name, value in values.items() if name not in own}
    if own:
        fields_given["vq2"] = replace(default_settings(values["bundle"]), **given(own))
    return asked_of(fields_given)


def vq2_flags() -> list[Parameter]:
    """A flag for each setting of VQ2; None leaves it as it is."""
    return [_vq2_flag(name, field) for name, field in fields_for(Vq2Settings).items()]


def _vq2_flag(name: str, field: FieldInfo) -> Parameter:
    kind: Any = Literal["on", "off"] if field.annotation is bool else field.annotation
    lowest, highest = limits(field)
    said = " ".join((field.description or "").split())
    shown = typer.Option(min=lowest, max=highest, help=f"VQ2: {said[:1].lower()}{said[1:]}")
    return _flag(name, Annotated[kind | None, shown], None)


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def option(name: str, field: FieldInfo) -> Any:
    """The typer option of a field, an argument where the field has no default."""
    said = help_of(field)
    if field.is_required():
        return Annotated[given_as(field), typer.Argument(help=said)]
    return Annotated[given_as(field), typer.Option(envvar=ENVIRONMENT.get(name), help=said)]


def _flag(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


@dataclass(frozen=True)
class MetricSettings:
    """Settings of all set metrics; None leaves each its own."""

    order: Annotated[
        Order | None, typer.Option(help="The viewing order of every set metric, not their own.")
    ] = None
    persistence: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="The chance of looking at one more image, 0 to 1."),
    ] = None
    novelty: Annotated[
        Novelty | None,
        typer.Option(help="How an image that resembles an earlier one loses relevance."),
    ] = None


def read_texts(file: str) -> list[str]:
    """The lines of a file that are not blank."""
    try:
        lines = Path(file).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise typer.BadParameter(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise typer.BadParameter(
            f"{file} is not UTF-8 (byte {error.start} is {error.object[error.start]:#x}); "
            "save it as UTF-8"
        ) from error
    texts = [line.strip() for line in lines if line.strip()]
    if not texts:
        raise typer.BadParameter(f"{file} has no line; write one text per line")
    return texts


with_vq2_flags = in_place_of("vq2", vq2_flags(), given)
"""Gives a command the flags in place of its keyword `vq2: Mapping[str, Any]`, those given."""
with_metric_flags = with_flags(MetricSettings, "metric_settings")
"""Gives a command the flags in place of its keyword `metric_settings: MetricSettings`."""
