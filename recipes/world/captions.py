"""Captions: what is said of a scene, and where in the text each word of it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from recipes.world.scenes import Group, Scene, compositions
from recipes.world.splits import Composition
from recipes.world.things import NUMBERS, SEVERAL, World
from recipes.world.worlds import ICON_WORLD, WORLD

UNNAMED = 0.35
"""How often a colour of the icon world goes unsaid that the class has when nobody asks for one."""
UNNAMED_OTHERWISE = 0.2
"""How often any colour goes unsaid, of a class that training never shows in its natural one."""


@dataclass(frozen=True)
class Description:
    """What a caption claims; an empty colour or state, no background: nothing is said of it."""

    groups: tuple[Group, ...]
    relation: str = ""
    """Where the first group is from the second."""
    background: str = ""

    @property
    def compositions(self) -> tuple[Composition, ...]:
        """The compositions it speaks of, as those of scenes."""
        return compositions(self.groups, self.relation)


@dataclass(frozen=True)
class Span:
    """A piece of a caption and the claim it makes."""

    kind: str
    """"phrase", "object", "size", "colour", "count", "state", "relation" or "background"."""
    group: int
    """The group it is about; -1 for the background."""
    start: int
    end: int


@dataclass(frozen=True)
class SceneCaption:
    """A text, what it claims, and its spans."""

    text: str
    claim: Description
    spans: tuple[Span, ...]

    def of(self, kind: str) -> list[Span]:
        """The spans of a kind."""
        return [span for span in self.spans if span.kind == kind]

    def first(self, kind: str) -> Span | None:
        """The first span of a kind, if there is one."""
        return next(iter(self.of(kind)), None)

    def span(self, kind: str, group: int) -> Span:
        """The first span of a kind about a group."""
        return next(span for span in self.spans if (span.kind, span.group) == (kind, group))

    def quote(self, span: Span) -> str:
        """The words of a span."""
        return self.text[span.start : span.end]


def describe(
    rng: np.random.Generator,
    scene: Scene,
    terse: float = 0.15,
    unsaid: Callable[[Scene, Group], float] | None = None,
) -> Description:
    """Choose what to say of a scene.

    Args:
        terse: the chance of each colour and state to go unsaid.
        unsaid: that of the colour of a group, where it differs.
    """

    def said(value: str, chance: float = terse) -> str:
        return value if rng.random() >= chance else ""

    groups = tuple(
        replace(g, colour=said(g.colour, chance), state=said(g.state))
        for g in scene.groups
        for chance in [unsaid(scene, g) if unsaid else terse]
    )
    groups = tuple(replace(g, size="") if g.size and rng.random() < 0.6 else g for g in groups)
    relation = ""
    if len(groups) == 2 and rng.random() < 0.6:
        relation = scene.where or ""
    background = scene.background if rng.random() < 0.6 and scene.background != "plain" else ""
    return Description(groups, relation, background)


def unnamed_icon(scene: Scene, group: Group) -> float:
    """How often the colour of a group of the icon world goes unsaid.

    Only where it is natural, so that "a carrot" is as carrots are; colours that tell two things of
    one class apart are always said.
    """
    thing = ICON_WORLD.thing(group.name)
    if [each.name for each in scene.groups].count(group.name) > 1:
        return 0.0
    if group.colour == thing.natural:
        return UNNAMED
    natural = ("colour", thing.name, thing.natural)
    hidden = bool(thing.natural) and ICON_WORLD.split_of(natural) != "train"
    return UNNAMED_OTHERWISE if hidden else 0.0


def without_numbers(rng: np.random.Generator, claim: Description, chance: float) -> Description:
    """The same of unnumbered things: "owls" for "two owls", seldom for "an owl", which is wrong.

    Args:
        chance: that of each group of several.
    """
    groups = tuple(
        replace(group, count=SEVERAL)
        if rng.random() < (chance if group.count > 1 else chance / 8)
        else group
        for group in claim.groups
    )
    return replace(claim, groups=groups)


def everything(scene: Scene) -> Description:
    """All that can be said of a scene."""
    background = "" if scene.background == "plain" else scene.background
    return Description(scene.groups, scene.where or "", background)


class _Writer:
    """Collects text and remembers where each claim was written."""

    def __init__(self) -> None:
        self.text = ""
        self.spans: list[Span] = []

    def say(self, words: str, kind: str = "", group: int = -1) -> None:
        start = len(self.text) + (1 if self.text and not words.startswith(",") else 0)
        self.text = f"{self.text}{' ' * (start - len(self.text))}{words}"
        if kind:
            self.spans.append(Span(kind, group, start, len(self.text)))

    def close(self, kind: str, group: int, start: int) -> None:
        begin = start + (1 if start else 0)
        self.spans.append(Span(kind, group, begin, len(self.text)))


def write_caption(
    rng: np.random.Generator, claim: Description, world: World = WORLD, formal: float = 0.0
) -> SceneCaption:
    """Say a description in one of many ways.

    Args:
        formal: chance of a wrapper such as "a picture of".
    """
    writer = _Writer()
    place = str(rng.choice(world.backgrounds[claim.background])) if claim.background else ""
    first = bool(place) and bool(claim.groups) and rng.random() < 0.15
    if first:
        writer.say(place, "background")
        writer.say(",")
    elif rng.random() < formal:
        writer.say(str(rng.choice(("a picture of", "there is", "an image of"))))
    if not claim.groups:
        writer.say(str(rng.choice(world.places[claim.background])), "background")
        return SceneCaption(_finish(rng, writer.text), claim, tuple(writer.spans))
    _say_groups(rng, writer, claim, world)
    if place and not first:
        writer.say(place, "background")
    return SceneCaption(_finish(rng, writer.text), claim, tuple(writer.spans))


def _say_groups(
    rng: np.random.Generator, writer: _Writer, claim: Description, world: World
) -> None:
    _say_group(rng, writer, 0, claim.groups[0], world)
    if claim.relation:
        start = len(writer.text)
        writer.say(str(rng.choice(world.relations[claim.relation])))
        _say_group(rng, writer, 1, claim.groups[1], world)
        writer.close("relation", 0, start)
        return
    last = len(claim.groups) - 1
    for index, group in enumerate(claim.groups[1:], start=1):
        writer.say(_joint(rng, index == last, last == 1))
        _say_group(rng, writer, index, group, world)


def _joint(rng: np.random.Generator, final: bool, pair: bool) -> str:
    if pair:
        return str(rng.choice(("and", "and", "and", "and", "with", ",")))
    return str(rng.choice(("and", ", and", ","))) if final else ","


def _say_group(
    rng: np.random.Generator, writer: _Writer, index: int, group: Group, world: World
) -> None:
    start = len(writer.text)
    thing = world.thing(group.name)
    trailing = bool(group.colour) and rng.random() < 0.06
    adjectives = [("state", group.state), ("colour", "" if trailing else group.colour)]
    if rng.random() < 0.2:
        adjectives.reverse()
    words = [(kind, word) for kind, word in [("size", group.size), *adjectives] if word]
    noun = thing.name if group.count == 1 else thing.plural_name
    _say_number(rng, writer, index, group.count, (words[0][1] if words else noun))
    for kind, word in words:
        writer.say(word, kind, index)
    writer.say(noun, "object", index)
    writer.close("phrase", index, start)
    if trailing:
        writer.say("that is" if group.count == 1 else "that are")
        writer.say(group.colour, "colour", index)


def _say_number(
    rng: np.random.Generator, writer: _Writer, index: int, count: int, following: str
) -> None:
    if count == SEVERAL:
        if rng.random() < 0.4:
            writer.say(str(rng.choice(("some", "several", "many"))))
    elif count > 1:
        writer.say(NUMBERS[count], "count", index)
    elif rng.random() < 0.05:
        writer.say("one", "count", index)
    elif rng.random() < 0.93:
        writer.say("an" if following[0] in "aeiou" else "a")


def _finish(rng: np.random.Generator, text: str) -> str:
    if rng.random() < 0.2:
        text = text[0].upper() + text[1:]
    return text + ("." if rng.random() < 0.15 else "")


def add_noise_word(rng: np.random.Generator, text: str, chance: float = 0.06) -> str:
    """Sometimes put a word in that means nothing here, as people's prompts do."""
    if rng.random() > chance:
        return text
    word = "".join(chr(97 + int(i)) for i in rng.integers(0, 26, int(rng.integers(3, 9))))
    words = text.split(" ")
    words.insert(int(rng.integers(len(words) + 1)), word)
    return " ".join(words)
