"""What the endpoints may be asked: checked before anything runs, for programs and assistants."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, TypeAlias, get_type_hints

from pydantic import Field, ValidationError, create_model
from pydantic.fields import FieldInfo

from generation import InvalidRequestError
from generation.validation import LARGEST_SIDE
from request import Request
from request.fields import fields_for, given_as, help_of, shown
from request.parameters import asked_of, in_place_of
from ui.event_inputs import LONGEST_TEXT

MOST_PLACES = LARGEST_SIDE**2

Text: TypeAlias = Annotated[str, Field(strict=True, max_length=LONGEST_TEXT)]
Cell: TypeAlias = Annotated[int, Field(strict=True, ge=0, lt=MOST_PLACES)]
Probability: TypeAlias = Annotated[float, Field(strict=True, ge=0, le=1)]
Attention: TypeAlias = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
Cosine: TypeAlias = Annotated[float, Field(strict=True, ge=-1, le=1)]
PerPlace = Field(min_length=1, max_length=MOST_PLACES)
"""Of a list with one value for each place of a grid."""

ORDER = "prompt rows columns seed model bundle rank_by completion".split()
"""Programs may give these by their places; what is added later comes after them."""
INDENT = " " * 8
USUAL = {"completion": "auto"}
"""Defaults of endpoints, where they are not those of the record."""


def asking(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator of endpoints: their parameter `asked: Asked` is replaced by fields of a request.

    Its line in the docstring becomes one for each field.

    Args:
        names: of the fields; all that an endpoint can take where there are none.
    """
    known = fields_for(Request, "endpoint")
    names = names or (*ORDER, *(name for name in known if name not in ORDER))
    parameters = [_parameter(name, known[name]) for name in names]
    said = "\n".join(f"{INDENT}{name}: {help_of(known[name])}" for name in names)
    replaced = in_place_of("asked", parameters, asked_of)

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        endpoint = replaced(function)
        endpoint.__doc__ = re.sub(f"{INDENT}asked: .*", said, str(function.__doc__))
        return endpoint

    return decorated


def _parameter(name: str, field: FieldInfo) -> Parameter:
    own = given_as(field) is field.annotation
    default = Parameter.empty if field.is_required() else USUAL.get(name, field.default)
    given: Any = field.rebuild_annotation() if own else Text
    annotation: Any = Annotated[given, Field(strict=True, description=help_of(field))]
    kind = Parameter.POSITIONAL_OR_KEYWORD
    return Parameter(name, kind, default=default, annotation=annotation)


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose arguments are what its annotations say.

    Raises:
        InvalidRequestError: one is not; the sentence names it, what came and what it can be.
    """
    asked, hints = signature(function), get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {
        name: (hints[name], ... if each.default is Parameter.empty else each.default)
        for name, each in asked.parameters.items()
    }
    inputs = create_model(function.__name__, **fields)

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            found = inputs.model_validate(asked.bind(*args, **kwargs).arguments)
        except ValidationError as error:
            raise InvalidRequestError(_sentence(error)) from error
        return function(**{name: getattr(found, name) for name in fields})

    return run


def _sentence(error: ValidationError) -> str:
    """The first of the mistakes."""
    first = error.errors(include_url=False)[0]
    name = " ".join(map(str, first["loc"]))
    wanted = first["msg"][0].lower() + first["msg"][1:]
    return f'"{name}" is {shown(first["input"])}: {wanted}'
