"""GenEval's protocol: what its metadata ask for, and whether detected objects satisfy it.

Source: Ghosh, Hajishirzi, Schmidt, "GenEval: An Object-Focused Framework for Evaluating
Text-to-Image Alignment" (NeurIPS 2023), and the evaluation script published with it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.stickers.detector import DetectedScene, Sticker
from session.errors import DataError

PARTS = ("single_object", "two_object", "counting", "colors", "position", "color_attr")
PLACES = ("left of", "right of", "above", "below")
OVERLAP = 0.1
"""Share of both objects' extents that is taken off their distance in each direction."""


@dataclass(frozen=True)
class RequiredObject:
    """Objects of one class that a picture must show."""

    name: str
    count: int = 1
    colour: str = ""
    """Empty for any."""
    place: tuple[str, int] | None = None
    """One of `PLACES`, and from which other required object."""


@dataclass(frozen=True)
class GenevalPrompt:
    """One line of GenEval's evaluation_metadata.jsonl."""

    prompt: str
    part: str
    """One of `PARTS`."""
    include: tuple[RequiredObject, ...]
    exclude: tuple[RequiredObject, ...] = ()
    """Of which there must be fewer than their count."""


def read_prompts(file: Path, limit: int | None = None) -> list[GenevalPrompt]:
    """The prompts of a file, at most `limit` of each part.

    Raises:
        DataError: the file is not there, or a line is not in GenEval's format.
    """
    if not file.is_file():
        raise DataError(
            f"no file {file}; GenEval's prompts are prompts/evaluation_metadata.jsonl of "
            "https://github.com/djghosh13/geneval"
        )
    lines = file.read_text(encoding="utf-8").splitlines()
    prompts = [_parse(file, number, line) for number, line in enumerate(lines, start=1)]
    return [p for part in PARTS for p in [p for p in prompts if p.part == part][:limit]]


def _parse(file: Path, number: int, line: str) -> GenevalPrompt:
    try:
        fields = json.loads(line)
        include, exclude = (
            tuple(map(_required, fields.get(name, ()))) for name in ("include", "exclude")
        )
        prompt = GenevalPrompt(fields["prompt"], fields["tag"], include, exclude)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{file}:{number} is not a line of GenEval's metadata ({error!r}); a line is "
            '{"tag": "single_object", "include": [{"class": "bench", "count": 1}], '
            '"prompt": "a photo of a bench"}'
        ) from error
    if prompt.part not in PARTS:
        raise DataError(f"{file}:{number} has the tag {prompt.part!r}; known: {', '.join(PARTS)}")
    return prompt


def _required(fields: Mapping[str, Any]) -> RequiredObject:
    place = fields.get("position")
    return RequiredObject(
        fields["class"],
        int(fields["count"]),
        fields.get("color", ""),
        (str(place[0]), int(place[1])) if place else None,
    )


def failure(prompt: GenevalPrompt, scene: DetectedScene) -> str:
    """Why a picture does not satisfy its prompt; "" when it does.

    Objects that nobody asked for do no harm, but for those that the prompt excludes. Of more
    objects than are asked for the first are looked at, in reading order: the detector gives no
    confidence to sort them by.
    """
    groups = [_found(scene, required.name)[: required.count] for required in prompt.include]
    for required, found in zip(prompt.include, groups, strict=True):
        if wrong := _wrong(required, found, groups):
            return wrong
    for excluded in prompt.exclude:
        if len(_found(scene, excluded.name)) >= excluded.count:
            return f"{excluded.count} or more of {excluded.name}"
    return ""


def _found(scene: DetectedScene, name: str) -> list[Sticker]:
    return [sticker for sticker in scene.stickers if sticker.name == name]


def _wrong(
    required: RequiredObject, found: Sequence[Sticker], groups: Sequence[Sequence[Sticker]]
) -> str:
    if len(found) < required.count:
        return f"{len(found)} instead of {required.count} of {required.name}"
    colours = [sticker.colour for sticker in found]
    if required.colour and colours.count(required.colour) < required.count:
        return f"{required.name} is {' and '.join(colours)} instead of {required.colour}"
    if required.place:
        place, other = required.place
        if not all(place in places(one, two) for one in found for two in groups[other]):
            return f"{required.name} is not {place} its neighbour"
    return ""


def places(one: Sticker, other: Sticker) -> frozenset[str]:
    """Where one object is from another; in a diagonal that may be two of `PLACES`.

    The distance of their middles in each direction, less a tenth of both extents, must be more
    than half of the whole distance.

    >>> left, right = Sticker("cat", "", "", 64, 0, 0), Sticker("dog", "", "", 64, 64, 0)
    >>> places(left, right)
    frozenset({'left of'})
    """
    right = one.x + one.size / 2 - other.x - other.size / 2
    down = one.y + one.size / 2 - other.y - other.size / 2
    distance = math.hypot(right, down)
    taken = OVERLAP * (one.size + other.size)
    shares = [
        math.copysign(max(abs(each) - taken, 0), each) / distance if distance else 0.0
        for each in (right, down)
    ]
    names = (("left of", "right of"), ("above", "below"))
    return frozenset(
        after if share > 0 else before
        for share, (before, after) in zip(shares, names, strict=True)
        if abs(share) > 1 / 2
    )
