"""Finished runs, found again by their address while they are kept; and what a browser lists.

An address that was made is not made twice.
"""

from __future__ import annotations

import base64
import io
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from PIL import Image

from session.link import link_of
from session.state import GridState
from session.storage import load_image

T = TypeVar("T")


def is_whole(state: GridState) -> bool:
    """Whether a run gives all that its address asks for: made here, scored, no image missing."""
    here = bool(state.request.model) and not state.opened
    return here and bool(state.report) and not state.missing


class Recent(Generic[T]):
    """The results used last, in memory, by the address that asks for them.

    An address says all that its images are made from, so a result is the same whoever asked for it.
    """

    def __init__(
        self,
        files: Callable[[T], Iterable[str | None]],
        most: int = 64,
        always: Mapping[str, T] = MappingProxyType({}),
    ) -> None:
        """Keep some.

        Args:
            always: address -> result, of those that stay beside them, such as worked examples.
        """
        self._files, self._most, self._always = files, most, always
        self._results: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def save(self, address: str, result: T) -> None:
        """Keep a result; beyond the most, that which was used least recently goes."""
        with self._lock:
            self._results[address] = result
            self._results.move_to_end(address)
            while len(self._results) > self._most:
                self._results.popitem(last=False)

    def stays(self, address: str) -> bool:
        """Whether the result of an address is one of those that always stay."""
        return address in self._always

    def find(self, address: str) -> T | None:
        """The result of an address; None where it is not kept, or its images were swept."""
        with self._lock:
            result = self._results.get(address)
            if result is not None:
                self._results.move_to_end(address)
        known = (each for each in (result, self._always.get(address)) if each is not None)
        return next((each for each in known if _all_there(self._files(each))), None)


def recent_runs(always: Iterable[GridState] = (), most: int = 64) -> Recent[GridState]:
    """The runs used last, by the run of their link."""
    stay = {link_of(state).run: state for state in always}
    return Recent(lambda state: state.images.files, most, stay)


def _all_there(files: Iterable[str | None]) -> bool:
    return all(Path(file).is_file() for file in files if file)


THUMBNAIL = 96
"""The longer side in pixels."""


class Entry(NamedTuple):
    """What the history shows of a run."""

    address: str
    """The query that shows it again."""
    prompt: str
    first: float | None
    """The score of the image in first place."""
    thumbnail: str
    """That image, small, as a data URI; empty where it was filtered."""


def entry_of(state: GridState) -> Entry:
    """What the history shows of a finished run."""
    cell = state.arranged("reranked")[0]
    file, first = state.file(cell), state.value(cell)
    shown = thumbnail(load_image(file)) if file else ""
    return Entry(str(link_of(state)), state.prompt, first, shown)


def thumbnail(image: Image.Image) -> str:
    """A small JPEG as a data URI.

    >>> thumbnail(Image.new("RGB", (500, 300)))[:23]
    'data:image/jpeg;base64,'
    """
    small = image.convert("RGB")
    small.thumbnail((THUMBNAIL, THUMBNAIL))
    written = io.BytesIO()
    small.save(written, "jpeg", quality=80)
    return f"data:image/jpeg;base64,{base64.b64encode(written.getvalue()).decode()}"
