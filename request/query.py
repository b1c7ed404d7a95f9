"""A request, or any other record of fields, as the query of a link: whatever cannot be is said.

Each field is a name of the query, but for those of `NAMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl, urlencode

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from request.fields import accepted, cut, fields_for, limits, text_of

LONGEST_QUERY = 20_000
"""Characters; the longest prompt has 9000 when every letter of it is escaped."""
MOST_NAMES = 100
TOO_MANY = f"this link has more than {MOST_NAMES} names; none of them is used"
NAMES: Mapping[str, str] = {
    "rows": "grid",
    "columns": "grid",
    "rank_by": "rank",
    "arrangement": "show",
    "systems": "columns",
}
"""Field -> its name in links, where that is another; fields of one name are written as in 2x3."""

Part = TypeVar("Part", bound=Hashable)


def fields_of(part: type[Any]) -> dict[str, dict[str, FieldInfo]]:
    """Name in links -> the fields that it stands for, in the order of the record."""
    found: dict[str, dict[str, FieldInfo]] = {}
    for name, field in fields_for(part, "link").items():
        found.setdefault(NAMES.get(name, name), {})[name] = field
    return found


def texts(part: object, names: Iterable[str] | None = None) -> dict[str, str]:
    """Name -> the value of a record as links have it; of all its names when None."""
    fields = fields_of(type(part))
    return {
        name: "x".join(text_of(getattr(part, each)) for each in fields[name])
        for name in (fields if names is None else names)
    }


def differs(part: object, name: str) -> bool:
    """Whether the value of a name is not the usual one."""
    return any(
        getattr(part, each) != field.default for each, field in fields_of(type(part))[name].items()
    )


def query_of(
    part: object, left_out: Collection[str], names: Iterable[str] | None = None, prefix: str = ""
) -> str:
    """A record as a query, without a question mark; texts that are empty are left out.

    Args:
        part: the record.
        left_out: names that are written only where their value is not the usual one.
        names: that are written, in this order; all of the record when None.
        prefix: of the names.
    """
    written = [
        (prefix + name, text)
        for name, text in texts(part, names).items()
        if text and (name not in left_out or differs(part, name))
    ]
    return urlencode(written, errors="replace")


def read_part(
    part: type[Part], query: str, bundles: Sequence[str] = (), prefix: str = ""
) -> tuple[Part, tuple[str, ...]]:
    """A record from a query; whatever cannot be is said, and has its default.

    Args:
        part: of which record; every field has a default.
        query: of a link, from anybody; a question mark in front does not matter.
        bundles: that are known beside the named ones, such as one with another model in a role.
        prefix: of the names of this record.

    Returns:
        The record, and a sentence for each value that cannot be.
    """
    try:
        given = dict(parse_qsl(query[:LONGEST_QUERY].lstrip("?"), max_num_fields=MOST_NAMES))
    except ValueError:
        return part(), (TOO_MANY,)
    found: dict[str, Any] = {}
    said: list[str] = []
    readers = _readers(part)
    for name, fields in fields_of(part).items():
        if (text := given.get(prefix + name)) is None:
            continue
        values = text.split("x") if len(fields) > 1 else [text]
        try:
            pairs = zip(fields, values, strict=True)
            found |= {each: readers[each](value, context=bundles) for each, value in pairs}
        except ValueError:
            said.append(mistake(part, name, text, prefix))
    return part(**found), tuple(said)


@cache
def _readers(part: Hashable) -> dict[str, Callable[..., Any]]:
    """Field -> what reads its value, as the record would."""
    fields = fields_for(cast("type[Any]", part), "link")
    return {
        name: TypeAdapter(field.rebuild_annotation()).validate_python
        for name, field in fields.items()
    }


def mistake(part: type[Any], name: str, value: str, prefix: str = "") -> str:
    """That a value cannot be, what can be, and what is used instead."""
    fields = fields_of(part)[name]
    usual = [text_of(field.default) for field in fields.values() if field.default is not None]
    used = "x".join(usual) or "nothing"
    can = accepted(next(iter(fields.values()))) if len(fields) == 1 else _together(fields)
    said = f'"{prefix}{name}" is "{cut(value, 40)}" in this link'
    return f"{said}; it can be {can}; {used} is used instead"


def _together(fields: Mapping[str, FieldInfo]) -> str:
    """What several numbers of one name can be."""
    lowest, highest = zip(*(limits(field) for field in fields.values()), strict=True)
    return f"{' x '.join(fields)}, {'x'.join(map(str, lowest))} to {'x'.join(map(str, highest))}"
