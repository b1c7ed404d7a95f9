r"""GenEval 2 with Soft-TIFA: does an image show all objects, attributes, numbers and places?

Each prompt comes with a question and its answer for every atom: "How many cows are in the image?",
three. An atom's score is the probability that the evaluator's answer begins with the right one, in
any usual spelling ("yes", "Yes"; "three", "Three", "3"). Soft-TIFA AM is the arithmetic mean over
the atoms of a prompt, an estimate by atoms; Soft-TIFA GM the geometric mean, an estimate by
prompts; both are averaged over prompts. By skill it is the mean over atoms, by number of atoms the
GM, as published. 95 % intervals draw prompts.

FILE is `geneval2_data.jsonl` as published (github.com/facebookresearch/GenEval2, CC BY-NC 4.0), or
a folder with it: prompt, atom_count, vqa_list and skills on each line. `--images FILE` has images
that exist, as the published script takes them: a JSON object, prompt -> file, relative to it; the
model is called like the file. Otherwise each `--model` generates an image of every prompt. The
evaluator is the answerer of the bundle; chat models are asked to "Answer in one word.", as
published (there Qwen3-VL 8B: `--bundle modern-8b`). A prompt with a word that the evaluator does
not know is not judged; the signature counts these, and the atoms to which the evaluator answers
neither yes nor no with half of its certainty. The embedded one knows the questions that VQ2 asks,
and hardly any in these words: its figures say little about an image.

A prompt takes about a second on a CPU with the embedded models; `--limit 5` gives a first look.

Source: A. Kamath et al., "GenEval 2: Addressing Benchmark Drift in Text-to-Image Evaluation", 2025.

For example:

    python -m benchmarks geneval2 GenEval2 --images sdxl.json --images flux.json \
        --bundle modern-8b --scores kept
    python -m benchmarks geneval2 prompts.jsonl --model stickers
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np
import pandas as pd
import typer
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.revisions import identity
from alignment.models.vlm import ImageQuestion, VisionLanguageModel
from alignment.questions.words import NUMBERS
from alignment.scorers import knowledge_of
from alignment.statistics.intervals import measured_mean
from benchmarks import options as given
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.data.scores import ScoreCache, scores_in
from benchmarks.progress import watched
from session.errors import DataError
from session.tables import json_object, objects

PUBLISHED = "geneval2_data.jsonl"
NEEDED = ("prompt", "atom_count", "vqa_list", "skills")
ONE_WORD = "{question} Answer in one word."


@dataclass(frozen=True)
class Atom:
    """One claim of a prompt."""

    question: str
    answer: str
    """As published: "Yes", or a number in words."""
    skill: str
    """object, attribute, count, position or verb."""


@dataclass(frozen=True)
class AtomicPrompt:
    """A prompt and its claims."""

    text: str
    size: int
    """Its atom_count: "a" and "and" are asked about and do not count."""
    atoms: tuple[Atom, ...]


@dataclass(frozen=True)
class AtomScore:
    """What an evaluator makes of one atom."""

    probability: float
    """Of the right answer, over all answers, in [0, 1]."""
    answered: bool = True
    """False where yes or no is asked for and less than half of its mass is on both."""


Scores: TypeAlias = Sequence[AtomScore] | None
"""Of each atom; None where a prompt is not judged."""


@dataclass(frozen=True)
class ImageSource:
    """Where the images of a text-to-image model come from."""

    name: str
    origin: str
    """Tells apart what has one name: the file, or the seed."""
    image: Callable[[int, str], Image]
    """From the number of a prompt and its text."""


def main(
    file: Annotated[Path, typer.Argument(help=f"{PUBLISHED}, or a folder with it.")],
    *,
    images: Annotated[
        list[Path] | None,
        typer.Option(help="A JSON file, prompt -> image, called like the model. Repeatable."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A text-to-image model that generates the images. Repeatable."),
    ] = None,
    bundle: given.BundleName = "embedded",
    scores: given.ScoresFolder = None,
    limit: given.Limit = None,
    seed: given.Seed = 7,
) -> None:
    """Print the tables, then one JSON line."""
    prompts = read_prompts(file)[:limit]
    systems = [_stored(each) for each in images or ()]
    systems += [_generating(each, seed) for each in model or ([] if images else ["stickers"])]
    models = Models(find_bundle(bundle))
    generator, numbers = np.random.default_rng(seed), list[Number]()
    with scores_in(scores) as cache:
        for system in systems:
            passing = watched([*enumerate(prompts)], f"prompts, {system.name}")
            found = [judge(number, each, system, models, cache) for number, each in passing]
            about = {"model": system.name, "evaluator": identity(models.bundle.answerer)}
            numbers += measure(prompts, found, about, generator)
    whole, skills, sizes = (
        [each for each in numbers if wanted in each.about]
        for wanted in ("prompts", "skill", "atoms")
    )
    tables = [
        pivot("Soft-TIFA (95 %, prompts drawn)", whole, ["model"], "name"),
        pivot("Soft-TIFA AM by skill", skills, ["model"], "skill"),
        pivot("Soft-TIFA GM by number of atoms", sizes, ["model"], "atoms"),
    ]
    publish("geneval2", tables, numbers)


def read_prompts(file: Path) -> list[AtomicPrompt]:
    """The prompts of a file as it is published, or of the folder that holds it.

    Raises:
        DataError: there is no such file, or a line is not in this format.
    """
    file = file / PUBLISHED if file.is_dir() else file
    return [_prompt(line, file.name, at) for at, line in enumerate(objects(file, *NEEDED), 1)]


def _prompt(line: Mapping[str, Any], name: str, at: int) -> AtomicPrompt:
    try:
        pairs = zip(line["vqa_list"], line["skills"], strict=True)
        atoms = tuple(Atom(question, answer, skill) for (question, answer), skill in pairs)
        return AtomicPrompt(str(line["prompt"]), int(line["atom_count"]), atoms)
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{name}, line {at} is not as published ({error}); vqa_list has a pair of question and "
            "answer, and skills a word, for each atom; atom_count is a number"
        ) from error


def _stored(file: Path) -> ImageSource:
    """Images that exist, as a JSON file names them."""
    places = json_object(file)

    def image(_: int, prompt: str) -> Image:
        place = file.parent / str(places.get(prompt, ""))
        if not place.is_file():
            raise DataError(f"{file.name} names no image that exists for {prompt!r}")
        with PillowImage.open(place) as opened:
            return opened.convert("RGB")

    return ImageSource(file.stem, str(file.resolve()), image)


def _generating(model: str, seed: int) -> ImageSource:
    """New images; that of prompt k is generated from seed + k."""
    from benchmarks.stickers.generated import LoadedGenerator

    generator = LoadedGenerator.of(model)
    return ImageSource(
        model, f"seed {seed}", lambda at, text: generator.grid(text, (1, 1), seed + at)[0]
    )


def judge(
    number: int, prompt: AtomicPrompt, system: ImageSource, models: Models, cache: ScoreCache
) -> Scores:
    """What the evaluator makes of one image; what is kept is not asked again."""
    knows = knowledge_of(models, "answerer")
    if knows and knows.objection(prompt.text):
        return None
    evaluator = identity(models.bundle.answerer)
    about = ["soft-tifa", evaluator, system.name, system.origin, number, prompt.text]
    keys = [
        [json.dumps([*about, atom.question, atom.answer, what]) for what in ("chance", "answered")]
        for atom in prompt.atoms
    ]
    if any(key not in cache.values for both in keys for key in both):
        found = soft_tifa(prompt.atoms, system.image(number, prompt.text), models.answerer)
        for (chance, answered), each in zip(keys, found, strict=True):
            cache.add(chance, each.probability)
            cache.add(answered, float(each.answered))
    kept = cache.values
    return [AtomScore(kept[chance] or 0.0, bool(kept[answered])) for chance, answered in keys]


def soft_tifa(atoms: Sequence[Atom], image: Image, model: VisionLanguageModel) -> list[AtomScore]:
    """How probable the right answer to each atom is.

    Args:
        atoms: at least one.
        image: that they are asked of.
        model: one of chat is asked to answer in one word.
    """
    asked = "{question}" if model.templates.free == "{question}" else ONE_WORD
    features = model.encode([image])
    found: dict[Atom, AtomScore] = {}
    for answer in dict.fromkeys(atom.answer for atom in atoms):
        own = [atom for atom in atoms if atom.answer == answer]
        asks = [ImageQuestion(0, asked.format(question=atom.question)) for atom in own]
        chances = model.p_word(features, asks, *spellings(answer))
        plain = answer.lower() in {"yes", "no"}
        said = [not plain or each.answered for each in model.p_yes(features, asks)]
        found |= dict(zip(own, map(AtomScore, chances, said), strict=True))
    return [found[atom] for atom in atoms]


def spellings(answer: str) -> list[str]:
    """How a right answer may be spelled.

    >>> spellings("Two")
    ['two', 'Two', ' two', ' Two', '2', ' 2']
    """
    words = [
        answer.lower(),
        *(digits for digits, word in NUMBERS.items() if word == answer.lower()),
    ]
    return [
        spelling
        for word in words
        for space in ("", " ")
        for spelling in dict.fromkeys((space + word, space + word.capitalize()))
    ]


def geometric_mean(probabilities: Sequence[float]) -> float:
    """(p1 * ... * pn) ** (1 / n); 0 where one of them is.

    >>> geometric_mean([0.5, 0.125])
    0.25
    """
    return math.prod(probabilities) ** (1 / len(probabilities))


def measure(
    prompts: Sequence[AtomicPrompt],
    found: Sequence[Scores],
    about: Mapping[str, object],
    generator: np.random.Generator,
) -> Iterator[Number]:
    """Both means over prompts, the AM of each skill, the GM of each number of atoms."""
    known = [(each, p) for each, p in zip(prompts, found, strict=True) if p is not None]
    if not known:
        raise DataError("the evaluator knows the words of no prompt; choose another --bundle")
    atoms = pd.DataFrame(
        (at, prompt.text, prompt.size, atom.skill, each.probability)
        for at, (prompt, p) in enumerate(known)
        for atom, each in zip(prompt.atoms, p, strict=True)
    ).set_axis(["prompt", "text", "atoms", "skill", "chance"], axis=1)
    prompts_of = atoms.groupby(["prompt", "atoms"])["chance"].agg(AM="mean", GM=geometric_mean)
    counts = {"prompts": len(known), "unjudged": len(prompts) - len(known)}
    counts["unanswered"] = sum(not atom.answered for _, p in known for atom in p)
    for name, values in prompts_of.items():
        yield Number.of(f"Soft-TIFA {name}", {**about, **counts}, measured_mean(values, generator))
    for skill, own in atoms.groupby("skill"):
        mean = measured_mean(own["chance"], generator, own["text"])
        yield Number.of("Soft-TIFA AM", {**about, "skill": skill, "n": len(own)}, mean)
    for size, values in prompts_of["GM"].groupby("atoms"):
        said = {**about, "atoms": size, "n": len(values)}
        yield Number.of("Soft-TIFA GM", said, measured_mean(values, generator))
