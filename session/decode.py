"""Decoding of image files, in this process or, within limits, in one of its own.

    python -I session/decode.py SIDE SECONDS FILE ...

takes at most so many seconds of a processor. It writes for each file a line of JSON, which is
`{"size": [width, height]}` or `{"refused": reason}`, and after a size the pixels in RGB. It imports
nothing of the project, so that it starts within 0.1 s.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
"""No other decoder is ever run."""
MOST_MEMORY = 160_000_000
"""Bytes that decoding may take; an image that would take more is not decoded."""
BYTES_PER_PIXEL = {"JPEG": 4, "MPO": 4, "PNG": 10, "WEBP": 17, "GIF": 9}
"""What decoding takes at most where it is reduced, measured: progressive JPEG, PNG of 16 bits,
WebP; a GIF, of which only the first frame is decoded, takes less than a PNG. "MPO" is a JPEG with
further pictures, such as the depth of a telephone's portrait, of which the first is decoded."""
MOST_SCANS = 100
"""Of a progressive JPEG, each as long as the image is large; encoders write about ten."""
SCAN = b"\xff\xda"
"""How a scan begins; within one, 0xFF is never followed by 0xDA."""
SECONDS = 10
"""Of a processor, for all files that are decoded together."""
ADDRESS_SPACE = 1_000_000_000
"""Bytes of memory that the process may ask for, its libraries included."""


class UndecodableError(Exception):
    """A file is no image, too large or broken; the message names it."""


def decoded(file: Path, side: int | None) -> Image.Image:
    """The image in a file, upright and without transparency; its size is looked at first.

    Args:
        file: of one of `FORMATS`.
        side: pixels that the longer side is reduced to; None keeps the image as it is.

    Raises:
        UndecodableError: there is no such file, or it is no image, too large or broken.
    """
    try:
        with Image.open(file, formats=FORMATS) as image:
            _require_bounded(file, image)
            if side is not None:
                image.draft("RGB", (side, side))
            return _plain(image, side)
    except UndecodableError:
        raise
    except Image.DecompressionBombError as error:
        most = MOST_MEMORY // max(BYTES_PER_PIXEL.values())
        raise UndecodableError(_too_large(file, "far too many pixels", most)) from error
    except FileNotFoundError as error:
        raise UndecodableError(f'there is no file "{file}"') from error
    except UnidentifiedImageError as error:
        said = f'"{file.name}" is not a PNG, JPEG, WebP or GIF image; take it out or convert it'
        raise UndecodableError(said) from error
    except Exception as error:  # decoders raise whatever a broken file makes them raise
        said = f'"{file.name}" is broken and cannot be read to its end; take it out'
        raise UndecodableError(said) from error


def _require_bounded(file: Path, image: Image.Image) -> None:
    """Check what decoding would take, before it begins."""
    most = MOST_MEMORY // BYTES_PER_PIXEL[str(image.format)]
    if image.width * image.height > most:
        raise UndecodableError(_too_large(file, f"{image.width} x {image.height} pixels", most))
    if image.format in ("JPEG", "MPO") and file.read_bytes().count(SCAN) > MOST_SCANS:
        raise UndecodableError(
            f'"{file.name}" is a JPEG of over {MOST_SCANS} scans, which takes too long to decode; '
            "save it again"
        )


def _plain(image: Image.Image, side: int | None) -> Image.Image:
    """Upright, no larger than asked for, and on white where it is transparent."""
    if image.mode.startswith("I;16"):  # which a conversion would clip
        image = image.convert("I").point(lambda level: level / 256).convert("L")
    image = image.convert("RGBA") if image.mode == "P" else image
    if side is not None:
        image.thumbnail((side, side))
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    ground = Image.new("RGBA", upright.size, "white")
    return Image.alpha_composite(ground, upright).convert("RGB")


def _too_large(file: Path, size: str, most: int) -> str:
    limit = most // 1_000_000
    return (
        f'"{file.name}" has {size}; an image of its kind can have {limit} million, so make it '
        "smaller"
    )


def write_decoded(side: int, files: Sequence[str], out: BinaryIO) -> None:
    """Decode files one after the other, and write what came of each."""
    for file in map(Path, files):
        try:
            image = decoded(file, side)
            said, pixels = json.dumps({"size": image.size}), image.tobytes()
        except UndecodableError as error:
            said, pixels = json.dumps({"refused": str(error)}), b""
        out.write(said.encode() + b"\n" + pixels)
        out.flush()


if __name__ == "__main__":
    longest, seconds = map(int, sys.argv[1:3])
    os.nice(10)  # the models of others come first
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    write_decoded(longest, sys.argv[3:], sys.stdout.buffer)
