"""Does the region of a claim lie on the thing that it is about?

On drawn scenes whose boxes are known. Things are those of the scene that VQ2 holds to be there, by
the first question about "a cat"; faults are the claims of each scene's foil that VQ2 says fail.
Pointed: how often the place of an image that is held most decisive lies in a box of the thing,
ties shared. Overlap: intersection over union of region and boxes.

Held against it: each window covered instead of shown, by what is lost; where the language model
looks from its last word, over all layers and heads; visual saliency; the centre. At random is the
share of the boxes. 95 % intervals draw images.

For example:

    python -m benchmarks pointing --limit 20
    python -m benchmarks pointing --split test
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from PIL import Image as Images
from PIL.Image import Image

from alignment import Models, find_bundle, read_prompt, score
from alignment.answers import Claim, answer_table
from alignment.models.partial_view import seen_in_part
from alignment.models.vlm import Features, ImageQuestion, VisionLanguageModel
from alignment.questions.records import QuestionAnswer
from alignment.region import INSIDE, SIDE, mean_by_place, seen_at, shown_instead, windows
from alignment.scorers.vq2 import predicate
from alignment.set_metrics.saliency import saliency_map
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched
from benchmarks.stickers.evaluators import SETS
from session.tables import objects

Map: TypeAlias = npt.NDArray[np.float64]
"""`SIDE` x `SIDE` places, the most decisive highest."""
PIXELS = 128
"""Of a scene's side, in which its boxes are given."""
THINGS, FAULTS = "things", "faults"


@dataclass(frozen=True)
class Pointed:
    """One claim about a thing whose boxes are known."""

    image: str
    about: str
    """`THINGS` or `FAULTS`."""
    way: str
    pointed: float
    overlap: float
    share: float
    """Of the image, that the boxes cover."""


