"""Images of the text-to-image model, and what of it can be recognised: right ones and smears.

Some are generated as the page generates them, some from a drawing of what is asked for; others are
spoiled on the way: cut short, guided too far, begun for one prompt and ended for another. What is
there is told by `recognition`, and by those who read the images; an image of which it is not told
is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import TypeAdapter
from rich.progress import Progress
from torch import Tensor

from recipes.diffusion.canonical_layout import canonical_layout, text_to_image_layout
from recipes.diffusion.distillation import student_sigmas
from recipes.diffusion.guidance import Unguided
from recipes.diffusion.pipeline import read_pipeline
from recipes.diffusion.read_things import ReadAs, ReadThing, read_things
from recipes.diffusion.recognition import shown_in
from recipes.diffusion.text_encoder import caption_of
from recipes.diffusion.trajectories import encode_prompts
from recipes.world.captions import Description
from recipes.world.domains import TOUCHING_ICONS, WHOLE_FREE_STICKERS, Domain
from recipes.world.scenes import SIZE, Scene
from recipes.world.truth import as_asked

SHARD = 250
"""Images that are generated for one file, with those in doubt, which it leaves out."""
SEED = 77
DEVELOPMENT = 3
"""The shard that weights are chosen by; none is trained on it."""
AT_ONCE = 25
WAYS = ("whole", "begun", "short", "guided", "between", "changed")
"""How images come about: as they should; from the drawn image, noised to where one of the last
steps begins, so that what the model rarely draws well is there, too; or cut short before the last
step, guided, from a text between two, or led by a second text from some step on."""
CHANCES = (1 / 3, 1 / 3, *[1 / 12] * 4)
"""Of each way."""
FAULTY = 0.5
"""How many of those drawn in a step lack something that was asked for."""


@dataclass(frozen=True)
class GeneratedSettings:
    """What `write_set` needs to know."""

    folder: Path = Path("runs/generated-images")
    pipeline: Path = Path("assets/checkpoints/sticker-diffusion")
    """One that does without guidance."""
    steps: int = 4
    """Of the pipeline."""
    domain: Domain = WHOLE_FREE_STICKERS
    layout: Callable[[Scene], Scene] = canonical_layout
    """How the pipeline lays scenes out."""
    count: int = 4842
    """Images whose things are not in doubt."""
    read: ReadAs = "stickers"
    """As what its images were read."""


SETTINGS = {
    "stickers": GeneratedSettings(),
    "icons": GeneratedSettings(
        read="touching",
        folder=Path("runs/touching-generated-images"),
        pipeline=Path("assets/checkpoints/icon-diffusion"),
        steps=Unguided().steps,
        domain=TOUCHING_ICONS,
        layout=text_to_image_layout,
        count=1200,
    ),
}
"""World -> settings that are known to work; of icons, pairs that may touch: readers answered
questions about the others (`recipes.vlm.answered_images`)."""


@dataclass(frozen=True)
class RecognisedImage:
    """What an image was asked to show, and what of it is there."""

    asked: Description
    shown: Scene
    """Without its smears."""

    @property
    def lacks(self) -> bool:
        """Whether a thing that was asked for is not there, or not as often."""
        seen = {
            (group.name, group.count, look)
            for group in self.shown.groups
            for look in ("", group.colour)
        }
        return any((g.name, g.count, g.colour) not in seen for g in self.asked.groups)


@dataclass(frozen=True, eq=False)
class GeneratedSet:
    """Images, and what is known of each."""

    images: tuple[RecognisedImage, ...]
    pixels: Tensor
    """(n, 3, 128, 128), bytes."""

    @cached_property
    def chances(self) -> NDArray[Any]:
        """How often each is drawn."""
        faulty = np.array([each.lacks for each in self.images])
        return faulty_and_others(faulty, ~faulty)

    def draw(self, rng: np.random.Generator, count: int) -> tuple[list[RecognisedImage], Tensor]:
        """Some of them, in [-1, 1], every other mirrored, so that fewer are learned by heart."""
        chosen = rng.choice(len(self.images), size=count, p=self.chances)
        pixels = in_range(self.pixels, chosen)
        mirrored = rng.random(count) < 0.5
        pixels[mirrored] = pixels[mirrored].flip(-1)
        images = [self.images[index] for index in chosen]
        return [
            replace(each, shown=mirror(each.shown)) if turned else each
            for each, turned in zip(images, mirrored, strict=True)
        ], pixels


def faulty_and_others(faulty: NDArray[np.bool_], others: NDArray[np.bool_]) -> NDArray[Any]:
    """How often each image is drawn, so that `FAULTY` of them are faulty where there are both.

    >>> faulty_and_others(np.array([True, False, False]), np.array([False, True, True])).tolist()
    [0.5, 0.25, 0.25]
    """
    share = FAULTY if faulty.any() and others.any() else float(faulty.any())
    return np.asarray(
        share * faulty / max(1, faulty.sum()) + (1 - share) * others / max(1, others.sum())
    )


def as_bytes(pixels: Tensor) -> Tensor:
    """Images in [-1, 1] as they are stored."""
    return ((pixels + 1) * 127.5).round().byte()


def in_range(pixels: Tensor, chosen: NDArray[np.int_]) -> Tensor:
    """The chosen ones of images that are stored as bytes, in [-1, 1]."""
    return pixels[torch.from_numpy(chosen)].float() / 127.5 - 1


@torch.no_grad()
def generate(
    pipeline: Any,
    steps: int,
    rng: np.random.Generator,
    prompts: list[str],
    way: str,
    drawn: Tensor,
) -> Tensor:
    """An image of each prompt, (n, 3, 128, 128) in [-1, 1], as are the drawn ones.

    Args:
        pipeline: one that does without guidance.
        steps: of it.
        way: one of `WAYS`.
        drawn: images of what is asked for.
    """
    said = encode_prompts(pipeline, prompts)
    other = encode_prompts(pipeline, [*prompts[1:], prompts[0]])
    if way == "between":
        said = torch.lerp(said, other, float(rng.uniform(0.3, 0.5)))
    last = int(rng.integers(1, steps))
    unet, vae = pipeline.unet, pipeline.vae
    shape = len(prompts), unet.config.in_channels, unet.config.sample_size, unet.config.sample_size
    latents = torch.from_numpy(rng.standard_normal(shape, dtype=np.float32))
    sigmas = student_sigmas(pipeline, steps)
    if way == "begun":
        clean = vae.encode(drawn).latent_dist.mean * vae.config.scaling_factor
        latents = torch.lerp(clean, latents, sigmas[last])
    for step in range(last if way == "begun" else 0, steps):
        time = (sigmas[step] * 1000).long()
        words = other if way == "changed" and step >= last else said
        flow = unet(latents, time, words).sample
        if way == "guided":
            null = encode_prompts(pipeline, [""]).expand_as(words)
            flow = flow + rng.uniform(1, 3) * (flow - unet(latents, time, null).sample)
        if way == "short" and step == last - 1:
            latents = latents - sigmas[step] * flow
            break
        latents = latents - (sigmas[step] - sigmas[step + 1]) * flow
    decoded: Tensor = vae.decode(latents / vae.config.scaling_factor).sample.clamp(-1, 1)
    return decoded


def mirror(scene: Scene) -> Scene:
    """The scene with left and right exchanged.

    >>> from recipes.world.scenes import Box, Group
    >>> mirror(Scene((Group("cat"),), ((Box(10, 32, 48),),), "grass")).boxes
    ((Box(x=70, y=32, size=48),),)
    """
    turned = [[replace(b, x=SIZE - b.x - b.size) for b in boxes] for boxes in scene.boxes]
    return replace(scene, boxes=tuple(map(tuple, turned)))


def _shard(
    pipeline: Any, settings: GeneratedSettings, index: int
) -> Iterator[tuple[RecognisedImage, Tensor]]:
    """The images of a shard of which it is known what they show."""
    rng, read = np.random.default_rng((SEED, index)), read_things(f"{settings.read}-{index:02}")
    for first in range(0, SHARD, AT_ONCE):
        own = [read.get(first + place, ()) for place in range(AT_ONCE)]
        yield from _batch(pipeline, settings, rng, own)


def _batch(
    pipeline: Any,
    settings: GeneratedSettings,
    rng: np.random.Generator,
    read: Sequence[Sequence[ReadThing]],
) -> Iterator[tuple[RecognisedImage, Tensor]]:
    """A batch of images of which it is known what they show, given what was read in each."""
    domain = settings.domain
    way = str(rng.choice(WAYS, p=CHANCES))
    scenes = [settings.layout(domain.sample(rng, None)) for _ in range(AT_ONCE)]
    captions = [caption_of(rng, scene, domain) for scene in scenes]
    drawn = domain.photographs(scenes)
    prompts = [caption.text for caption in captions]
    images = generate(pipeline, settings.steps, rng, prompts, way, drawn)
    for index, (caption, image) in enumerate(zip(captions, images, strict=True)):
        others = scenes[(index + 1) % AT_ONCE].groups
        shown = shown_in(image, scenes[index], domain, others, read[index], settings.read)
        if shown is not None:
            yield RecognisedImage(as_asked(caption.claim), shown), as_bytes(image)


def write_set(settings: GeneratedSettings) -> Path:
    """Generate the images; what is in the folder is not generated again."""
    settings.folder.mkdir(parents=True, exist_ok=True)
    pipeline = read_pipeline(settings.pipeline)
    left, shards = settings.count, filter(DEVELOPMENT.__ne__, count())
    with Progress() as progress:
        task = progress.add_task("generating images", total=left)
        while left > 0:
            index = next(shards)
            file = settings.folder / f"images-{index:02}.pt"
            if not file.exists():
                found = islice(_shard(pipeline, settings, index), left)
                images, pixels = zip(*found, strict=True)
                known = [asdict(image) for image in images]
                torch.save({"known": known, "pixels": torch.stack(pixels)}, file)
            done = len(torch.load(file, weights_only=True)["known"])
            left -= done
            progress.advance(task, done)
    return settings.folder


def read_set(folder: Path) -> GeneratedSet:
    """The images that `write_set` generated."""
    files = [torch.load(file, weights_only=True) for file in sorted(folder.glob("*.pt"))]
    known = chain.from_iterable(file["known"] for file in files)
    images = TypeAdapter(tuple[RecognisedImage, ...]).validate_python([*known])
    return GeneratedSet(images, torch.cat([file["pixels"] for file in files]))
