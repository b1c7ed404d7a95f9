"""Options of VQ2 that several commands share."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias

import typer

from alignment.questions.settings import Vq2Settings, default_settings

AssessmentName: TypeAlias = Annotated[
    Literal["A", "B", "C"] | None,
    typer.Option(
        "--assessment",
        help="VQ2: `C` asks whether the expected answer is true of the image; `A` whether the "
        "image's own answer entails it, by an NLI model; `B` whether both answers are the same, by "
        "the vision-language model.",
    ),
]
Spans: TypeAlias = Annotated[
    Literal["multi-word", "simple"] | None,
    typer.Option(help='VQ2: `multi-word` also asks about "black and white" and "in the air".'),
]
Filter: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--filter",
        min=0,
        max=1,
        help="VQ2: token F1 of the round trip from which a question is kept; 0 keeps all.",
    ),
]
QuestionsPerSpan: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="VQ2: questions written for each span.")
]
QuestionSeed: TypeAlias = Annotated[
    int | None,
    typer.Option(help="VQ2: samples the questions with this seed, instead of the likeliest."),
]
Dependencies: TypeAlias = Annotated[
    Literal["on", "off"] | None,
    typer.Option(help="VQ2: `on` counts 0 for what depends on a pair that fails."),
]
AggregationName: TypeAlias = Annotated[
    Literal["mean", "claims", "geometric", "weakest"] | None,
    typer.Option(
        "--aggregation",
        help="VQ2: the mean over questions, the mean or the geometric mean over claims, or the "
        "weakest question.",
    ),
]
Checked: TypeAlias = Annotated[
    Literal["on", "off"] | None,
    typer.Option(help="VQ2: `on` drops questions that a second reader finds odd."),
]


def vq2_settings(
    bundle: str,
    *,
    assessment: str | None = None,
    spans: str | None = None,
    kept_from: float | None = None,
    questions_per_span: int | None = None,
    question_seed: int | None = None,
    dependencies: str | None = None,
    aggregation: str | None = None,
    checked: str | None = None,
) -> Vq2Settings:
    """The settings of a bundle, but for those that are given.

    >>> vq2_settings("embedded", assessment="B", checked="off").signature.by_name["checked"]
    'off'
    """
    given: dict[str, Any] = {
        "assessment": assessment,
        "multi_word": None if spans is None else spans == "multi-word",
        "kept_from": kept_from,
        "questions_per_span": questions_per_span,
        "seed": question_seed,
        "dependencies": None if dependencies is None else dependencies == "on",
        "aggregation": aggregation,
        "checked": None if checked is None else checked == "on",
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return replace(default_settings(bundle), **chosen)
