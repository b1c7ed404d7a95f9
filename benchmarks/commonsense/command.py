"""The options of the command come in; its tables and one JSON line go out."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from rich.console import Console

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.prompt_pairs.description_match import EVALUATORS
from alignment.prompt_pairs.pairs import read_pairs
from alignment.prompt_pairs.revision import revise
from alignment.records import PromptPair
from benchmarks.commonsense.analysis import error_overlaps
from benchmarks.commonsense.pictures import generate, kept, stored
from benchmarks.commonsense.results import (
    REVISED,
    Generator,
    against_people,
    judge,
    measure,
    read_labels,
)
from benchmarks.commonsense.tables import (
    accuracy_table,
    category_table,
    draw,
    reply_table,
    sentences,
)
from benchmarks.data.errors import DataError
from generation import find_model, load_pipeline
from generation.prompt_similarity import prompt_similarity

STICKER_PAIRS = "assets/benchmarks/commonsense/pairs.json"
ROOT = Path(__file__).parent.parent.parent
GENERATIONS = 4
"""Pictures for each prompt, as published."""


def main(arguments: Sequence[str]) -> None:
    """Print the tables, then one JSON line."""
    options = _options(arguments)
    models, console = Models(find_bundle(options.bundle)), Console()
    labels = read_labels(options.labels) if options.labels else {}
    evaluators = {name: EVALUATORS[name](models) for name in options.evaluator or ["vnli"]}
    generator = np.random.default_rng(options.seed)
    results = [
        measure(pipeline, name, matrices, generator)
        for pipeline in _pipelines(options, models)
        for name, matrices in judge(pipeline, evaluators).items()
    ]
    overlaps = {
        name: error_overlaps({r.model: r.scores for r in results if r.evaluator == name})
        for name in evaluators
    }
    people = {name: against_people(results, name, labels) for name in evaluators if labels}
    console.print(accuracy_table(results), reply_table(results), category_table(results))
    console.print(*sentences(results, overlaps, people, generator), sep="\n")
    if options.figures:
        draw(results, options.figures)
    found = {
        "results": [asdict(each) for each in results],
        "overlaps": {name: [asdict(each) for each in some] for name, some in overlaps.items()},
        "people": {name: asdict(compared) for name, compared in people.items()},
    }
    asked = {name: getattr(options, name) for name in ("pairs", "bundle", "generations", "seed")}
    print(json.dumps(asked | found))


def _pipelines(options: Namespace, models: Models) -> Iterator[Generator]:
    plain = _pairs(options.pairs)[: options.limit]
    conditions = {"": plain}
    if options.revised or options.revise or options.outright:
        conditions[REVISED] = tuple(_revised(plain, options, models))
    for name in options.model or ["stickers"]:
        for suffix, pairs in conditions.items():
            yield (_stored if options.images else _generated)(name, suffix, pairs, options, models)


def _pairs(source: str) -> tuple[PromptPair, ...]:
    if source == STICKER_PAIRS:
        return read_pairs(ROOT / source)
    return read_pairs(Path(source) if source.endswith(".json") else source)


def _revised(
    plain: tuple[PromptPair, ...], options: Namespace, models: Models
) -> Iterator[PromptPair]:
    """The same pairs with prompts that a person, a language model or their descriptions enrich."""
    given = _pairs(options.revised)[: options.limit] if options.revised else plain
    if len(given) != len(plain):
        raise DataError(
            f"{options.revised} has {len(given)} pairs where {len(plain)} are asked for; give the "
            "same pairs in the same order"
        )
    for pair in given:
        first, second = pair.descriptions if options.outright else pair.prompts
        if options.revise:
            first, second = revise(first, models.language), revise(second, models.language)
        yield replace(pair, prompts=(first, second))


def _stored(
    name: str, suffix: str, pairs: tuple[PromptPair, ...], options: Namespace, models: Models
) -> Generator:
    """Pictures that are already there; their text-to-image model's text encoder is not."""
    read = models.clip.embed_text
    similarities = tuple(float(read(p.prompts[0]) @ read(p.prompts[1])) for p in pairs)
    pictures = stored(options.images, name + suffix, len(pairs), options.generations)
    return Generator(name + suffix, pairs, pictures, similarities)


def _generated(
    name: str, suffix: str, pairs: tuple[PromptPair, ...], options: Namespace, models: Models
) -> Generator:
    spec = find_model(name)
    pipeline = load_pipeline(spec)
    similarities = tuple(prompt_similarity(*pair.prompts, pipeline) for pair in pairs)
    pictures = generate(pairs, spec, pipeline, options.generations, options.seed)
    if options.out:
        pictures = kept(pictures, options.out, name + suffix)
    return Generator(name + suffix, pairs, pictures, similarities)


def _count(text: str) -> int:
    """A number of things, at least one."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _options(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks commonsense")
    parser.add_argument("--model", action="append", help="a name in generation.MODELS; repeatable")
    parser.add_argument("--evaluator", action="append", choices=EVALUATORS, help="repeatable")
    parser.add_argument("--bundle", default="embedded", help="whose models evaluate")
    parser.add_argument("--pairs", default=STICKER_PAIRS, help="a JSON file or a hub name")
    revision = parser.add_mutually_exclusive_group()
    revision.add_argument("--revised", help="the same pairs with enriched prompts")
    revision.add_argument("--revise", action="store_true", help="by the bundle's language model")
    revision.add_argument("--outright", action="store_true", help="the descriptions as prompts")
    parser.add_argument("--generations", type=_count, default=GENERATIONS, help="for each prompt")
    parser.add_argument("--limit", type=_count, help="only the first pairs")
    parser.add_argument("--images", type=Path, help="root of pictures to judge; none is generated")
    parser.add_argument("--out", type=Path, help="root under which generated pictures are kept")
    parser.add_argument("--labels", type=Path, help="CSV of people's judgements")
    parser.add_argument("--figures", type=Path, help="folder for score against similarity")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args(arguments)
