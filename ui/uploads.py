"""Uploaded image files, read safely: only known decoders, bounded sizes, upright, on white."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from session.errors import UnusableFileError

FORMATS = ("PNG", "JPEG", "WEBP")
"""No other decoder is ever run on them."""
MOST = 36
NAMED = 5
"""How many files that cannot be used are named."""
MOST_MEMORY = 160_000_000
"""Bytes that decoding may take; a picture that would take more is not decoded."""
BYTES_PER_PIXEL = {"JPEG": 4, "PNG": 9, "WEBP": 17}
"""What decoding takes at most, measured: progressive JPEG, PNG with transparency, WebP."""
SIDE = 512
"""Longer side in pixels of what is kept; the models look at less."""


def read_uploads(files: Sequence[str] | None, what: str = "pictures") -> list[Image.Image]:
    """The pictures of these files, upright, without transparency, at most `SIDE` pixels long.

    Args:
        files: where the server put them.
        what: how they are called when there are too many.

    Raises:
        UnusableFileError: there are over `MOST`, or some are no pictures, too large or broken; it
            names the first `NAMED` of them.
    """
    if len(files or ()) > MOST:
        raise UnusableFileError(f"there are {len(files or ())} {what}; there can be {MOST}")
    read = [_image_or_reason(Path(file)) for file in files or ()]
    reasons = [reason for reason in read if isinstance(reason, UnusableFileError)]
    if reasons:
        named, more = reasons[:NAMED], len(reasons) - NAMED
        raise UnusableFileError("; ".join([*map(str, named), *[f"and {more} more"] * (more > 0)]))
    return [image for image in read if isinstance(image, Image.Image)]


def _image_or_reason(file: Path) -> Image.Image | UnusableFileError:
    try:
        return read_upload(file)
    except UnusableFileError as error:
        return error


def read_upload(file: Path) -> Image.Image:
    """One of them; its size is looked at before it is decoded."""
    try:
        with Image.open(file, formats=FORMATS) as image:
            most = MOST_MEMORY // BYTES_PER_PIXEL[str(image.format)]
            if image.width * image.height > most:
                size = f"{image.width} x {image.height} pixels"
                raise UnusableFileError(_too_large(file, size, most))
            image.draft("RGB", (SIDE, SIDE))
            return _plain(image)
    except UnusableFileError:
        raise
    except Image.DecompressionBombError as error:
        most = MOST_MEMORY // max(BYTES_PER_PIXEL.values())
        raise UnusableFileError(_too_large(file, "far too many pixels", most)) from error
    except UnidentifiedImageError as error:
        said = f'"{file.name}" is not a PNG, JPEG or WebP picture; take it out or convert it'
        raise UnusableFileError(said) from error
    except Exception as error:  # decoders raise whatever a broken file makes them raise
        said = f'"{file.name}" is broken and cannot be read to its end; take it out'
        raise UnusableFileError(said) from error


def _plain(image: Image.Image) -> Image.Image:
    """Upright, small, and on white where it is transparent."""
    image.thumbnail((SIDE, SIDE))
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    ground = Image.new("RGBA", upright.size, "white")
    return Image.alpha_composite(ground, upright).convert("RGB")


def _too_large(file: Path, size: str, most: int) -> str:
    limit = most // 1_000_000
    return (
        f'"{file.name}" has {size}; a picture of its kind can have {limit} million, so make it '
        "smaller"
    )
