"""Options that several benchmarks share: where the data is, which models score it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from alignment.models.catalogue import BUNDLES
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
    str,
    typer.Option(
        "--model",
        help="Text-to-image model: a name in `generation.MODELS`, or a folder as `runs/teacher`.",
    ),
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
