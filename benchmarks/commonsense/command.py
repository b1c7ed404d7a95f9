"""The command that measures text-to-image models by prompt pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from alignment.models.loading import Models
from alignment.prompt_pairs.description_match import EVALUATORS, Evaluator
from alignment.prompt_pairs.pairs import read_pairs, revise
from alignment.records import PromptPair
from benchmarks import options as given
from benchmarks.commonsense.analysis import error_overlaps
from benchmarks.commonsense.images import generate, saved, stored
from benchmarks.commonsense.results import (
    OUTRIGHT,
    REVISED,
    GeneratedPairs,
    Labels,
    PairResult,
    against_people,
    match,
    measure,
    read_labels,
)
from benchmarks.commonsense.tables import (
    accuracy_table,
    category_table,
    reply_table,
    sentences,
)
from cli.flags import with_flags
from generation import find_model, load_pipeline
from generation.prompt_similarity import prompt_similarity
from session.errors import DataError

STICKER_PAIRS = "assets/benchmarks/commonsense/pairs.json"
ROOT = Path(__file__).parent.parent.parent
GENERATIONS = 4
"""Images for each prompt, as published."""


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
    role: given.RoleModels = None,
    labels: Annotated[Path | None, typer.Option(help="People's judgements as a CSV file.")] = None,
) -> None:
    """Print the tables, then one JSON line."""
    models = Models(given.bundle_with(bundle, role or ()))
    people = read_labels(labels) if labels else {}
    evaluators = {name: _evaluator(name, models) for name in evaluator or ["vnli"]}
    generator = np.random.default_rng(request.seed)
    results = [
        measure(generated, name, matrices, generator)
        for generated in _all_pairs(request, models)
        for name, matrices in match(generated, evaluators).items()
    ]
    kept = ("pairs", "generations", "seed")
    asked = {"bundle": bundle, **{name: getattr(request, name) for name in kept}}
    _show(results, [*evaluators], people, asked, generator)


def _evaluator(name: str, models: Models) -> Evaluator:
    if name not in EVALUATORS:
        raise DataError(f"no evaluator {name!r}; known: {', '.join(EVALUATORS)}")
    return EVALUATORS[name](models)


def _show(
    results: Sequence[PairResult],
    evaluators: Sequence[str],
    labels: Labels,
    asked: Mapping[str, object],
    generator: np.random.Generator,
) -> None:
    overlaps = {
        name: error_overlaps({r.model: r.scores for r in results if r.evaluator == name})
        for name in evaluators
    }
    compared = {name: against_people(results, name, labels) for name in evaluators}
    people = {name: each for name, each in compared.items() if each}
    console = Console()
    by = "people" if labels else "people, printed"
    console.print(
        accuracy_table(results, people, by), reply_table(results), category_table(results)
    )
    console.print(*sentences(results, overlaps, people, generator), sep="\n")
    found = {
        "results": [_plain(each) for each in results],
        "overlaps": {name: [asdict(each) for each in some] for name, some in overlaps.items()},
        "people": {name: asdict(compared) for name, compared in people.items()},
    }
    print(json.dumps({**asked, **found}))


def _plain(result: PairResult) -> dict[str, object]:
    return {**asdict(result), "expected": [sorted(each) for each in result.expected]}


def _all_pairs(request: PairRequest, models: Models) -> Iterator[GeneratedPairs]:
    plain = _pairs(request.pairs)[: request.limit]
    conditions = {"": plain}
    if request.outright:
        conditions[OUTRIGHT] = tuple(replace(pair, prompts=pair.descriptions) for pair in plain)
    if request.revise:
        conditions[REVISED] = tuple(_revised(pair, models) for pair in plain)
    for name in request.model or ["stickers"]:
        for suffix, pairs in conditions.items():
            if request.images:
                yield _stored(request.images, name + suffix, pairs, request.generations, models)
            else:
                yield _generated(name, suffix, pairs, request)


def _pairs(source: str) -> tuple[PromptPair, ...]:
    if source == STICKER_PAIRS:
        return read_pairs(ROOT / source)
    return read_pairs(Path(source) if source.endswith(".json") else source)


def _revised(pair: PromptPair, models: Models) -> PromptPair:
    """The same pair with prompts that a language model enriches."""
    first, second = (revise(prompt, models.language) for prompt in pair.prompts)
    return replace(pair, prompts=(first, second))


def _stored(
    root: Path, name: str, pairs: tuple[PromptPair, ...], generations: int, models: Models
) -> GeneratedPairs:
    """Images that exist already; their text-to-image model's text encoder is not."""
    read = models.clip.embed_text
    similarities = tuple(float(read(p.prompts[0]) @ read(p.prompts[1])) for p in pairs)
    images = stored(root, name, len(pairs), generations)
    return GeneratedPairs(name, pairs, images, similarities)


def _generated(
    name: str, suffix: str, pairs: tuple[PromptPair, ...], request: PairRequest
) -> GeneratedPairs:
    spec = find_model(name)
    pipeline = load_pipeline(spec)
    similarities = tuple(prompt_similarity(*pair.prompts, pipeline) for pair in pairs)
    images = generate(pairs, spec, pipeline, request.generations, request.seed)
    if request.out:
        images = saved(images, request.out, name + suffix)
    return GeneratedPairs(name + suffix, pairs, images, similarities)
