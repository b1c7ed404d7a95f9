"""Does the painter draw the right thing in the right colour?

    python -m benchmarks painter --out sheet.png [--model stickers] [--bundle embedded]

Paints 36 prompts of one coloured thing and 12 of two, once each, always the same ones from the same
seeds, and writes them as a labelled contact sheet for a person to count. Printed: the VQ2 score of
each picture and what it misses most; one JSON line at the end.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from PIL.Image import Image
from rich.console import Console
from rich.progress import track
from rich.table import Table

from alignment.evaluation import read_prompt
from alignment.loading import Models
from alignment.models import find_bundle
from alignment.records import ImageScore
from alignment.scorers import Asked, Vq2
from alignment.vision import Pictures
from generation import GridRequest, ModelSpec, find_model, load_pipeline, sample

COLOURED = {
    "apple": "red green black",
    "backpack": "orange blue pink",
    "balloon": "yellow purple red",
    "umbrella": "green blue black",
    "star": "orange pink yellow",
    "car": "purple red green",
    "book": "black orange blue",
    "shirt": "pink yellow purple",
    "heart": "red green blue",
    "teapot": "black orange pink",
    "bucket": "yellow purple red",
    "bell": "green blue black",
}
"""Thing -> its colours: each of the twelve in three, each of the eight four or five times."""

PAIRS = (
    "a black apple and a green backpack",
    "a red car and a blue bell",
    "a yellow star and a purple heart",
    "an orange teapot and a pink book",
    "a green shirt and a black umbrella",
    "a blue bucket and a red balloon",
    "an owl and a pink backpack",
    "a cat and a yellow balloon",
    "a penguin to the left of a red car",
    "a green apple above a blue book",
    "a lit candle on the grass",
    "two purple stars at night",
)
SINGLES = tuple(
    f"{'an' if colour[0] in 'aeiou' else 'a'} {colour} {thing}"
    for thing, colours in COLOURED.items()
    for colour in colours.split()
)
PROMPTS = SINGLES + PAIRS
SEED = 2024
"""Of the first prompt; prompt k is painted from SEED + k."""

ACROSS = 6
LABEL = 34
"""Pixels under a picture for its words and its score."""


@dataclass(frozen=True)
class Painted:
    """A prompt, its picture, and what VQ2 says of it."""

    prompt: str
    image: Image
    score: ImageScore


def paint(prompts: Sequence[str], spec: ModelSpec, seed: int = SEED) -> Iterator[Image]:
    """One picture for each prompt; prompt k from seed + k."""
    pipeline = load_pipeline(spec)
    for index, prompt in enumerate(prompts):
        request = GridRequest(prompt, rows=1, columns=1, seed=seed + index, model=spec.name)
        *_, last = sample(request, pipeline, spec)
        yield last.cells[0].image


def judge(prompt: str, image: Image, models: Models) -> Painted:
    """Ask the picture all questions of its prompt."""
    asked = Asked(prompt, read_prompt(prompt, models))
    return Painted(prompt, image, next(Vq2(models.answerer).score(asked, Pictures([image]))))


def contact_sheet(painted: Sequence[Painted], across: int = ACROSS) -> Image:
    """All pictures row by row, each above its prompt and its score."""
    side = painted[0].image.width
    rows = -(-len(painted) // across)
    sheet = PillowImage.new("RGB", (across * side, rows * (side + LABEL)), "white")
    write, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=10)
    for index, each in enumerate(painted):
        left, top = index % across * side, index // across * (side + LABEL)
        sheet.paste(each.image, (left, top))
        write.text((left + 3, top + side + 2), _label(each), "black", font, spacing=2)
    return sheet


def _label(painted: Painted) -> str:
    words = painted.prompt.split()
    half = len(words) if len(words) < 5 else 4
    return f"{' '.join(words[:half])}\n{' '.join([*words[half:], _value(painted.score)])}"


def _value(score: ImageScore) -> str:
    return "no question" if score.value is None else f"{score.value:.2f}"


def main(arguments: Sequence[str]) -> None:
    """Write the sheet, print the table, then one JSON line."""
    parser = ArgumentParser(prog="python -m benchmarks painter", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where the contact sheet goes")
    parser.add_argument("--model", default="stickers", help="a name in generation.MODELS")
    parser.add_argument("--bundle", default="embedded", help="a name in alignment.models.BUNDLES")
    options = parser.parse_args(arguments)
    models, console = Models(find_bundle(options.bundle)), Console(stderr=True)
    images = track(
        paint(PROMPTS, find_model(options.model)), "pictures", len(PROMPTS), console=console
    )
    painted = [judge(p, image, models) for p, image in zip(PROMPTS, images, strict=True)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    contact_sheet(painted).save(options.out)
    Console().print(_table(painted), f"The contact sheet is {options.out}.")
    print(json.dumps({"seed": SEED, "vq2": {each.prompt: each.score.value for each in painted}}))


def _table(painted: Sequence[Painted]) -> Table:
    table = Table("prompt", "VQ2", "weakest question", "expected", "P(yes)", "sees")
    for each in painted:
        table.add_row(each.prompt, _value(each.score), *_weakest(each.score))
    return table


def _weakest(score: ImageScore) -> tuple[str, ...]:
    pair = score.weakest
    if pair is None:
        return ()
    return (pair.pair.question, pair.pair.answer.text, f"{pair.probability:.2f}", pair.seen)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
