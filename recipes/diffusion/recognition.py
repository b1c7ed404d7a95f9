"""What of a generated image is there beyond doubt: what looks as the world draws it.

Every place where a thing that was asked for could stand is compared with all of its drawings: it
counts as shown where one of them fits, and as a smear where none does. In between, and wherever a
reader looked, it is what the reader saw; where none did, it is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recipes.diffusion.read_things import RECOGNISED, TOUCHING, UNSETTLED, ReadAs, ReadThing
from recipes.world.art import backdrop
from recipes.world.domains import Domain
from recipes.world.drawings import SIDES
from recipes.world.scenes import LATTICE, SIZE, Box, Group, Scene
from recipes.world.things import MOST, SIZES, World

SMEARED = 0.55
"""How much like its drawing a smear looks at most: readers recognised fewer than one in ten."""
HIDDEN = 0.45
"""How much like its drawing a thing looks at least that another hides in part, where a reader named
it."""
CLEAR = 0.9
"""From where on a thing that nobody read is shown: readers recognised nine in ten."""
REACH = 4
"""Pixels that a sticker may be away from where it would be drawn."""
APART = 0.75
"""How far the middles of two stickers are from one another at least, in sides of them."""


@dataclass(frozen=True)
class Detection:
    """A square of an image, and the sticker that it looks most like."""

    alike: float
    """The correlation of their edges, 1 for the sticker itself."""
    group: Group
    box: Box

    def covers(self, other: Detection) -> bool:
        """Whether there is room for only one of them."""
        room, more = self.box.size + other.box.size, self.box.size - other.box.size
        right, down = 2 * (self.box.x - other.box.x) + more, 2 * (self.box.y - other.box.y) + more
        return max(abs(right), abs(down)) < APART * room


def shown_in(
    image: Tensor,
    asked: Scene,
    domain: Domain,
    others: Sequence[Group],
    read: Sequence[ReadThing],
    read_as: ReadAs,
) -> Scene | None:
    """What an image shows, as its set was read; None where that is in doubt.

    Args:
        image: (3, 128, 128) in [-1, 1].
        asked: what it should show.
        domain: how it is drawn.
        others: things that it may show instead.
        read: what readers saw in it.
        read_as: "touching" where they saw pairs as a whole, else thing by thing.
    """
    if read_as == "touching":
        return recognise_pair(image, asked, domain, read)
    return recognise(image, asked.groups, domain, others, read)


def recognise(
    image: Tensor,
    asked: Sequence[Group],
    domain: Domain,
    others: Sequence[Group] = (),
    read: Sequence[ReadThing] = (),
    clear: float = CLEAR,
) -> Scene | None:
    """What of some things an image shows; None where that is in doubt.

    Args:
        image: (3, 128, 128) in [-1, 1].
        asked: what it should show. Their things are looked for, in every state and colour.
        domain: how they are drawn.
        others: things that it may show instead.
        read: what readers saw in it.
        clear: how much like its drawing a thing looks that counts as shown without a reader.
    """
    pixels = (image + 1) * 127.5
    background = _background_of(pixels, domain.world)
    names = dict.fromkeys(group.name for group in (*asked, *others))
    found: list[Detection] = []
    candidates = [each for name in names for each in _detections(pixels, name, background, domain)]
    for each in sorted(candidates, key=lambda each: -each.alike):
        if not any(map(each.covers, found)):
            found.append(each)
    letters = [
        _letter(each, read, RECOGNISED if each.alike >= clear else UNSETTLED) for each in found
    ]
    shown = [each for each, letter in zip(found, letters, strict=True) if letter == RECOGNISED]
    if len(shown) > MOST or UNSETTLED in letters:
        return None
    return _assemble([_coloured(each, pixels, domain) for each in shown], background)


def recognise_pair(
    image: Tensor, asked: Scene, domain: Domain, read: Sequence[ReadThing]
) -> Scene | None:
    """What readers saw of two things that may touch; None where nobody looked, or nobody can tell.

    Where things touch, edges do not tell what is there, only where what a reader named is.

    Args:
        image: (3, 128, 128) in [-1, 1].
        asked: what it should show.
        domain: how it is drawn.
        read: the things that are there, and whether they touch.
    """
    if not read:
        return None
    touching = {each.letter for each in read if each.name == TOUCHING} == {RECOGNISED}
    pixels = (image + 1) * 127.5
    background = _background_of(pixels, domain.world)
    things = [each for each in read if each.name != TOUCHING]
    places = [_most_alike(pixels, each, background, domain) for each in things]
    found = [_coloured(each, pixels, domain) for each in places if each]
    if len(found) < len(things):
        return None
    names = [group.name for group in asked.groups]
    found.sort(key=lambda each: names.index(each.group.name))
    scene = _assemble(found, background)
    if not touching or {each.name for each in scene.groups} != {*names}:
        return scene
    single = [group.count for group in scene.groups] == [1, 1]
    return replace(scene, touching=asked.touching) if asked.touching and single else None


def _most_alike(
    pixels: Tensor, thing: ReadThing, background: str, domain: Domain
) -> Detection | None:
    """Where a thing is that a reader named."""
    places = _detections(pixels, thing.name, background, domain, HIDDEN)
    near = (each for each in places if thing.is_at(thing.name, each.box.x, each.box.y))
    return max(near, key=lambda each: each.alike, default=None)


def _letter(found: Detection, read: Sequence[ReadThing], unread: str) -> str:
    """What a reader saw there, else what is said of things that nobody read."""
    name, box = found.group.name, found.box
    return next((each.letter for each in read if each.is_at(name, box.x, box.y)), unread)


def _background_of(pixels: Tensor, world: World) -> str:
    """The background that most of an image looks like, of pixels in [0, 255]."""
    return min(world.backgrounds, key=lambda name: float((pixels - _empty(name)).abs().median()))


def _detections(
    pixels: Tensor, name: str, background: str, domain: Domain, least: float = SMEARED
) -> Iterator[Detection]:
    """The places of an image, of each size of sticker, with the look of a thing that fits best."""
    looks = _looks(name, domain.world)
    empty = _empty(background)
    image = functional.pad(_edges(pixels - empty), (REACH // 2,) * 4)
    for side in SIDES:
        coloured, opacity = _drawn(domain, looks, side)
        for top in range(0, SIZE - side + 1, LATTICE):
            drawn = coloured - _edges(opacity * empty[:, top : top + side, :side])
            strip = image[:, top // 2 : (top + side) // 2 + REACH]
            best, which = _correlation(strip, drawn).max(0)
            peaks = (functional.max_pool2d(best[None], 5, 1, 2)[0] == best) & (best > least)
            for down, right in peaks.nonzero().tolist():
                corner = 2 * right - REACH, top + 2 * down - REACH
                x, y = (min(max(each, 0), SIZE - side) for each in corner)
                look = looks[int(which[down, right])]
                yield Detection(float(best[down, right]), look, Box(x, y, side))


def _coloured(found: Detection, pixels: Tensor, domain: Domain) -> Detection:
    """The same with the colour of what is there, of which edges say little."""
    left, top, side = found.box.x, found.box.y, found.box.size
    there = pixels[:, top : top + side, left : left + side]

    def apart(look: Group) -> float:
        stamp = _stamp(domain, look, side)
        return float((stamp[3:] * (stamp[:3] - there).abs()).sum() / stamp[3:].sum())

    seen = found.group
    looks = _looks(seen.name, domain.world)
    same = [e for e in looks if (e.state, e.drawing) == (seen.state, seen.drawing)]
    return replace(found, group=min(same, key=apart))


def _correlation(image: Tensor, drawn: Tensor) -> Tensor:
    """How much each place of an image is like some drawings: (drawings, rows, columns)."""
    power = functional.conv2d((image**2).sum(0)[None, None], torch.ones_like(drawn[:1, :1]))
    lengths = (drawn**2).sum((1, 2, 3))[:, None, None]
    return functional.conv2d(image[None], drawn)[0] / (lengths * (power[0] + 1)).sqrt()


def _looks(name: str, world: World) -> tuple[Group, ...]:
    """Every way in which a thing may have been drawn."""
    thing = world.thing(name)
    colours = dict.fromkeys((thing.natural, *world.colours))
    return tuple(
        Group(name, colour, state, drawing=way)
        for state, drawings in thing.drawings.items()
        for way in range(len(drawings))
        for colour in (colours if thing.recolourable else ("",))
    )


@cache
def _drawn(domain: Domain, looks: tuple[Group, ...], side: int) -> tuple[Tensor, Tensor]:
    """The edges of stickers on black, (n, 6, side / 2, side / 2), and their opacity."""
    stamps = torch.stack([_stamp(domain, look, side) for look in looks])
    opacity = stamps[:, 3:] / 255
    return _edges(opacity * stamps[:, :3]), opacity


def _stamp(domain: Domain, look: Group, side: int) -> Tensor:
    stamp = np.array(domain.stamp(look, side), np.float32)
    return torch.from_numpy(stamp).permute(2, 0, 1)


@cache
def _empty(background: str) -> Tensor:
    return torch.from_numpy(np.array(backdrop(background), np.float32)).permute(2, 0, 1)


def _edges(difference: Tensor) -> Tensor:
    """Steps right and down of halved images: (..., 6, height / 2, width / 2)."""
    half = functional.avg_pool2d(difference, 2)
    right = functional.pad(half.diff(dim=-1), (0, 1, 0, 0))
    return torch.cat([right, functional.pad(half.diff(dim=-2), (0, 0, 0, 1))], -3)


def _assemble(found: Sequence[Detection], background: str) -> Scene:
    """Stickers as a scene, those of the same looks in one group."""
    said = {pixels: name for name, pixels in SIZES.items()} if len(found) <= 2 else {}
    looks = [replace(each.group, drawing=0, size=said.get(each.box.size, "")) for each in found]
    kinds = tuple(dict.fromkeys(looks))
    boxes = tuple(
        tuple(each.box for each, look in zip(found, looks, strict=True) if look == kind)
        for kind in kinds
    )
    groups = tuple(replace(kind, count=looks.count(kind)) for kind in kinds)
    return Scene(groups, boxes, background)
