"""Pictures of the text-to-image model, and what of it can be recognised: right ones and smears.

Some are generated as the page generates them, some from a drawing of what is asked for; others are
spoiled on the way: cut short, guided too far, begun for one prompt and ended for another. The
detector says what is where; a thing counts as
shown when the picture there looks as the world draws it, and as a smear when it does not. Pictures
with a thing in between are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track
from torch import Tensor

from benchmarks.stickers.detector import DetectedScene, Detector, Sticker, detect, load_detector
from recipes.diffusion.canonical_layout import canonical_layout
from recipes.diffusion.distillation import student_sigmas
from recipes.diffusion.pipeline import read_pipeline
from recipes.diffusion.text_encoder import caption_of
from recipes.diffusion.trajectories import encode_prompts
from recipes.world.art import backdrop, photographs, sticker
from recipes.world.captions import Description
from recipes.world.domains import FREE_STICKERS
from recipes.world.held_out_pictures import to_scene
from recipes.world.scenes import SIZE, Box, Group, Scene
from recipes.world.things import PRACTICE_WORLD, SIZES

FOLDER = Path("runs/generated-pictures")
SHARD = 500
"""Pictures in one file."""
STEPS = 4
AT_ONCE = 25
WAYS = ("whole", "begun", "short", "guided", "between", "changed")
"""How pictures come about: as they should; from the drawn picture, noised to where one of the last
steps begins, so that what the model rarely draws well is there, too; or cut short after one to
three steps, guided, from a text between two, or led by a second text from some step on."""
CHANCES = (1 / 3, 1 / 3, *[1 / 12] * 4)
"""Of each way."""
CLEAR, SMEARED = 0.78, 0.55
"""How much like its drawing a thing that is shown looks at least, and a smear at most."""
SHIFTS = (-2, 0, 2)
FAULTY = 0.5
"""How many of those drawn in a step lack something that was asked for; of all a third do."""


@dataclass(frozen=True)
class GeneratedPicture:
    """What a picture was asked to show, and what of it is there."""

    asked: Description
    shown: Scene
    """Without its smears."""
    way: str
    """One of `WAYS`."""

    @property
    def lacks(self) -> bool:
        """Whether a thing that was asked for is not there, or not as often."""
        for asked in self.asked.groups:
            seen = self.shown.group(asked.name)
            if not seen or seen.count != asked.count or asked.colour not in ("", seen.colour):
                return True
        return False


@dataclass(frozen=True, eq=False)
class GeneratedSet:
    """Pictures, and what is known of each."""

    pictures: tuple[GeneratedPicture, ...]
    pixels: Tensor
    """(n, 3, 128, 128), bytes."""

    @cached_property
    def chances(self) -> NDArray[Any]:
        """How often each is drawn."""
        faulty = np.array([each.lacks for each in self.pictures])
        share = FAULTY if 0 < faulty.sum() < len(faulty) else faulty.mean()
        chances: NDArray[Any] = np.where(
            faulty, share / max(1, faulty.sum()), (1 - share) / max(1, (~faulty).sum())
        )
        return chances

    def draw(self, rng: np.random.Generator, count: int) -> tuple[list[GeneratedPicture], Tensor]:
        """Some of them, in [-1, 1], every other mirrored, so that fewer are learned by heart."""
        chosen = rng.choice(len(self.pictures), size=count, p=self.chances)
        pixels = self.pixels[torch.from_numpy(chosen)].float() / 127.5 - 1
        mirrored = rng.random(count) < 0.5
        pixels[mirrored] = pixels[mirrored].flip(-1)
        pictures = [self.pictures[index] for index in chosen]
        return [
            replace(each, shown=mirror(each.shown)) if turned else each
            for each, turned in zip(pictures, mirrored, strict=True)
        ], pixels


@dataclass(frozen=True, eq=False)
class Painter:
    """The pipeline, step by step, so that its pictures can be spoiled."""

    pipeline: Any

    @torch.no_grad()
    def paint(
        self, rng: np.random.Generator, prompts: list[str], way: str, drawn: Tensor
    ) -> Tensor:
        """A picture of each prompt, (n, 3, 128, 128) in [-1, 1], as are the drawn ones."""
        said = encode_prompts(self.pipeline, prompts)
        other = encode_prompts(self.pipeline, [*prompts[1:], prompts[0]])
        if way == "between":
            said = torch.lerp(said, other, float(rng.uniform(0.3, 0.5)))
        last = int(rng.integers(1, STEPS))
        unet = self.pipeline.unet.config
        shape = len(prompts), unet.in_channels, unet.sample_size, unet.sample_size
        latents = torch.from_numpy(rng.standard_normal(shape, dtype=np.float32))
        sigmas = student_sigmas(self.pipeline, STEPS)
        vae = self.pipeline.vae
        if way == "begun":
            clean = vae.encode(drawn).latent_dist.mean * vae.config.scaling_factor
            latents = torch.lerp(clean, latents, sigmas[last])
        for step in range(last if way == "begun" else 0, STEPS):
            words = other if way == "changed" and step >= last else said
            flow = self._flow(latents, sigmas[step], words)
            if way == "guided":
                null = encode_prompts(self.pipeline, [""]).expand_as(words)
                flow = flow + rng.uniform(1, 3) * (flow - self._flow(latents, sigmas[step], null))
            if way == "short" and step == last - 1:
                latents = latents - sigmas[step] * flow
                break
            latents = latents - (sigmas[step] - sigmas[step + 1]) * flow
        decoded: Tensor = vae.decode(latents / vae.config.scaling_factor).sample.clamp(-1, 1)
        return decoded

    def _flow(self, latents: Tensor, sigma: Tensor, words: Tensor) -> Tensor:
        flow: Tensor = self.pipeline.unet(latents, (sigma * 1000).long(), words).sample
        return flow


def likeness(picture: NDArray[Any], seen: Sticker, background: str) -> float:
    """How much a place of a picture looks like a sticker: the correlation of their edges.

    Args:
        picture: (128, 128, 3), in [0, 255].
    """
    stamp = np.asarray(sticker(seen.name, seen.colour, seen.state, seen.size), np.float32)
    opacity, back = stamp[..., 3:] / 255, np.asarray(backdrop(background), np.float32)
    padded = np.pad(picture - back, ((2, 2), (2, 2), (0, 0)), mode="edge")
    found = []
    for down in SHIFTS:
        for right in SHIFTS:
            top, left = seen.y + 2 + down, seen.x + 2 + right
            there = padded[top : top + seen.size, left : left + seen.size]
            under = back[seen.y : seen.y + seen.size, seen.x : seen.x + seen.size]
            found.append(_correlation(_edges(opacity * (stamp[..., :3] - under)), _edges(there)))
    return max(found)


def _edges(difference: NDArray[Any]) -> NDArray[Any]:
    """Steps right and down of the halved picture."""
    side = len(difference) // 2
    half = difference.reshape(side, 2, side, 2, 3).mean((1, 3))
    return np.concatenate([np.diff(half, axis=0).ravel(), np.diff(half, axis=1).ravel()])


def _correlation(one: NDArray[Any], other: NDArray[Any]) -> float:
    return float(one @ other / np.sqrt((one @ one) * (other @ other) + 1e-6))


def recognise(picture: Tensor, seen: DetectedScene, asked: Description) -> Scene | None:
    """What of a picture is there beyond doubt; None where something is doubtful."""
    pixels = (picture.permute(1, 2, 0).numpy() + 1) * 127.5
    shown = []
    for found in seen.stickers:
        if max(found.x, found.y) + found.size > len(pixels):
            return None
        looks = {found, *_as_asked(found, asked)}
        alike = {look: likeness(pixels, look, seen.background) for look in looks}
        best = max(alike, key=lambda look: (alike[look], look.colour))
        if SMEARED < alike[best] < CLEAR:
            return None
        shown += [best] if alike[best] >= CLEAR else []
    scene = assemble(shown, seen.background)
    names = [group.name for group in scene.groups]
    return scene if len(shown) <= PRACTICE_WORLD.most and len(names) == len({*names}) else None


def _as_asked(found: Sticker, asked: Description) -> Iterator[Sticker]:
    """The same sticker with the looks of each thing that was asked for."""
    for group in asked.groups:
        thing = PRACTICE_WORLD.thing(group.name)
        colour = (group.colour or found.colour) if thing.hue is not None else ""
        for state in [group.state] if group.state else thing.icons:
            yield replace(found, name=group.name, colour=colour, state=state)


def assemble(stickers: list[Sticker], background: str) -> Scene:
    """Stickers as a scene, those of the same looks in one group."""
    said = {pixels: name for name, pixels in SIZES.items()} if len(stickers) <= 2 else {}
    looks = [(s.name, s.colour, s.state, said.get(s.size, "")) for s in stickers]
    kinds = list(dict.fromkeys(looks))
    groups = [Group(*kind[:3], looks.count(kind), kind[3]) for kind in kinds]
    boxes = [
        tuple(
            Box(s.x, s.y, s.size) for s, look in zip(stickers, looks, strict=True) if look == kind
        )
        for kind in kinds
    ]
    return Scene(tuple(groups), tuple(boxes), background)


def mirror(scene: Scene) -> Scene:
    """The scene with left and right exchanged.

    >>> mirror(Scene((Group("cat"),), ((Box(10, 32, 48),),), "grass")).boxes
    ((Box(x=70, y=32, size=48),),)
    """
    turned = [[replace(b, x=SIZE - b.x - b.size) for b in boxes] for boxes in scene.boxes]
    return replace(scene, boxes=tuple(map(tuple, turned)))


def generate(
    painter: Painter, detector: Detector, rng: np.random.Generator
) -> Iterator[tuple[GeneratedPicture, Tensor]]:
    """A batch of pictures of which it is known what they show."""
    way = str(rng.choice(WAYS, p=CHANCES))
    scenes = [canonical_layout(FREE_STICKERS.sample(rng, None)) for _ in range(AT_ONCE)]
    captions = [caption_of(rng, scene, FREE_STICKERS) for scene in scenes]
    pictures = painter.paint(rng, [caption.text for caption in captions], way, photographs(scenes))
    for caption, picture, seen in zip(captions, pictures, detect(detector, pictures), strict=True):
        shown = recognise(picture, seen, caption.claim)
        if shown is not None:
            yield (
                GeneratedPicture(caption.claim, shown, way),
                ((picture + 1) * 127.5).round().byte(),
            )


def write_set(pipeline: Path, folder: Path, count: int, seed: int = 0) -> Path:
    """Generate `count` pictures; what is in the folder is not generated again."""
    folder.mkdir(parents=True, exist_ok=True)
    painter, detector = Painter(read_pipeline(pipeline)), load_detector()
    for index in track(range(-(-count // SHARD)), "generating pictures"):
        file = folder / f"pictures-{index:02}.pt"
        if not file.exists():
            rng = np.random.default_rng((seed, index))
            _store(file, _some(painter, detector, rng, min(SHARD, count - index * SHARD)))
    return folder


def _some(
    painter: Painter, detector: Detector, rng: np.random.Generator, count: int
) -> list[tuple[GeneratedPicture, Tensor]]:
    found = list[tuple[GeneratedPicture, Tensor]]()
    while len(found) < count:
        found += generate(painter, detector, rng)
    return found[:count]


def _store(file: Path, found: list[tuple[GeneratedPicture, Tensor]]) -> None:
    known = [asdict(picture) for picture, _ in found]
    torch.save({"known": known, "pixels": torch.stack([pixels for _, pixels in found])}, file)


def read_set(folder: Path) -> GeneratedSet:
    """The pictures that `write_set` generated."""
    files = [torch.load(file, weights_only=True) for file in sorted(folder.glob("*.pt"))]
    known = [_read(stored) for file in files for stored in file["known"]]
    return GeneratedSet(tuple(known), torch.cat([file["pixels"] for file in files]))


def _read(stored: dict[str, Any]) -> GeneratedPicture:
    asked = stored["asked"]
    groups = tuple(Group(**group) for group in asked["groups"])
    claim = Description(groups, asked["relation"], asked["background"])
    return GeneratedPicture(claim, to_scene(stored["shown"]), stored["way"])