def main(
    *,
    split: given.Split = "development",
    limit: given.Limit = None,
    bundle: given.BundleName = "embedded",
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    models, folder = Models(find_bundle(bundle)), SETS[split]
    lines = objects(folder / "scenes.jsonl", "image", "scene", "foil")[:limit]
    found: list[Pointed] = []
    for line in watched(lines, "scenes"):
        image = Images.open(folder / line["image"]).convert("RGB")
        seen = models.answerer.encode([image])
        for about, pair, boxes in (*things(line, models), *faults(line, image, models)):
            maps = maps_of(pair, image, models.answerer, seen)
            found += [held_against(line["image"], about, way, maps[way], boxes) for way in maps]
    numbers = measure(found, bundle, split, np.random.default_rng(seed))
    pointed, overlap = (
        [each for each in numbers if each.name == name] for name in ("pointed", "overlap")
    )
    random = {str(each.about["about"]): f"{each.chance:.3f}" for each in pointed}
    told = f"{split} (95 %, images drawn)"
    tables = [
        pivot(f"pointed, {told}", pointed, ("way",), "about"),
        pivot(f"overlap, {told}", overlap, ("way",), "about"),
    ]
    tables[0].caption = "at random: " + ", ".join(f"{about} {p}" for about, p in random.items())
    publish("pointing", tables, numbers)


Claimed: TypeAlias = tuple[str, QuestionAnswer, npt.NDArray[np.bool_]]
"""`THINGS` or `FAULTS`, what is looked for, and where it is."""


def things(line: dict[str, Any], models: Models) -> Iterator[Claimed]:
    """What is in a scene, each thing alone."""
    scene = line["scene"]
    for group, boxes in zip(scene["groups"], scene["boxes"], strict=True):
        if pairs := read_prompt(f"a {group['name']}", models):
            yield THINGS, pairs[0], on_places(boxes)


def faults(line: dict[str, Any], image: Image, models: Models) -> Iterator[Claimed]:
    """What fails under the foil, where it is plain which thing of the scene it is about."""
    pairs = read_prompt(line["foil"], models)
    (row,) = score([image], [line["foil"]], models, "vq2", questions={line["foil"]: pairs}).scores
    table = answer_table(line["foil"], pairs, row)
    for claim in table.failing(0) if table.rows[0] else ():
        wanted = shown_instead(table, 0, claim)
        boxes = meant(line, table.claims[claim])
        if wanted is not None and boxes is not None:
            yield FAULTS, wanted, on_places(boxes)


def meant(line: dict[str, Any], claim: Claim) -> list[dict[str, int]] | None:
    """The boxes of the one thing that a claim is about, or that stands in its place.

    "Left of a banana" is about the thing that it does not name.
    """
    scene, words, elsewhere = line["scene"], claim.span.text, claim.kind == "place"
    groups = list(zip((each["name"] for each in scene["groups"]), scene["boxes"], strict=True))
    named = [boxes for name, boxes in groups if _names(words, name) is not elsewhere]
    gone = [boxes for name, boxes in groups if not _names(line["foil"], name)]
    of = named or (groups[0][1:] if len(groups) == 1 else gone)
    return of[0] if len(of) == 1 else None


def _names(text: str, name: str) -> bool:
    return re.search(rf"\b{name[:-1]}", text.lower()) is not None


def on_places(boxes: Sequence[dict[str, int]]) -> npt.NDArray[np.bool_]:
    """Where boxes are, by place."""
    places, side = np.zeros((SIDE, SIDE), dtype=bool), PIXELS // SIDE
    for box in boxes:
        row, column, n = (box[name] // side for name in ("y", "x", "size"))
        places[row : row + n, column : column + n] = True
    return places


def maps_of(
    pair: QuestionAnswer, image: Image, model: VisionLanguageModel, seen: Features
) -> dict[str, Map]:
    """Way -> what it holds decisive; nothing of what the image as a whole does not show."""
    shown = seen_at(pair, image, model, seen)
    if shown is None:
        return {}
    centre = np.zeros((SIDE, SIDE))
    centre[SIDE // 2 - 1 : SIDE // 2 + 1, SIDE // 2 - 1 : SIDE // 2 + 1] = 1
    salient = Images.fromarray(saliency_map(image).astype(np.float32))
    return {
        "window shown": shown,
        "window covered": _lost_without(pair, model, seen),
        "attention": _looked_at(pair, model, seen),
        "saliency": np.asarray(salient.resize((SIDE, SIDE), Images.Resampling.BOX), float),
        "centre": centre,
    }


def _lost_without(pair: QuestionAnswer, model: VisionLanguageModel, seen: Features) -> Map:
    """How much less a thing is seen when a window is covered."""
    parts = seen_in_part(seen[0], [~window for window in windows()]) or ()
    ask = predicate(pair, model.templates)
    asks = [ImageQuestion(index, ask) for index in range(1 + len(parts))]
    before, *after = (each.probability for each in model.p_yes([seen[0], *parts], asks))
    return mean_by_place([before - each for each in after])


def _looked_at(pair: QuestionAnswer, model: VisionLanguageModel, seen: Features) -> Map:
    """Attention from the last word of the question to the tokens of the image, the mean."""
    network, layers = model.family.network, []
    asked = predicate(pair, model.templates)
    hooks = [
        each.self_attn.register_forward_hook(lambda _, __, output: layers.append(output[1]))
        for each in network.model.language_model.layers
    ]
    before = network.config.text_config._attn_implementation
    network.set_attn_implementation("eager")
    try:
        model.p_yes(seen, [ImageQuestion(0, asked)])
    finally:
        network.set_attn_implementation(before)
        for hook in hooks:
            hook.remove()
    last = np.mean([layer[0, :, -1].float().mean(0).numpy() for layer in layers], axis=0)
    return np.asarray(last[: SIDE**2].reshape(SIDE, SIDE), float)


def held_against(
    image: str, about: str, way: str, decisive: Map, boxes: npt.NDArray[np.bool_]
) -> Pointed:
    """Where a map points, against where the thing is."""
    top, region = decisive >= decisive.max(), decisive >= INSIDE * decisive.max()
    overlap = (region & boxes).sum() / (region | boxes).sum()
    return Pointed(image, about, way, boxes[top].mean(), float(overlap), boxes.mean())


def measure(
    found: Sequence[Pointed], bundle: str, split: str, generator: np.random.Generator
) -> list[Number]:
    """For things and faults, by way."""
    numbers = []
    for (about, way), part in pd.DataFrame(found).groupby(["about", "way"], sort=False):
        told = {"split": split, "bundle": bundle, "about": about, "way": way, "n": len(part)}
        pointed, overlap = (
            measured_mean(part[name], generator, part["image"]) for name in ("pointed", "overlap")
        )
        chance = float(part["share"].mean())
        numbers.append(Number.of("pointed", told, pointed, chance=chance))
        numbers.append(Number.of("overlap", told, overlap))
    return numbers
