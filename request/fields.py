"""The fields of a record: at which doors they are given, and what they can be, in words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args, get_origin

from annotated_types import Ge, Le, MaxLen
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

Door: TypeAlias = Literal["link", "endpoint", "command"]
"""Where a person or a program says what is wanted."""


@dataclass(frozen=True)
class LeftOut:
    """Marks a field that cannot be given at some doors."""

    doors: tuple[Door, ...]


def fields_for(record: type[Any], door: Door | None = None) -> dict[str, FieldInfo]:
    """The fields of a pydantic record that can be given at a door, or all, in their order."""
    return {
        name: field
        for name, field in record.__pydantic_fields__.items()
        if not any(isinstance(each, LeftOut) and door in each.doors for each in field.metadata)
    }


def accepted(field: FieldInfo) -> str:
    """What a field can be.

    >>> from pydantic import Field
    >>> accepted(FieldInfo.from_annotation(Literal["a", "b"]))
    'one of a, b'
    >>> accepted(FieldInfo.from_annotated_attribute(int, Field(default=3, ge=1, le=6)))
    'a whole number from 1 to 6'
    """
    lowest, highest = limits(field)
    longest = [each.max_length for each in field.metadata if isinstance(each, MaxLen)]
    if get_origin(field.annotation) is Literal:
        return f"one of {', '.join(map(str, get_args(field.annotation)))}"
    if field.annotation is bool:
        return "yes or no"
    if lowest is not None and highest is not None:
        kind = "a whole number" if field.annotation is int else "a number"
        return f"{kind} from {lowest} to {highest}"
    if longest:
        return f"at most {longest[0]} characters"
    said = (field.description or "").partition(";")[0].rstrip(".")
    return said[:1].lower() + said[1:]


def given_as(field: FieldInfo) -> Any:
    """The type of what a person gives for a field, such as "auto", "on" or "off" for a choice."""
    read = (each for each in field.metadata if isinstance(each, BeforeValidator))
    types = (each.json_schema_input_type for each in read)
    return next((each for each in types if each is not PydanticUndefined), field.annotation)


def limits(field: FieldInfo) -> tuple[Any, Any]:
    """The lowest and the highest number that a field can be; None where there is no limit."""
    lowest = (each.ge for each in field.metadata if isinstance(each, Ge))
    highest = (each.le for each in field.metadata if isinstance(each, Le))
    return next(lowest, None), next(highest, None)


def help_of(field: FieldInfo) -> str:
    """What a field means, and its range.

    >>> from pydantic import Field
    >>> rows = Field(default=3, ge=1, le=6, description="Of the grid.")
    >>> help_of(FieldInfo.from_annotated_attribute(int, rows))
    'Of the grid, 1 to 6.'
    """
    lowest, highest = limits(field)
    said = field.description or ""
    return said if lowest is None else f"{said.rstrip('.')}, {lowest} to {highest}."


def text_of(value: object) -> str:
    """A value as links and options have it.

    >>> text_of(True), text_of(7)
    ('yes', '7')
    """
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def shown(value: Any) -> str:
    """A value as JSON, cut short."""
    return cut(json.dumps(value, default=str))


def cut(text: str, most: int = 60) -> str:
    """A text, at most so many characters of it.

    >>> cut("a red car on the beach", 8)
    'a red...'
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."
