"""What may be sent to an event of the page, checked with pydantic before anything runs.

Every event has one type per input, made from its component. Whatever does not fit is refused with a
sentence that names the field, what came and what is accepted. Files that a request names
are those that this server issued: each lies in a folder of its own within Gradio's upload folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import gradio as gr
from gradio.utils import get_upload_folder
from pydantic import (
    BaseModel,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    TypeAdapter,
    ValidationError,
)

from request.fields import shown

LONGEST_TEXT = 10_000
"""Characters of a field; what a prompt may have is said where it is used."""
MOST_FILES = 100
LARGEST_NUMBER = 2**53
"""Beyond it a browser does not count exactly."""
EXACT = Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)
CHOSEN: TypeAdapter[int] = TypeAdapter(Annotated[StrictInt, Field(ge=0)])
"""What a visitor chose on the page, by its place."""


class UploadedFile(BaseModel):
    """A file that was uploaded before, as the page names it."""

    path: Annotated[StrictStr, Field(max_length=4096)]


class RefusedError(Exception):
    """A request is refused; the message is for whoever sent it."""

    def __init__(self, message: str, status: int = 422) -> None:
        super().__init__(message)
        self.status = status


class Input(NamedTuple):
    """One input of an event."""

    label: str
    """As the page shows it."""
    accepted: str
    """What it can be, in words."""
    type: TypeAdapter[Any]
    skipped: bool
    """Whether a client of the API leaves it out, such as the state of a page."""

    def check(self, value: Any) -> None:
        """Say what does not fit.

        Raises:
            RefusedError: it names the field, what came and what is accepted.
        """
        try:
            self.type.validate_python(value)
        except ValidationError as error:
            raise RefusedError(
                f'"{self.label}" is {shown(value)}; it can be {self.accepted}'
            ) from error


class EventInputs:
    """The inputs of every event of a page."""

    def __init__(self, blocks: gr.Blocks) -> None:
        """Every event of the page gets its types."""
        self.inputs = {number: [*map(_input, fn.inputs)] for number, fn in blocks.fns.items()}
        self.names = {fn.api_name: number for number, fn in blocks.fns.items() if fn.api_name}
        self.cancelling = {number for number, fn in blocks.fns.items() if fn.cancels}
        self.choosing = {
            number
            for number, fn in blocks.fns.items()
            if any(event == "select" for _, event in fn.targets)
        }

    def check(self, body: Mapping[str, Any], name: str = "", *, by_name: bool = False) -> int:
        """Say what does not fit in the body of a request.

        Args:
            name: of the event in the path; empty where the body has its number.
            by_name: whether the name alone says which event it is.

        Returns:
            The number of the event.

        Raises:
            RefusedError: there is no such event, or an input does not fit.
        """
        named = self.names.get(name)
        number = named if by_name else body.get("fn_index", named)
        if type(number) is not int or number not in self.inputs:
            raise RefusedError(
                f"fn_index is {shown(number)}; it is the id of a dependency in /config"
            )
        if not all(map(is_issued, named_files(body))):
            raise RefusedError("a file was not uploaded here, or is no longer kept; upload it")
        if number not in self.cancelling:
            self._check_inputs(number, body.get("data"))
            _check_choice(body.get("event_data"), needed=number in self.choosing)
        return number

    def _check_inputs(self, number: int, data: Any) -> None:
        if not isinstance(data, list):
            raise RefusedError(f"data is {shown(data)}; it is a list with one item an input")
        inputs = self.inputs[number]
        if len(data) != len(inputs):
            inputs = [each for each in inputs if not each.skipped]
        if len(data) != len(inputs):
            wanted = ", ".join(each.label for each in inputs)
            raise RefusedError(
                f"data has {len(data)} items; this event takes {len(inputs)}: {wanted}"
            )
        for each, value in zip(inputs, data, strict=True):
            each.check(value)


def is_issued(path: str) -> bool:
    """Whether a path names a regular file that this server issued, and by no detour."""
    folder = Path(get_upload_folder()).resolve()
    try:
        found = Path(path).resolve(strict=True)
        return found.is_relative_to(folder) and found.parent != folder and found.is_file()
    except (OSError, ValueError):  # there is none, or no path can be so
        return False


def named_files(sent: Any) -> Iterator[str]:
    """Every file that a part of a request names, however deep: whatever has a `path` is one."""
    waiting = [sent]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if "path" in part:
                yield str(part["path"])
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _check_choice(sent: Any, *, needed: bool) -> None:
    """Refuse a choice of nothing; `needed` where the event is one."""
    chosen = sent if isinstance(sent, Mapping) else {}
    if "index" not in chosen and not needed:
        return
    try:
        CHOSEN.validate_python(chosen.get("index"))
    except ValidationError as error:
        raise RefusedError(
            f"the chosen index is {shown(chosen.get('index'))}; it can be a number from 0"
        ) from error


def _input(component: Any) -> Input:
    label = str(getattr(component, "label", None) or type(component).__name__.lower())
    accepted, type_ = _accepted(component)
    return Input(label, accepted, TypeAdapter(type_), bool(component.skip_api))


def _accepted(component: Any) -> tuple[str, Any]:
    """What a component takes, in words and as a type."""
    match component:
        case gr.Checkbox():
            return "true or false", StrictBool
        case gr.Slider():
            low, high = component.minimum, component.maximum
            limits = Field(ge=low, le=high, allow_inf_nan=False)
            return f"a number from {low} to {high}", Annotated[StrictFloat, limits]
        case gr.Number():
            return "a number", Annotated[StrictFloat, EXACT] | None
        case gr.UploadButton():
            return "an uploaded file", UploadedFile
        case gr.File():
            files = Annotated[list[UploadedFile], Field(max_length=MOST_FILES)]
            return f"a list of at most {MOST_FILES} uploaded files", files | None
    return _text_or_choice(component)


def _text_or_choice(component: Any) -> tuple[str, Any]:
    chooses = isinstance(component, gr.Dropdown | gr.Radio)
    if chooses and not getattr(component, "allow_custom_value", False):
        later = getattr(component, "offered_later", ())
        values = [*dict.fromkeys((*(value for _, value in component.choices), *later))]
        return f"one of {', '.join(map(str, values))}", Literal[tuple(values)]
    if chooses or isinstance(component, gr.Textbox):
        limits = Field(max_length=LONGEST_TEXT)
        return f"a text of at most {LONGEST_TEXT} characters", Annotated[StrictStr, limits]
    return "anything", Any
