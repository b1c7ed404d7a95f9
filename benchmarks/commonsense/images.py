"""The images of both prompts of each pair: generated now, or read from a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.prompt_pairs.records import PromptPair
from benchmarks.stickers.generated import LoadedGenerator
from session.errors import DataError

Generations = tuple[list[Image], list[Image]]
"""The images of a pair's first prompt, and of its second."""


def generate(
    pairs: Iterable[PromptPair], generator: LoadedGenerator, generations: int, seed: int
) -> Iterator[Generations]:
    """New images; generation k of either prompt is generated from seed + k."""
    for pair in pairs:
        first, second = (generator.grid(each, (1, generations), seed) for each in pair.prompts)
        yield first, second


def stored(root: Path, name: str, pairs: int, generations: int) -> Iterator[Generations]:
    """Images that are already there, in the layout of the released code.

    Raises:
        DataError: one of them is missing.
    """
    for pair in range(1, pairs + 1):
        first, second = (
            [_open(image_file(root, name, prompt, pair, k + 1)) for k in range(generations)]
            for prompt in (1, 2)
        )
        yield first, second


def saved(generated: Iterable[Generations], root: Path, name: str) -> Iterator[Generations]:
    """The same images, each written down in that layout as it passes."""
    for pair, both in enumerate(generated, start=1):
        for prompt, images in enumerate(both, start=1):
            _save(images, root, name, prompt, pair)
        yield both


def image_file(root: Path, name: str, prompt: int, pair: int, generation: int) -> Path:
    """Where a image is; prompts, pairs and generations count from 1.

    >>> image_file(Path("root"), "dalle3", 1, 12, 4).as_posix()
    'root/dalle3_images/prompt1_img/original/0012-4.jpg'
    """
    folder = root / f"{name.replace(' ', '_')}_images" / f"prompt{prompt}_img" / "original"
    return folder / f"{pair:04}-{generation}.jpg"


def _open(file: Path) -> Image:
    if not file.is_file():
        raise DataError(
            f"there is no image {file}; the layout is ROOT/NAME_images/prompt1_img/original/"
            "PAIR-GENERATION.jpg, and --generations says how many there are of each prompt"
        )
    with PillowImage.open(file) as image:
        return image.convert("RGB")


def _save(images: Sequence[Image], root: Path, name: str, prompt: int, pair: int) -> None:
    for generation, image in enumerate(images, start=1):
        file = image_file(root, name, prompt, pair, generation)
        file.parent.mkdir(parents=True, exist_ok=True)
        image.save(file, quality=95)
