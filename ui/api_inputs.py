"""What the endpoints may be asked: checked before anything runs, for programs and assistants."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, TypeAlias, get_type_hints

from pydantic import Field, ValidationError, create_model

from generation import InvalidRequestError
from generation.validation import LARGEST_SEED, LARGEST_SIDE
from ui.event_inputs import LONGEST_TEXT, shown

MOST_PLACES = LARGEST_SIDE**2

Text: TypeAlias = Annotated[str, Field(strict=True, max_length=LONGEST_TEXT)]
Side: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=LARGEST_SIDE)]
Seed: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=LARGEST_SEED)]
Cell: TypeAlias = Annotated[int, Field(strict=True, ge=0, lt=MOST_PLACES)]
Probability: TypeAlias = Annotated[float, Field(strict=True, ge=0, le=1)]
Attention: TypeAlias = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
PerPlace = Field(min_length=1, max_length=MOST_PLACES)
"""Of a list with one value for each place of a grid."""


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
