"""Settings inside a PNG, as one line that other tools read and as JSON; revisions of models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo, putchunk
from pydantic import TypeAdapter

import generation
import hub
from alignment.errors import InvalidSettingsError
from generation import MODELS, InvalidRequestError
from generation.records import ImageSettings
from request import plain, read_plain

PARAMETERS = "parameters"
"""The keyword of the text that AUTOMATIC1111's web UI writes, and many tools read."""
SETTINGS = "which-picture-is-right"
"""The keyword of our own text."""
REPORT = "which-picture-is-right report"
"""The keyword of the report on the image."""
BEFORE_TEXTS = 33
"""Bytes of a PNG's signature and header."""


def png_text(settings: ImageSettings) -> PngInfo:
    """Both texts, for `Image.save(..., pnginfo=...)`."""
    info = PngInfo()
    info.add_text(PARAMETERS, parameters(settings))
    info.add_text(SETTINGS, settings_text(settings))
    return info


def settings_text(settings: ImageSettings) -> str:
    """The settings as JSON: the fields of the request, whose seed is `first_seed`, and the rest."""
    request = plain(settings.request)
    own = {name: value for name, value in vars(settings).items() if name != "request"}
    return json.dumps({**request, "first_seed": request["seed"], **own})


def parameters(settings: ImageSettings) -> str:
    r"""The settings as AUTOMATIC1111's web UI writes them: what the model read, then one line.

    >>> from generation import GridRequest, find_model
    >>> from generation.records import settings_of
    >>> settings = settings_of(GridRequest("a red car"), 0, find_model("sd-1.5"), "DDIMScheduler")
    >>> text, line = parameters(settings).split("\n")
    >>> text, line.startswith("Steps: 50, Sampler: DDIMScheduler, CFG scale: 7.5, Seed: 0, Size:")
    ('a red car', True)
    """
    named = {
        "Steps": settings.steps,
        "Sampler": settings.sampler,
        "CFG scale": settings.guidance,
        "Seed": settings.seed,
        "Size": f"{settings.size}x{settings.size}",
        "Model hash": settings.revision,
        "Model": settings.request.model,
    }
    line = ", ".join(
        f"{name}: {_quoted(str(value))}" for name, value in named.items() if value != ""
    )
    return f"{settings.given}\n{line}"


def with_report(png: bytes, report: str) -> bytes:
    """A PNG that holds a report, too; its pixels and its other texts stay as they are."""
    info, written = PngInfo(), BytesIO()
    info.add_itxt(REPORT, report, zip=True)
    for kind, data, *_ in info.chunks:
        putchunk(written, kind, data)
    return png[:BEFORE_TEXTS] + written.getvalue() + png[BEFORE_TEXTS:]


def read_text(file: str | Path, keyword: str) -> str:
    """A text in an image file, whose pixels are not decoded; empty where there is none.

    Raises:
        OSError: it is no PNG.
        ValueError: its texts are longer than Pillow reads.
    """
    with Image.open(file, formats=["PNG"]) as image:
        return str(image.info.get(keyword, ""))


def read_settings(file: str | Path) -> ImageSettings | None:
    """The settings in an image file; None where there are none. Their request is a `Request`.

    Raises:
        OSError: as `read_text`.
    """
    try:
        found = json.loads(read_text(file, SETTINGS) or "null")
        known = {"seed": found["first_seed"], "revision": known_revision(found["revision"])}
        request = read_plain({**found, **known, **_unusual(found)})
        return TypeAdapter(ImageSettings).validate_python({**found, "request": request})
    except (TypeError, KeyError, ValueError, InvalidRequestError, InvalidSettingsError):
        return None


def given_in(files: Sequence[str | None]) -> dict[int, str]:
    """Cell -> what the model was given for its image, where the file says so."""
    settings = {cell: read_settings(file) for cell, file in enumerate(files) if file}
    return {cell: known.given for cell, known in settings.items() if known}


def _unusual(found: Mapping[str, Any]) -> dict[str, Any]:
    """Steps and guidance that were asked for: those of the image that are not its model's own."""
    own, names = MODELS.get(found["model"]), ("steps", "guidance")
    return {
        name: found[name] if own and getattr(own, name) != found[name] else None for name in names
    }


def _quoted(value: str) -> str:
    """In quotes where a comma or a colon would end it."""
    return json.dumps(value) if {",", ":", "\n"} & {*value} else value


def revision_of(model: str) -> str:
    """Of a model's files on this machine, see `hub.revision`; empty where there are none."""
    spec = generation.MODELS.get(model)
    return known_revision(hub.revision(spec.source)) if spec else ""


def known_revision(revision: str) -> str:
    """A revision; empty where it is `hub.UNKNOWN`."""
    return "" if revision == hub.UNKNOWN else revision


def changed(model: str, revision: str) -> str:
    """A sentence where a model is not the one that made something; empty where that is not known.

    Args:
        revision: of its files then.

    >>> changed("icons", revision_of("icons")), changed("icons", "")
    ('', '')
    """
    here = revision_of(model)
    if not here or revision in ("", hub.UNKNOWN, here):
        return ""
    return (
        f"{model} has changed since this was made (revision {revision} then, {here} now): the same "
        "seeds give other images"
    )
