"""The command that measures text-to-image models by prompt pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.prompt_pairs.description_match import EVALUATORS, Evaluator
from alignment.prompt_pairs.pairs import read_pairs
from alignment.prompt_pairs.records import PromptPair
from benchmarks import options as given
from benchmarks.commonsense.images import Generations, generate, saved, stored
from benchmarks.commonsense.measures import (
    OUTRIGHT,
    REVISED,
    GeneratedPairs,
    accuracies,
    beside,
    gains,
    match,
    people,
)
from benchmarks.commonsense.revise import revise
from benchmarks.data.images import fetch
from benchmarks.data.numbers import pivot, publish
from benchmarks.stickers.generated import LoadedGenerator
from cli.flags import with_flags
from session.errors import DataError

STICKER_PAIRS = "assets/benchmarks/commonsense/pairs.json"
ROOT = Path(__file__).parent.parent.parent
GENERATIONS = 4
"""Images for each prompt, as published."""
EXPLAINED = "95 %, pairs of descriptions drawn; by chance 0.25"


@dataclass(frozen=True)
class PairRequest:
    """What is to be generated or read."""

    model: Annotated[
        list[str] | None,
        typer.Option(help="A text-to-image model, or the NAME of --images. Repeatable."),
    ] = None
    pairs: Annotated[str, typer.Option(help="A JSON file, or a hub name.")] = STICKER_PAIRS
    revise: Annotated[
        bool, typer.Option("--revise", help="Enrich prompts by the bundle's language model.")
    ] = False
    outright: Annotated[
        bool, typer.Option("--outright", help="Use the descriptions as prompts.")
    ] = False
    generations: Annotated[int, typer.Option(min=1, help="Images for each prompt.")] = GENERATIONS
    limit: Annotated[int | None, typer.Option(min=1, help="For a first look: so many pairs.")] = (
        None
    )
    images: Annotated[
        Path | None, typer.Option(help="Root of images that exist; none is generated.")
    ] = None
    out: Annotated[Path | None, typer.Option(help="Root where generated images are kept.")] = None
    seed: Annotated[int, typer.Option(min=0, help="Of images and intervals.")] = 7


@with_flags(PairRequest, "request")
def main(
    *,
    request: PairRequest,
    evaluator: Annotated[
        list[str] | None, typer.Option(help=f"{', '.join(EVALUATORS)}. Repeatable.")
    ] = None,
    bundle: given.BundleName = "embedded",
) -> None:
    """Print the tables, then one JSON line."""
    models, generator = Models(find_bundle(bundle)), np.random.default_rng(request.seed)
    evaluators = {name: _evaluator(name, models) for name in evaluator or ["vnli"]}
    results = [
        result
        for generated in _all_pairs(request, models)
        for result in match(generated, evaluators)
    ]
    right = [number for each in results for number in accuracies(each, generator)]
    others = [number for each in results for number in beside(each)]
    others += gains(results, generator)
    others += [number for each in results for number in people(each)]
    by = ["model", "evaluator"]
    tables = [
        pivot(f"Accuracy ({EXPLAINED})", right, by, "category"),
        pivot("", others, by, "name"),
    ]
    asked = {
        "bundle": bundle,
        **{name: getattr(request, name) for name in ("pairs", "generations", "seed")},
        "scores": {f"{each.model}, {each.evaluator}": each.generations for each in results},
    }
    publish("commonsense", tables, [*right, *others], asked)


def _evaluator(name: str, models: Models) -> Evaluator:
    if name not in EVALUATORS:
        raise DataError(f"no evaluator {name!r}; known: {', '.join(EVALUATORS)}")
    return EVALUATORS[name](models)


def _all_pairs(request: PairRequest, models: Models) -> Iterator[GeneratedPairs]:
    plain = _pairs(request.pairs)[: request.limit]
    conditions = {"": plain}
    if request.outright:
        conditions[OUTRIGHT] = tuple(replace(pair, prompts=pair.descriptions) for pair in plain)
    if request.revise:
        conditions[REVISED] = tuple(_revised(pair, models) for pair in plain)
    for name in request.model or ["stickers"]:
        for suffix, pairs in conditions.items():
            yield GeneratedPairs(name + suffix, pairs, _images(name, suffix, pairs, request))


def _pairs(source: str) -> tuple[PromptPair, ...]:
    if source == STICKER_PAIRS:
        return read_pairs(ROOT / source)
    return read_pairs(Path(source) if source.endswith(".json") else fetch(source, "data.json")[0])


def _revised(pair: PromptPair, models: Models) -> PromptPair:
    """The same pair with prompts that a language model enriches."""
    first, second = (revise(prompt, models.language) for prompt in pair.prompts)
    return replace(pair, prompts=(first, second))


def _images(
    name: str, suffix: str, pairs: tuple[PromptPair, ...], request: PairRequest
) -> Iterator[Generations]:
    if request.images:
        return stored(request.images, name + suffix, len(pairs), request.generations)
    images = generate(pairs, LoadedGenerator.of(name), request.generations, request.seed)
    return saved(images, request.out, name + suffix) if request.out else images
