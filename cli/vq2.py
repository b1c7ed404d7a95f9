"""Flags of VQ2 that several commands share, see `cli.flags.with_request`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

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
    negation: Annotated[
        Literal["on", "off"] | None,
        typer.Option(help="VQ2: `on` expects no for what the prompt rules out."),
    ] = None
    existence: Annotated[
        Literal["on", "off"] | None,
        typer.Option(help="VQ2: `on` asks for every thing that the prompt names."),
    ] = None

    def settings(self, bundle: str) -> Vq2Settings:
        """The settings of a bundle, but for those that are given.

        >>> Vq2Flags("B", negation="off").settings("embedded").signature.by_name["negation"]
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
            "negation": self.negation and self.negation == "on",
            "existence": self.existence and self.existence == "on",
        }
        chosen = {name: value for name, value in given.items() if value is not None}
        return replace(default_settings(bundle), **chosen)
