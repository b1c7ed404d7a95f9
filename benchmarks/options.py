"""Options that several benchmarks share: where the data is, which models score it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_origin, get_type_hints

import typer
from pydantic import TypeAdapter

from alignment.models.catalogue import BUNDLES
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.scorers import SCORERS
from session.errors import DataError

METHODS = "vq2,vnli,mean,clip"

ImageHomes: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--images", help="A folder or .zip with images of the tables. Repeatable."),
]
Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--limit",
        min=1,
        help="For a first look: only so many prompts, pairs or images of each data set or kind.",
    ),
]
ModelName: TypeAlias = Annotated[
    str, typer.Option("--model", help="Text-to-image model: a name in `generation.MODELS`.")
]
BundleName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--bundle",
        help=f"Which models score: {', '.join(BUNDLES)}; +ROLE=MODEL after it puts another in one "
        "role, e.g. embedded+clip=clip-rn50x64.",
    ),
]
MethodNames: TypeAlias = Annotated[
    str,
    typer.Option("--methods", metavar="A,B", help=f"What scores: {', '.join(SCORERS)}."),
]
ScoresFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option("--scores", help="A folder that keeps scores: a run that stopped goes on there."),
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", min=0, help="Of the random draws behind the intervals.")
]
Split: TypeAlias = Annotated[
    Literal["development", "test"],
    typer.Option(
        "--split",
        help="`development`: read for mistakes while training changed; `test`: other scenes and "
        "prompts, only ever scored.",
    ),
]
Vq2Flags: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--vq2",
        metavar="SETTING=VALUE",
        help="How VQ2 works; repeatable. assessment=C asks whether the expected answer is true of "
        "the image, A compares it with the image's own answer by NLI, B by the vision-language "
        "model, in words of ours. multi_word=no leaves out spans of several words. kept_from=0.54 "
        "is the round-trip token F1, 0 to 1, from which a question is kept. questions_per_span=1 "
        "and more. seed=7 samples questions. dependencies=yes discounts what depends on a failed "
        "pair. aggregation is mean, claims, geometric or weakest. negation=yes expects no for what "
        "a prompt rules out. existence=yes asks for every thing that it names. quotes=yes puts "
        "answer and question in quotes, as the authors' code does. The page's own are "
        "aggregation=geometric, negation=yes and existence=yes.",
    ),
]


def vq2_settings(texts: Sequence[str]) -> Vq2Settings:
    """VQ2 as published but for these settings.

    Raises:
        DataError: there is no such setting, or its value cannot be read.
        AlignmentError: a value is outside its range.

    >>> chosen = vq2_settings(["assessment=A", "aggregation=geometric", "negation=yes"])
    >>> chosen.assessment, chosen.aggregation, chosen.negation
    ('A', 'geometric', True)
    """
    known, settings = get_type_hints(Vq2Settings), dict[str, Any]()
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise DataError(f"--vq2 {text!r}: give SETTING=VALUE; known: {', '.join(known)}")
        kind = str if get_origin(known[name]) is Literal else known[name]
        try:
            settings[name] = TypeAdapter(kind).validate_python(value)
        except ValueError as error:
            raise DataError(f"--vq2 {text!r}: {value!r} is no value of {name}") from error
    return replace(AS_PUBLISHED, **settings)


def read_methods(text: str) -> tuple[str, ...]:
    """The methods of a list like "vq2,mean".

    Raises:
        DataError: one of them is not known.

    >>> read_methods("vq2,mean")
    ('vq2', 'mean')
    """
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in SCORERS:
            raise DataError(f"no method {name!r}; known: {', '.join(SCORERS)}")
    return names
