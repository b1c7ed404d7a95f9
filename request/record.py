"""One request: a grid of images, the models that score it, and how it is ranked and measured.

Name, type, range and help of a field are written once, here or in `generation.records`; the link,
the text in a PNG, the report, command-line options and endpoints are made from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.dataclasses import dataclass

import alignment
from alignment.questions.settings import Vq2Settings
from alignment.ranking import METHODS
from alignment.signature import Signature
from generation import GridRequest, InvalidRequestError
from request.fields import LeftOut, accepted, fields_for, shown

NO_OTHERS = ConfigDict(extra="forbid")
"""There is no field of another name."""
LONGEST_SHOWN = 200
"""Characters; of a longer text its length is said."""


def _known_bundle(name: str, info: ValidationInfo) -> str:
    """A name; where a visitor gives it, that of a bundle there is, or of one in the context."""
    if info.context is not None and name not in (*alignment.BUNDLES, *info.context):
        raise ValueError("unknown")
    return name


def _known_method(name: str, info: ValidationInfo) -> str:
    if info.context is not None and name not in METHODS:
        raise ValueError("unknown")
    return name


def _settings(value: Any) -> Any:
    return Vq2Settings.parse(Signature.parse(value)) if isinstance(value, str) else value


BundleName: TypeAlias = Annotated[
    str,
    AfterValidator(_known_bundle),
    Field(description="The name of a bundle, the models that score; `bundles` lists them."),
]
Method: TypeAlias = Annotated[
    str,
    AfterValidator(_known_method),
    Field(description=f"One of {', '.join(METHODS)}: the method that ranks."),
]
Vq2: TypeAlias = Annotated[
    Vq2Settings | None,
    BeforeValidator(_settings),
    PlainSerializer(lambda settings: settings and str(settings.signature)),
    Field(description="The settings of VQ2."),
]
Revision: TypeAlias = Annotated[
    str, Field(pattern="^[0-9a-f]{0,40}$", description="The revision of the model's files.")
]


Record = TypeVar("Record")


@dataclass(frozen=True, config=NO_OTHERS)
class Explained:
    """A record whose values are checked: the first that cannot be is said in a sentence."""

    @model_validator(mode="wrap")
    @classmethod
    def _explained(cls, values: Any, made: ModelWrapValidatorHandler[Record]) -> Record:
        """Made, or refused in a sentence about the first value that cannot be."""
        try:
            return made(values)
        except ValidationError as error:
            place, came = error.errors()[0]["loc"][0], error.errors()[0]["input"]
            by_place = [each.name for each in fields(cls) if not each.kw_only]
            name = by_place[place] if isinstance(place, int) else place
            if name not in (known := fields_for(cls)):
                raise InvalidRequestError(
                    f'there is no "{name}"; known: {", ".join(known)}'
                ) from error
            can = accepted(known[name])
            long = isinstance(came, str) and len(came) > LONGEST_SHOWN
            said = f"has {len(came)} characters" if long else f"is {shown(came)}"
            raise InvalidRequestError(f'"{name}" {said}; it can be {can}') from error


@dataclass(frozen=True, config=NO_OTHERS)
class Request(Explained, GridRequest):
    """A grid of images, and how they are scored, ranked and measured.

    Raises:
        InvalidRequestError: a value is outside its range; the sentence says which it can be.

    >>> Request("a red car", rows=9)
    Traceback (most recent call last):
    generation.errors.InvalidRequestError: "rows" is 9; it can be a whole number from 1 to 6
    """

    bundle: BundleName = "embedded"
    rank_by: Method = METHODS[0]
    """In a report it may be another scorer."""
    vq2: Annotated[Vq2, LeftOut(("link", "endpoint"))] = None
    """Settings of VQ2; those of the bundle when None."""
    revision: Annotated[Revision, LeftOut(("endpoint", "command"))] = ""
    """Empty where it is not known."""

    @property
    def grid(self) -> GridRequest:
        """The part that makes the images."""
        return GridRequest(**{each.name: getattr(self, each.name) for each in fields(GridRequest)})


def plain(request: GridRequest) -> dict[str, Any]:
    """The fields of a request as texts, numbers, truth values and None.

    >>> plain(Request("a red car", 2, vq2=Vq2Settings()))["vq2"][:20]
    'VQ2|assessment:C|spa'
    """
    values: dict[str, Any] = TypeAdapter(type(request)).dump_python(request, mode="json")
    return values


def read_plain(values: Mapping[str, Any]) -> Request:
    """The request with these fields, and maybe more; one that is missing has its default."""
    return Request(
        **{each.name: values[each.name] for each in fields(Request) if each.name in values}
    )
