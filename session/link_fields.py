"""The values that links are made of, and how they are read: whatever cannot be is said.

Each field of a link is a name of the query, its description what it can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias, TypeVar
from urllib.parse import parse_qsl

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, ValidationInfo

import alignment
import generation
from alignment.evaluation import METHODS
from generation.validation import LARGEST_SEED, LARGEST_SIDE, LONGEST_PROMPT

LONGEST_QUERY = 20_000
"""Characters; the longest prompt has 9000 when every letter of it is escaped."""
MOST_NAMES = 100


def _known_model(name: str) -> str:
    if name not in generation.MODELS:
        raise ValueError("unknown")
    return name


def _known_bundle(name: str, info: ValidationInfo) -> str:
    if name not in (*alignment.BUNDLES, *(info.context or ())):
        raise ValueError("unknown")
    return name


Prompt: TypeAlias = Annotated[
    str, Field(max_length=LONGEST_PROMPT, description=f"at most {LONGEST_PROMPT} characters")
]
Grid: TypeAlias = Annotated[
    str,
    Field(
        pattern=f"^[1-{LARGEST_SIDE}]x[1-{LARGEST_SIDE}]$",
        description=f"rows x columns, 1x1 to {LARGEST_SIDE}x{LARGEST_SIDE}",
    ),
]
Seed: TypeAlias = Annotated[
    int, Field(ge=0, le=LARGEST_SEED, description=f"a whole number from 0 to {LARGEST_SEED}")
]
ModelName: TypeAlias = Annotated[
    str, AfterValidator(_known_model), Field(description="the name of a text-to-image model")
]
BundleName: TypeAlias = Annotated[
    str, AfterValidator(_known_bundle), Field(description="the name of a bundle")
]
Choice: TypeAlias = Annotated[bool, Field(description="yes or no")]
Method: TypeAlias = Annotated[
    Literal[METHODS],  # type: ignore[valid-type]
    Field(description=f"one of {', '.join(METHODS)}"),
]
Saliency: TypeAlias = Annotated[
    str, Field(max_length=300, description="a model of visual attention")
]


class LinkPart(BaseModel):
    """Some names of a query and their values."""

    model_config = ConfigDict(frozen=True, extra="ignore")


Part = TypeVar("Part", bound=LinkPart)


def named(query: str) -> dict[str, str] | None:
    """The names of a query, from anybody, and their values; None where there are too many."""
    try:
        return dict(parse_qsl(query[:LONGEST_QUERY].lstrip("?"), max_num_fields=MOST_NAMES))
    except ValueError:
        return None


def read_part(
    part: type[Part], given: Mapping[str, str], bundles: Sequence[str] = (), prefix: str = ""
) -> tuple[Part, tuple[str, ...]]:
    """The values of a part of a link; one that cannot be is said, and has its default.

    Args:
        part: which one.
        given: the names of a query and their values.
        bundles: that are known beside the named ones, such as one with another model in a role.
        prefix: of the names of this part.

    Returns:
        The part, and a sentence for each value that cannot be.
    """
    own = {name: given[prefix + name] for name in part.model_fields if prefix + name in given}
    wrong = _wrong(part, own, bundles)
    right = {name: own[name] for name in own.keys() - wrong}
    said = tuple(mistake(part, name, own[name], prefix) for name in wrong)
    return part.model_validate(right, context=bundles), said


def _wrong(part: type[LinkPart], given: dict[str, str], bundles: Sequence[str]) -> list[str]:
    """The names whose values cannot be, in the order of the fields."""
    try:
        part.model_validate(given, context=bundles)
    except ValidationError as error:
        return list(dict.fromkeys(str(each["loc"][0]) for each in error.errors()))
    return []


def mistake(part: type[LinkPart], name: str, value: str, prefix: str = "") -> str:
    """That a value cannot be, what can be, and what is used instead."""
    field = part.model_fields[name]
    used = "nothing" if field.default in (None, "") else text_of(field.default)
    shown = value if len(value) <= 40 else f"{value[:37]}..."
    accepted = f"it can be {field.description}; {used} is used instead"
    return f'"{prefix}{name}" is "{shown}" in this link; {accepted}'


def text_of(value: object) -> str:
    """A value as the query has it.

    >>> text_of(True), text_of(7)
    ('yes', '7')
    """
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


TOO_MANY = f"this link has more than {MOST_NAMES} names; none of them is used"
