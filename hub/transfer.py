"""A transfer from the hub: it goes on in a thread of its own, for all who wait for the same.

The hub's own library waits for minutes, or for ever, on a hub that says nothing. Whoever waits here
reports twice a second, may leave at any moment, and gives the hub up once nothing arrives.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hub.errors import HubUnreachableError
from hub.hardware import readable_size

if TYPE_CHECKING:
    from tqdm.auto import tqdm

Value = TypeVar("Value")

EVERY = 0.5
"""Seconds between two reports."""
SILENCE, LULL = 20.0, 120.0
"""Seconds without any answer after which the hub is given up, and without a new byte; the hub's
library counts those of a fast connection ten million at a time."""
BRIEF, SLOWEST = 60.0, 50_000
"""A transfer may take so many seconds, and a second more for each so many bytes."""


@dataclass(frozen=True)
class Download:
    """How far the download of a repository has come."""

    repository: str
    done: int
    """Bytes that have arrived."""
    total: int
    """Bytes in all, without the files that were here before; 0 while that is asked."""
    seconds: float
    """Since it began."""
    over: bool = False
    """Whether this is the last that is said of it."""

    def __str__(self) -> str:
        """>>> print(Download("stabilityai/sd-turbo", 1_300_000_000, 2_600_000_000, 20.0))
        stabilityai/sd-turbo: 1.3 GB of 2.6 GB, 65 MB/s
        >>> print(Download("stabilityai/sd-turbo", 0, 0, 3.2))
        stabilityai/sd-turbo: waiting for the hub, 3 s
        """
        if not self.total:
            return f"{self.repository}: waiting for the hub, {self.seconds:.0f} s"
        speed = self.done / self.seconds / 1e6 if self.seconds else 0.0
        done, total = readable_size(self.done), readable_size(self.total)
        return f"{self.repository}: {done} of {total}, {speed:.0f} MB/s"


Report = Callable[[Download], None]


class Transfer:
    """What is transferred, how far it has come, and when something was last heard of it."""

    def __init__(self, repository: str, names: tuple[str, ...]) -> None:
        """It begins now; `repository` is a hub id, `names` are those of its files."""
        self.repository, self.names = repository, names
        self.total = self.done = 0
        self.result: Future[Any] = Future()
        self.began = self.heard = time.monotonic()
        self.given_up = False
        self._stored = 0

    def run(self, work: Callable[[Transfer], Any]) -> None:
        """Do the work, whose outcome is `result`."""
        try:
            self.result.set_result(work(self))
        except BaseException as error:
            self.result.set_exception(error)

    def progress(self, *, over: bool = False) -> Download:
        """How far it has come."""
        seconds = time.monotonic() - self.began
        return Download(self.repository, self.done, self.total, seconds, over)

    def require_alive(self) -> None:
        """Give the hub up where it has been silent, or slow, for too long.

        Raises:
            HubUnreachableError: it is given up.
        """
        now, stored = time.monotonic(), _stored(self.repository)
        if stored != self._stored:  # by another process, perhaps, which this one waits for
            self._stored, self.heard = stored, now
        patience = LULL if self.total else SILENCE
        if now - self.heard > patience:
            self._give_up(f"has said nothing for {patience:.0f} s")
        if now - self.began > BRIEF + self.total / SLOWEST:
            self._give_up("is too slow to wait for")

    def _give_up(self, why: str) -> None:
        self.given_up = True
        raise HubUnreachableError(
            f"the Hugging Face hub {why} when asked for {self.repository}; try again later, or "
            "choose a model that is stored here"
        )

    def bar(self) -> type[tqdm[Any]]:
        """A progress bar that shows nothing and counts the bytes of all files together here."""
        from tqdm.auto import tqdm

        transfer = self

        class Bytes(tqdm):
            def __init__(self, *args: Any, **options: Any) -> None:
                options |= {"disable": False, "file": io.StringIO()}
                options.pop("name", None)
                super().__init__(*args, **options)

            def update(self, n: float | None = 1) -> bool | None:
                shown: bool | None = super().update(n)
                if self.unit == "B" and self.n:
                    transfer.heard = time.monotonic()
                    transfer.done = max(transfer.done, min(int(self.n), transfer.total))
                if transfer.given_up:
                    raise HubUnreachableError(f"{transfer.repository} was given up")
                return shown

        return Bytes


_joining = threading.Lock()
_under_way: dict[tuple[Any, ...], Transfer] = {}


def transfer(
    work: Callable[[Transfer], Value], repository: str, names: tuple[str, ...], report: Report
) -> Value:
    """Wait for a piece of work with the hub, one that is under way already where there is any.

    Args:
        work: what is to be done; it may go on in its thread after this has returned or raised.
        repository: a hub id.
        names: of the files that are transferred.
        report: is told twice a second how far the work has come, and once that it is over; what it
            raises ends the waiting.

    Raises:
        HubUnreachableError: the hub says nothing for `SILENCE` or `LULL` seconds, or is too slow.
    """
    joined = _joined(work, repository, names)
    told = False
    try:
        while not wait([joined.result], EVERY).done:
            told = True
            report(joined.progress())
            joined.require_alive()
    finally:
        if joined.given_up or joined.result.done():
            with _joining:
                _under_way.pop((work, repository, names), None)
        if told or joined.total:
            report(joined.progress(over=True))
    value: Value = joined.result.result()
    return value


def _joined(work: Callable[[Transfer], Any], repository: str, names: tuple[str, ...]) -> Transfer:
    with _joining:
        key = (work, repository, names)
        found = _under_way.get(key)
        if found is None or found.result.done():
            found = _under_way[key] = Transfer(repository, names)
            threading.Thread(target=found.run, args=[work], name="hub", daemon=True).start()
        return found


def _stored(repository: str) -> int:
    """Bytes of a repository's files that have arrived in part."""
    from huggingface_hub import constants

    folder = Path(constants.HF_HUB_CACHE) / f"models--{repository.replace('/', '--')}" / "blobs"
    size = 0
    for part in folder.glob("*.incomplete"):
        with suppress(FileNotFoundError):  # it is whole by now
            size += part.stat().st_size
    return size
