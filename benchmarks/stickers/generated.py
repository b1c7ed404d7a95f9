"""Prompts come in; how often a painter shows what they ask for goes out, as the judge reads it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import torch
from PIL.Image import Image

from benchmarks.stickers.detector import Judge, Seen, Sticker, read, to_pixels
from generation import GridRequest, ModelSpec, sample

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

PROMPTS = Path(__file__).parents[2] / "assets" / "benchmarks" / "prompts"
KINDS = ("one", "two", "count", "relation", "typed", "many")
"""One coloured thing, two, several of a kind, one beside another; as people type; several kinds."""
SEED = 4000
"""Of the first prompt; prompt k is painted from SEED + k."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Wanted:
    """Things that a prompt asks for; an empty field asks for nothing."""

    name: str
    count: int
    colour: str = ""
    state: str = ""
    size: str = ""
    at_least: bool = False
    """Whether there may be more of them: "frogs" are two or more."""

    def met(self, there: int) -> bool:
        """Whether so many of it are as many as wanted."""
        return there >= self.count if self.at_least else there == self.count


@dataclass(frozen=True)
class Wish:
    """A prompt, and what of it a painter of stickers should understand."""

    prompt: str
    kind: str
    """One of `KINDS`."""
    groups: tuple[Wanted, ...]
    relation: str = ""
    """Where the first thing should be from the second."""
    background: str = ""
    unknown: tuple[str, ...] = ()
    """Words that no sticker shows: with them there may be more in the picture."""


@dataclass(frozen=True)
class Painted:
    """A wish, its picture, and what the judge sees in it."""

    wish: Wish
    image: Image
    seen: Seen

    @property
    def right(self) -> bool:
        """Whether the picture shows what was asked for."""
        return fulfils(self.seen, self.wish)


def read_wishes(folder: Path = PROMPTS, limit: int | None = None) -> list[Wish]:
    """All prompts of the folder, at most `limit` of each kind."""
    wishes = [*_lines(folder / "held_out.jsonl"), *_lines(folder / "prompts.jsonl")]
    return first_of_each_kind(wishes, limit)


def first_of_each_kind(
    items: Sequence[Item],
    most: int | None,
    kind_of: Callable[[Item], str] = attrgetter("kind"),
    kinds: Sequence[str] = KINDS,
) -> list[Item]:
    """Kind after kind, its first items, at most so many; all of them for None."""
    return [item for kind in kinds for item in [i for i in items if kind_of(i) == kind][:most]]


def _lines(file: Path) -> Iterator[Wish]:
    for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        groups = tuple(Wanted(**group) for group in line["groups"])
        yield Wish(
            line["prompt"],
            line.get("kind", "typed"),
            groups,
            line["relation"],
            line["background"],
            tuple(line.get("unknown", ())),
        )


def fulfils(seen: Seen, wish: Wish) -> bool:
    """Whether a picture shows just what a wish asks for."""
    groups = [_matching(seen, wanted) for wanted in wish.groups]
    if not all(w.met(len(found)) for w, found in zip(wish.groups, groups, strict=True)):
        return False
    if wish.background not in ("", seen.background):
        return False
    if not wish.unknown and len(seen.stickers) != sum(map(len, groups)):
        return False
    return not wish.relation or relation(groups[0][0], groups[1][0]) == wish.relation


def _matching(seen: Seen, wanted: Wanted) -> list[Sticker]:
    sizes = {"": (32, 48, 64), "small": (32,), "large": (64,)}[wanted.size]
    return [
        sticker
        for sticker in seen.stickers
        if sticker.name == wanted.name
        and wanted.colour in ("", sticker.colour)
        and wanted.state in ("", sticker.state)
        and sticker.size in sizes
    ]


def relation(one: Sticker, other: Sticker) -> str:
    """Where one sticker is from another, "" where it is not plain to see."""
    right = one.x + one.size / 2 - other.x - other.size / 2
    down = one.y + one.size / 2 - other.y - other.size / 2
    if abs(right) > 2 * abs(down):
        return "right" if right > 0 else "left"
    if abs(down) > 2 * abs(right):
        return "below" if down > 0 else "above"
    return ""


@dataclass(frozen=True)
class Painter:
    """A pipeline and how it wants to be called."""

    pipeline: DiffusionPipeline
    spec: ModelSpec

    def grid(self, wish: Wish, shape: tuple[int, int], seed: int) -> list[Image]:
        """Pictures of one wish: rows x columns of them."""
        request = GridRequest(wish.prompt, *shape, seed, model=self.spec.name)
        *_, last = sample(request, self.pipeline, self.spec)
        return [cell.image for cell in last.cells]


def paint(wishes: Sequence[Wish], painter: Painter, judge: Judge) -> Iterator[Painted]:
    """A picture of each wish, read by the judge."""
    for index, wish in enumerate(wishes):
        (image,) = painter.grid(wish, (1, 1), SEED + index)
        yield Painted(wish, image, read(judge, to_pixels([image]))[0])


def sharpness(images: Sequence[Image], pipeline: DiffusionPipeline) -> float:
    """Peak signal-to-noise ratio of pictures that its autoencoder coded and decoded, in dB."""
    vae, squares = pipeline.vae, []
    for image in images:
        pixels = to_pixels([image])
        with torch.no_grad():
            coded = vae.encode(pixels.to(vae.device, vae.dtype)).latent_dist.mean
            decoded = vae.decode(coded).sample.float().cpu().clamp(-1, 1)
        squares.append(float(((decoded - pixels) / 2).square().mean()))
    return float(-10 * np.log10(np.mean(squares)))


def shares(painted: Iterable[Painted]) -> Mapping[str, float]:
    """Kind -> part of its pictures that are right."""
    found = [(each.wish.kind, each.right) for each in painted]
    asked = Counter(kind for kind, _ in found)
    right = Counter(kind for kind, good in found if good)
    return {kind: right[kind] / asked[kind] for kind in KINDS if asked[kind]}
