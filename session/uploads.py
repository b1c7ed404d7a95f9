"""Image files that somebody hands in, read safely.

Only known decoders run, sizes are bounded, and images come out upright and on white. Those of a
visitor are decoded in a process of its own, one visitor's at a time, which takes no model's turn.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from PIL import Image

from session import decode
from session.errors import UnusableFileError
from session.run import reading

MOST = 36
NAMED = 5
"""How many files that cannot be used are named."""
SIDE = 512
"""Longer side in pixels of what is kept; the models look at less."""
POLL = 0.1
"""Seconds after which a run whose files are decoded looks whether it should go on."""


@dataclass(frozen=True)
class Uploads:
    """Files that were read."""

    images: tuple[Image.Image, ...] = ()
    names: tuple[str, ...] = ()
    """The name of each image's file."""
    refused: tuple[UnusableFileError, ...] = ()
    """Why each other file cannot be used; it is named."""

    def require_some(self) -> None:
        """Check that there is an image.

        Raises:
            UnusableFileError: no file can be used, and why not; it names the first `NAMED`.
        """
        if self.refused and not self.images:
            named, more = self.refused[:NAMED], len(self.refused) - NAMED
            said = [*map(str, named), *[f"and {more} more"] * (more > 0)]
            raise UnusableFileError("; ".join(said))


def read_uploads(files: Sequence[str] | None, what: str = "images") -> Uploads:
    """The images of these files, upright, without transparency, at most `SIDE` pixels long.

    Args:
        what: how they are called when there are too many.

    Raises:
        UnusableFileError: there are over `MOST`.
    """
    read = [
        (Path(file).name, each)
        for file, each in zip(files or (), read_each(files or (), what), strict=True)
    ]
    usable = [(name, each) for name, each in read if isinstance(each, Image.Image)]
    return Uploads(
        tuple(image for _, image in usable),
        tuple(name for name, _ in usable),
        tuple(each for _, each in read if isinstance(each, UnusableFileError)),
    )


def read_each(
    files: Sequence[str], what: str = "images", side: int = SIDE
) -> list[Image.Image | UnusableFileError]:
    """The image of each file, as `read_uploads` has it, or why it cannot be used.

    Raises:
        UnusableFileError: there are over `MOST`.
        RunEnded: the run that reads them may not go on.
    """
    if len(files) > MOST:
        raise UnusableFileError(f"there are {len(files)} {what}; there can be {MOST}")
    with reading() as check:
        return _decoded_apart(files, side, check) if files else []


def _decoded_apart(
    files: Sequence[str], side: int, check: Callable[[], None]
) -> list[Image.Image | UnusableFileError]:
    """The image of each file, decoded by a process that is killed where the run ends."""
    limits = [str(side), str(decode.SECONDS)]
    command = [sys.executable, "-I", decode.__file__, *limits, *files]
    with TemporaryFile() as out:
        with subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL) as process:  # noqa: S603
            try:
                while process.poll() is None:
                    check()
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(POLL)
            finally:
                process.kill()
        out.seek(0)
        return [*_read_back(out, files)]


def _read_back(out: IO[bytes], files: Sequence[str]) -> Iterator[Image.Image | UnusableFileError]:
    """What the process wrote of each file; it was ended at the first of which it wrote nothing."""
    for file in files:
        line = out.readline()
        said: dict[str, Any] = json.loads(line) if line.endswith(b"\n") else {}
        width, height = said.get("size", (0, 0))
        pixels = out.read(3 * width * height)
        if width and len(pixels) == 3 * width * height:
            yield Image.frombytes("RGB", (width, height), pixels)
        else:
            yield UnusableFileError(said.get("refused", _too_long(file)))


def _too_long(file: str) -> str:
    return (
        f'"{Path(file).name}" was not decoded: all files together may take {decode.SECONDS} s of a '
        "processor; take out the largest"
    )


def read_upload(file: Path, side: int | None = SIDE) -> Image.Image:
    """The image in a file of one's own, decoded here; its size is looked at before.

    Args:
        file: of one of `session.decode.FORMATS`.
        side: pixels that the longer side is reduced to; None keeps the image as it is.

    Raises:
        UnusableFileError: there is no such file, or it is no image, too large or broken.
    """
    try:
        return decode.decoded(file, side)
    except decode.UndecodableError as error:
        raise UnusableFileError(str(error)) from error
