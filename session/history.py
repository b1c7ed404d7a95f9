"""Finished runs, found again by their address: the last ones in memory, one person's on disk.

An address that was made is not made twice. The history of one person is an SQLite database, with
the images beside it:

    FOLDER/history.sqlite3     a row a run: address, report, and what the strip shows
    FOLDER/pictures/HASH.png   an image, named by its content

A run is there, and stays, once `save` has returned: its images are written before its row, and the
row is on the disk when it is committed.
"""

from __future__ import annotations

import base64
import io
import json
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from PIL import Image

from alignment.report import stored_report
from session.link import link_of
from session.state import GridState
from session.storage import ContentStore, load_image, replace_file, report_text

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


SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
    run TEXT PRIMARY KEY, saved REAL NOT NULL, address TEXT NOT NULL, prompt TEXT NOT NULL,
    first REAL, method TEXT NOT NULL, thumbnail TEXT NOT NULL, report TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS picture (
    run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, cell INTEGER NOT NULL, name TEXT,
    PRIMARY KEY (run, cell)
);
CREATE INDEX IF NOT EXISTS run_saved ON run (saved);
"""
OLDEST = "DELETE FROM run WHERE run NOT IN (SELECT run FROM run ORDER BY saved DESC LIMIT ?)"
NEWEST = "SELECT address, prompt, first, method, thumbnail FROM run ORDER BY saved DESC LIMIT 50"
THUMBNAIL = 96
"""The longer side in pixels."""


class Entry(NamedTuple):
    """What the history shows of a run."""

    address: str
    """The query that shows it again."""
    prompt: str
    first: float | None
    """The score of the picture in first place."""
    method: str
    """What it is scored by."""
    thumbnail: str
    """That picture, small, as a data URI; empty where it was filtered."""


def entry_of(state: GridState) -> Entry:
    """What the history shows of a finished run."""
    cell = state.arranged("reranked")[0]
    file, first = state.file(cell), state.value(cell)
    shown = thumbnail(load_image(file)) if file else ""
    return Entry(str(link_of(state)), state.prompt, first, state.ranked_by, shown)


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


def pictures_of(folder: Path) -> ContentStore:
    """The images of a history."""
    return ContentStore(folder / "pictures")


class History:
    """The runs of one person, kept until they are deleted or too many."""

    def __init__(
        self, folder: Path, most: int = 500, clock: Callable[[], float] = time.time
    ) -> None:
        """Open the history of a folder, or begin it.

        Raises:
            OSError, sqlite3.Error: it cannot be written, or is no history.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.most, self.clock = folder, most, clock
        self.pictures = pictures_of(folder)
        with self._connected() as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.executescript(SCHEMA)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        place = self.folder / "history.sqlite3"
        with closing(sqlite3.connect(place, timeout=20, isolation_level=None)) as database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("PRAGMA synchronous = FULL")
            yield database

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, committed where nothing fails; one at a time, images included."""
        with self._connected() as database, database:
            database.execute("BEGIN IMMEDIATE")
            yield database

    def save(self, state: GridState) -> None:
        """Keep a finished run; one with the same address gives way."""
        if state.report is None:
            raise ValueError("this run has no report yet; save it when it has finished")
        run = link_of(state).run
        row = (run, self.clock(), *entry_of(state), report_text(state, state.report))
        with self._changing() as database:
            names = [(run, cell, self._keep(state, cell)) for cell in range(state.size)]
            database.execute("DELETE FROM run WHERE run = ?", (run,))
            database.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            database.executemany("INSERT INTO picture VALUES (?, ?, ?)", names)
            database.execute(OLDEST, (self.most,))
        self._drop_pictures()

    def _keep(self, state: GridState, cell: int) -> str | None:
        """Copy an image, which is named by its content, and return that name."""
        file = None if cell in state.images.filtered else state.file(cell)
        if not file:
            return None
        place = self.pictures.folder / Path(file).name
        if not place.exists():
            replace_file(place, Path(file).read_bytes())
        return place.name

    def find(self, run: str) -> GridState | None:
        """The run of an address; None where it is not kept, or its images are gone."""
        with self._connected() as database:
            row = database.execute("SELECT report FROM run WHERE run = ?", (run,)).fetchone()
            names = database.execute("SELECT name FROM picture WHERE run = ? ORDER BY cell", (run,))
            files = [name and str(self.pictures.folder / name) for (name,) in names]
        if row is None or not all(Path(file).is_file() for file in filter(None, files)):
            return None
        return GridState.from_report(stored_report(json.loads(row[0])), tuple(files))

    def entries(self) -> list[Entry]:
        """The last runs, newest first."""
        with self._connected() as database:
            return [Entry(*row) for row in database.execute(NEWEST)]

    def delete(self, address: str) -> None:
        """Forget the run of an entry and the images that no other has."""
        with self._changing() as database:
            database.execute("DELETE FROM run WHERE address = ?", (address,))
        self._drop_pictures()

    def delete_all(self) -> None:
        """Forget every run, and give the space back."""
        with self._changing() as database:
            database.execute("DELETE FROM run")
        self._drop_pictures()
        with self._connected() as database:
            database.execute("VACUUM")

    def _drop_pictures(self) -> None:
        """Delete the images that belong to no run, after the rows are gone for good."""
        with self._changing() as database:
            kept = {name for (name,) in database.execute("SELECT DISTINCT name FROM picture")}
            for file in self.pictures.folder.glob("*"):
                if file.name not in kept:
                    file.unlink(missing_ok=True)
