"""Flags that several commands share: the fields of a record, which a decorator gives a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from inspect import Parameter
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

import typer
from pydantic.fields import FieldInfo

from alignment.questions.settings import Vq2Settings, default_settings
from alignment.set_metrics.expectation import Novelty
from alignment.set_metrics.viewing_orders import Order
from request import Request
from request.fields import fields_for, given_as, help_of
from request.parameters import Asked, asked_of, in_place_of

Command: TypeAlias = Callable[..., None]
ENVIRONMENT = {"bundle": "BUNDLE"}
"""Field -> the variable that gives its value where the flag does not."""


def with_flags(
    record: type[Any],
    parameter: str,
    made: Callable[[Any], Any] = lambda flags: flags,
) -> Callable[[Command], Command]:
    """A decorator of commands: one of their parameters is replaced by the fields of a record.

    Args:
        parameter: a keyword of the command, which gets what the flags make.
        made: from the record; the record itself by default.
    """
    return in_place_of(parameter, flags_of(record), lambda values: made(record(**values)))


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
    flags += flags_of(Vq2Flags) if "vq2" in chosen else []
    return in_place_of("asked", flags, _asked)


def _asked(values: Mapping[str, Any]) -> Asked:
    own = {each.name: values[each.name] for each in fields(Vq2Flags) if each.name in values}
    fields_given = {name: value for name, value in values.items() if name not in own}
    settings = {"vq2": Vq2Flags(**own).settings(values["bundle"])} if own else {}
    return asked_of({**fields_given, **settings})


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


@dataclass(frozen=True)
class Vq2Flags:
    """The flags as they are given; None leaves a setting as the bundle has it."""

    assessment: Annotated[
        Literal["A", "B", "C"] | None,
        typer.Option(
            help="VQ2: `C` asks whether the expected answer is true of the image; `A` whether the "
            "image's own answer entails it, by an NLI model; `B` whether both answers are the "
            "same, by the vision-language model, in words of ours.",
        ),
    ] = None
    spans: Annotated[
        Literal["multi-word", "simple"] | None,
        typer.Option(help='VQ2: `multi-word` also asks about "black and white" and "in the air".'),
    ] = None
    kept_from: Annotated[
        float | None,
        typer.Option(
            "--filter",
            min=0,
            max=1,
            help="VQ2: token F1 of the round trip from which a question is kept; 0 keeps all.",
        ),
    ] = None
    questions_per_span: Annotated[
        int | None, typer.Option(min=1, help="VQ2: questions written for each span.")
    ] = None
    question_seed: Annotated[
        int | None,
        typer.Option(help="VQ2: samples the questions with this seed, instead of the likeliest."),
    ] = None
    dependencies: Annotated[
        Literal["on", "off"] | None,
        typer.Option(help="VQ2: `on` counts 0 for what depends on a pair that fails."),
    ] = None
    aggregation: Annotated[
        Literal["mean", "claims", "geometric", "weakest"] | None,
        typer.Option(
            help="VQ2: the mean over questions, the mean or the geometric mean over claims, or the "
            "weakest question.",
        ),
    ] = None
    negation: Annotated[
        Literal["on", "off"] | None,
        typer.Option(help="VQ2: `on` expects no for what the prompt rules out."),
    ] = None
    existence: Annotated[
        Literal["on", "off"] | None,
        typer.Option(help="VQ2: `on` asks for every thing that the prompt names."),
    ] = None
    quotes: Annotated[
        Literal["on", "off"] | None,
        typer.Option(
            help="VQ2: `on` puts answer and question in quotes, as its authors' code does."
        ),
    ] = None

    def settings(self, bundle: str) -> Vq2Settings:
        """The settings of a bundle, but for those that are given.

        >>> Vq2Flags("B", negation="off").settings("embedded").signature.by_name["negation"]
        'off'
        """
        return self.over(default_settings(bundle))

    def over(self, settings: Vq2Settings) -> Vq2Settings:
        """The same settings, but for those that are given."""
        given: dict[str, Any] = {
            "assessment": self.assessment,
            "multi_word": self.spans and self.spans == "multi-word",
            "kept_from": self.kept_from,
            "questions_per_span": self.questions_per_span,
            "seed": self.question_seed,
            "dependencies": self.dependencies and self.dependencies == "on",
            "aggregation": self.aggregation,
            "negation": self.negation and self.negation == "on",
            "existence": self.existence and self.existence == "on",
            "quotes": self.quotes and self.quotes == "on",
        }
        chosen = {name: value for name, value in given.items() if value is not None}
        return replace(settings, **chosen)


@dataclass(frozen=True)
class MetricSettings:
    """Settings of all set metrics; None leaves each its own."""

    order: Annotated[
        Order | None, typer.Option(help="The viewing order of every set metric, not their own.")
    ] = None
    persistence: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="The chance to look at one more image, 0 to 1."),
    ] = None
    novelty: Annotated[
        Novelty | None,
        typer.Option(help="How an image that resembles an earlier one loses relevance."),
    ] = None


with_metric_flags = with_flags(MetricSettings, "metric_settings")
"""Gives a command the flags in place of its keyword `metric_settings: MetricSettings`."""
