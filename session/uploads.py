"""Image files that somebody hands in, read safely.

Only known decoders run, sizes are bounded, and images come out upright and on white.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from session.errors import UnusableFileError

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
"""No other decoder is ever run on them."""
MOST = 36
NAMED = 5
"""How many files that cannot be used are named."""
MOST_MEMORY = 160_000_000
"""Bytes that decoding may take; a picture that would take more is not decoded."""
BYTES_PER_PIXEL = {"JPEG": 4, "PNG": 9, "WEBP": 17, "GIF": 9}
"""What decoding takes at most, measured: progressive JPEG, PNG with transparency, WebP; a GIF, of
which only the first frame is decoded, takes less than a PNG."""
SIDE = 512
"""Longer side in pixels of what is kept; the models look at less."""


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
            raise self._complaint

    @property
    def _complaint(self) -> UnusableFileError:
        named, more = self.refused[:NAMED], len(self.refused) - NAMED
        said = [*map(str, named), *[f"and {more} more"] * (more > 0)]
        return UnusableFileError("; ".join(said))


def read_uploads(files: Sequence[str] | None, what: str = "pictures") -> Uploads:
    """The pictures of these files, upright, without transparency, at most `SIDE` pixels long.

    Args:
        files: where they are.
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
    files: Sequence[str], what: str = "pictures"
) -> list[Image.Image | UnusableFileError]:
    """The picture of each file, as `read_uploads` has it, or why it cannot be used.

    Raises:
        UnusableFileError: there are over `MOST`.
    """
    if len(files) > MOST:
        raise UnusableFileError(f"there are {len(files)} {what}; there can be {MOST}")
    return [_image_or_reason(Path(file)) for file in files]


def _image_or_reason(file: Path) -> Image.Image | UnusableFileError:
    try:
        return read_upload(file)
    except UnusableFileError as error:
        return error


def read_upload(file: Path, side: int | None = SIDE) -> Image.Image:
    """The image in a file; its size is looked at before it is decoded.

    Args:
        file: of one of `FORMATS`.
        side: pixels that the longer side is reduced to; None keeps the image as it is.

    Raises:
        UnusableFileError: there is no such file, or it is no picture, too large or broken.
    """
    try:
        with Image.open(file, formats=FORMATS) as image:
            most = MOST_MEMORY // BYTES_PER_PIXEL[str(image.format)]
            if image.width * image.height > most:
                size = f"{image.width} x {image.height} pixels"
                raise UnusableFileError(_too_large(file, size, most))
            if side is not None:
                image.draft("RGB", (side, side))
            return _plain(image, side)
    except UnusableFileError:
        raise
    except Image.DecompressionBombError as error:
        most = MOST_MEMORY // max(BYTES_PER_PIXEL.values())
        raise UnusableFileError(_too_large(file, "far too many pixels", most)) from error
    except FileNotFoundError as error:
        raise UnusableFileError(f'there is no file "{file}"') from error
    except UnidentifiedImageError as error:
        said = f'"{file.name}" is not a PNG, JPEG, WebP or GIF picture; take it out or convert it'
        raise UnusableFileError(said) from error
    except Exception as error:  # decoders raise whatever a broken file makes them raise
        said = f'"{file.name}" is broken and cannot be read to its end; take it out'
        raise UnusableFileError(said) from error


def _plain(image: Image.Image, side: int | None) -> Image.Image:
    """Upright, no larger than asked for, and on white where it is transparent."""
    image = image.convert("RGBA") if image.mode == "P" else image
    if side is not None:
        image.thumbnail((side, side))
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    ground = Image.new("RGBA", upright.size, "white")
    return Image.alpha_composite(ground, upright).convert("RGB")


def _too_large(file: Path, size: str, most: int) -> str:
    limit = most // 1_000_000
    return (
        f'"{file.name}" has {size}; a picture of its kind can have {limit} million, so make it '
        "smaller"
    )
