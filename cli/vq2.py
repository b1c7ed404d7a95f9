"""Flags of VQ2 that several commands share: `with_vq2_flags` gives them to a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, get_type_hints

import typer

from alignment.questions.settings import Vq2Settings, default_settings


@dataclass(frozen=True)
class Vq2Flags:
    """The flags as they are given; None leaves a setting as the bundle has it."""

    assessment: Annotated[
        Literal["A", "B", "C"] | None,
        typer.Option(
            help="VQ2: `C` asks whether the expected answer is true of the image; `A` whether the "
            "image's own answer entails it, by an NLI model; `B` whether both answers are the "
            "same, by the vision-language model.",
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
    checked: Annotated[
        Literal["on", "off"] | None,
        typer.Option(help="VQ2: `on` drops questions that a second reader finds odd."),
    ] = None

    def settings(self, bundle: str) -> Vq2Settings:
        """The settings of a bundle, but for those that are given.

        >>> Vq2Flags("B", checked="off").settings("embedded").signature.by_name["checked"]
        'off'
        """
        given: dict[str, Any] = {
            "assessment": self.assessment,
            "multi_word": self.spans and self.spans == "multi-word",
            "kept_from": self.kept_from,
            "questions_per_span": self.questions_per_span,
            "seed": self.question_seed,
            "dependencies": self.dependencies and self.dependencies == "on",
            "aggregation": self.aggregation,
            "checked": self.checked and self.checked == "on",
        }
        chosen = {name: value for name, value in given.items() if value is not None}
        return replace(default_settings(bundle), **chosen)


def with_vq2_flags(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the flags of VQ2 in place of its parameter `vq2`, the settings they make.

    Args:
        command: with a keyword `vq2: Vq2Settings`, and `bundle`, whose settings the flags change.
    """
    types, names = get_type_hints(Vq2Flags, include_extras=True), [f.name for f in fields(Vq2Flags)]
    flags = [Parameter(n, Parameter.KEYWORD_ONLY, default=None, annotation=types[n]) for n in names]
    taken = signature(command, eval_str=True)
    parameters = [*taken.parameters.values()]
    place = [*taken.parameters].index("vq2")

    @wraps(command)
    def flagged(**given: Any) -> None:
        chosen = Vq2Flags(**{name: given.pop(name) for name in names})
        command(**given, vq2=chosen.settings(given["bundle"]))

    shown = taken.replace(parameters=[*parameters[:place], *flags, *parameters[place + 1 :]])
    flagged.__signature__ = shown  # type: ignore[attr-defined]
    return flagged
