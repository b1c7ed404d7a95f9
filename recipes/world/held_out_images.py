"""The held-out sets: images, and what is true and false of them.

Every scene has a composition that training never shows. Beside its image stand a true caption, a
foil (the same caption with one claim changed, and where) and questions with true and false answers.

The development set was read for mistakes while training changed. The test set is only ever scored:
no scene of it holds the same things as one of the development set, and no two things are where two
things of the development set are. Held-out colours and counts of stickers are few (21 and 17), so
that these come again, with other things beside them or in another place.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from itertools import chain
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from benchmarks.stickers.evaluators import StickerQuestion, changed_ranges
from recipes.world.art import draw
from recipes.world.captions import (
    Description,
    SceneCaption,
    Span,
    everything,
    write_caption,
)
from recipes.world.domains import ICONS, MANY_ICONS, STICKERS, Domain
from recipes.world.questions import ask
from recipes.world.scenes import Scene
from recipes.world.splits import Composition
from recipes.world.things import World
from recipes.world.truth import answer, distort, holds
from recipes.world.worlds import WORLD

SETS = {
    "development": (Path("assets/benchmarks/stickers"), 2024, 420),
    "test": (Path("assets/benchmarks/stickers_test"), 3031, 210),
}
"""Set -> its folder, its seed and how many images it has."""
Sets = Mapping[str, tuple[Path, int, int]]


def _elsewhere(folder: str) -> Sets:
    """The same in a folder that is not stored with the project."""
    return {split: (Path(folder) / split, seed, count) for split, (_, seed, count) in SETS.items()}


WORLDS: Mapping[str, tuple[Sets, Domain]] = {
    "stickers": (SETS, STICKERS),
    "icons": (_elsewhere("runs/icon-images"), ICONS),
    "many-icons": (_elsewhere("runs/many-icon-images"), MANY_ICONS),
}
"""World -> its sets and where their scenes come from."""
KINDS = ("object", "colour", "count", "state", "relation", "background", "size")
WORDINGS = 200
"""In how many ways a foil is said before the one nearest to its caption is taken."""

Marks = frozenset[frozenset[tuple[str, str, int]] | Composition]
"""What tells scenes apart: the groups of each (name, colour, number), and where two things are."""


@dataclass(frozen=True)
class Change:
    """Where a foil departs from its caption."""

    kind: str
    """One of `KINDS`, or "binding": two groups have exchanged their colours."""
    ranges: tuple[tuple[int, int], ...]
    """Start and end in the foil of each word that its caption does not have there."""


@dataclass(frozen=True)
class Example:
    """One line of `scenes.jsonl`."""

    image: str
    scene: Scene
    caption: str
    foil: str
    changed: Change
    questions: tuple[StickerQuestion, ...]


def marks_of(scenes: Iterable[Scene]) -> Marks:
    """What a scene of another set must not hold."""
    return frozenset(chain.from_iterable(map(_marks_of, scenes)))


def _marks_of(scene: Scene) -> Marks:
    """What a scene holds, wherever it is; where two things are, seen from either of them."""
    groups = frozenset((group.name, group.colour, group.count) for group in scene.groups)
    if not scene.where:
        return frozenset({groups})
    first, second = (group.name for group in scene.groups)
    other = str(scene.relation_between(1, 0))
    return frozenset({groups, (scene.where, first, second), (other, second, first)})


def examples(
    seed: int, count: int, known: Marks = frozenset(), domain: Domain = STICKERS
) -> Iterator[Example]:
    """A set without its images; kinds of foils that are rare so far are preferred.

    Args:
        known: the marks of scenes that may not come again.
        domain: where scenes come from; no thing is there in two looks.
    """
    rng, kinds = np.random.default_rng(seed), Counter[str]()
    for index in range(count):
        scene = held_out_scene(rng, domain)
        while not known.isdisjoint(marks_of([scene])):
            scene = held_out_scene(rng, domain)
        caption, foil, change = contrast(rng, scene, kinds, domain)
        asked = questions(rng, scene, domain.world)
        yield Example(f"{index:03}.png", scene, caption, foil, change, asked)


def held_out_scene(rng: np.random.Generator, domain: Domain) -> Scene:
    """A scene with a held-out composition, in which no thing is there in two looks."""
    while True:
        scene = domain.sample(rng, "test")
        if len({group.name for group in scene.groups}) == len(scene.groups):
            return scene


def contrast(
    rng: np.random.Generator, scene: Scene, kinds: Counter[str], domain: Domain = STICKERS
) -> tuple[str, str, Change]:
    """A true caption of a scene, its foil, and what was changed: the kind least in `kinds`.

    There it is counted.
    """
    claim, world = domain.describe(rng, scene), domain.world
    changes = (distort(rng, claim, world) for _ in range(16))
    wrong, kind, _ = min(changes, key=lambda change: kinds[change[1]])
    seed = int(rng.integers(2**32))
    caption = _worded(seed, claim, world)
    wordings = (_worded(seed + more, wrong, world) for more in range(WORDINGS))
    foil = min(wordings, key=lambda other: distance(caption, other))
    kinds[kind] += 1
    return caption, foil, Change(kind, tuple(changed_ranges(caption, foil)))


def _worded(seed: int, claim: Description, world: World) -> str:
    return write_caption(np.random.default_rng(seed), claim, world).text


def distance(caption: str, foil: str) -> int:
    """How many words and marks have to be exchanged, left out or put in.

    >>> distance("a red apple on the grass", "two red apples on the grass.")
    3
    """
    one, other = (re.findall(r"\w+|[^\w\s]", text) for text in (caption, foil))
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    changes = [code[1:] for code in codes if code[0] != "equal"]
    return sum(max(i2 - i1, j2 - j1) for i1, i2, j1, j2 in changes)


def questions(
    rng: np.random.Generator, scene: Scene, world: World = WORLD
) -> tuple[StickerQuestion, ...]:
    """For each kind of claim the scene allows, one answer that holds and one that does not."""
    claim = everything(scene)
    right = list(about(write_caption(rng, claim, world), scene, world))
    foils = (write_caption(rng, distort(rng, claim, world)[0], world) for _ in range(32))
    wrong = [asked for foil in foils for asked in about(foil, scene, world) if not asked.holds]
    pools = [[[q for q in pool if q.kind == kind] for pool in (right, wrong)] for kind in KINDS]
    chosen = (pool for pair in pools if all(pair) for pool in pair)
    return tuple(pool[int(rng.integers(len(pool)))] for pool in chosen)


def about(caption: SceneCaption, scene: Scene, world: World = WORLD) -> Iterator[StickerQuestion]:
    """A question for each claim of a caption that is true or false of the scene, and not moot."""
    for span in caption.spans:
        truth = holds(caption.claim, span.kind, span.group, scene)
        if span.kind in KINDS and truth is not None:
            quoted, seen = caption.quote(span), accepted(caption.claim, span, scene, world)
            yield StickerQuestion(span.kind, ask(caption, span, world), quoted, truth, seen)


def accepted(claim: Description, span: Span, scene: Scene, world: World = WORLD) -> tuple[str, ...]:
    """All ways to give the true answer to the question about a span, the usual one first."""
    usual = answer(claim, span.kind, span.group, scene, world)
    ways: Iterable[str] = ()
    if span.kind == "object":
        ways = _names(usual, claim.groups[span.group].name, scene, world)
    if span.kind == "background":
        ways = world.backgrounds[scene.background]
    if span.kind == "relation":
        first, second = (group.name for group in claim.groups)
        phrases = world.relations[str(scene.relation(first, second))]
        ways = (f"{phrase} the {second}" for phrase in phrases)
    return tuple(dict.fromkeys((usual, *ways)))


def _names(usual: str, claimed: str, scene: Scene, world: World) -> list[str]:
    """One and many of the thing; of all things there when none is of the kind asked for."""
    thing = world.thing(usual)
    fits = thing.category == world.thing(claimed).category
    things = [thing] if fits else [world.thing(group.name) for group in scene.groups]
    return [name for each in things for name in (each.name, each.plural_name)]


def read_scenes(folder: Path) -> list[Scene]:
    """The scenes of a set that was written."""
    lines = (folder / "scenes.jsonl").read_text(encoding="utf-8").splitlines()
    return [TypeAdapter(Scene).validate_python(json.loads(line)["scene"]) for line in lines]


def write_images(
    folder: Path,
    seed: int,
    count: int,
    known: Marks = frozenset(),
    domain: Domain = STICKERS,
) -> None:
    """Draw a set; arguments as of `examples`."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = list(examples(seed, count, known, domain))
    for example in lines:
        draw(example.scene, domain.stamp).save(folder / example.image, optimize=True)
    text = "".join(json.dumps(asdict(example)) + "\n" for example in lines)
    (folder / "scenes.jsonl").write_text(text, encoding="utf-8")
