"""Augmentation of captions towards what people type: synonyms, digits, wrappers, word noise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import chain

import numpy as np

from recipes.world.captions import SceneCaption, Span
from recipes.world.open_captions import invented_word, invert, splice, without_articles
from recipes.world.plural import pluralise
from recipes.world.scenes import OFTEN_ASKED
from recipes.world.things import COLOURS, READ_AS, RELATIONS, SYNONYMS, World
from recipes.world.worlds import ICON_WORLD

NUMERALS = {
    "one": ("1",),
    "two": ("2", "a couple of", "a pair of"),
    "three": ("3",),
    "four": ("4",),
    "five": ("5",),
    "six": ("6",),
}
STATES = {"lit": ("burning",), "unlocked": ("open",), "locked": ("closed",)}
PLACES = {"night": ("in the dark",), "snow": ("in snow",), "beach": ("on sand",)}
SIDES = {
    "left": ("on the left side of",),
    "right": ("on the right side of",),
}
DENIED_FIRST = 1 / 3
"""How many captions that rule a thing out begin with it: "no dogs, just a cat"."""
READ_PLACES: Mapping[str, tuple[str, ...]] = {
    "grass": ("in a meadow", "in a field", "in the park", "in a park", "in the garden"),
    "beach": ("in the desert", "by the sea"),
    "snow": ("in winter", "on a snowy field"),
    "sunset": ("at sunrise", "at dusk"),
    "street": ("on a street", "in the city"),
    "water": ("on the sea", "in the sea", "in the ocean", "on a lake", "in a river"),
    "room": ("in the house", "in the kitchen"),
}
"""Background -> places that a text-to-image model draws as it."""
TOUCHED = {
    "wearing": OFTEN_ASKED.worn,
    "in": OFTEN_ASKED.containers,
    "inside": OFTEN_ASKED.containers,
}
"""Words that say that two things touch where the second is one of these; else they are read as
"with": who wears a backpack stands beside it."""
APART = 4
"""How often each of them stands among the words for "with"."""
FILLED = ("of", "full of", "filled with")
"""What stands between what holds several things and these."""
OPENINGS = ("a photo of", "an illustration of", "draw", "show me", "please paint", "there is")
"""Beside those of `captions.write_caption`."""

_READ = re.compile(rf"\b({'|'.join(READ_AS)})\b(?! the| top| sand| no\b)", re.IGNORECASE)
"""Words between things, numbers and people; not the beginning of a place."""

_JOINTS = (
    *("", ",", " and", " and", " with", " next to", " on", " over", " above", " under", " in"),
    *(f" {joint}" for word in ("with", "by", "on") for joint in READ_AS[word]),
)
"""What may stand between a thing and one that nobody knows."""

_SAID = [words for said in (NUMERALS, SYNONYMS, STATES, PLACES, SIDES) for words in said.values()]
WORDS = frozenset(" ".join((*OPENINGS, "coloured", *chain.from_iterable(_SAID))).split())
"""Words that rewording puts in, beside names of things and words that captions have anyway."""

Change = Callable[[np.random.Generator, SceneCaption], SceneCaption]


@cache
def other_names(world: World) -> Mapping[str, tuple[str, ...]]:
    """One and many of a thing -> what people also call it."""
    return {
        name: tuple(map(number, thing.synonyms))
        for thing in world.things
        if thing.synonyms
        for name, number in ((thing.name, str), (thing.plural_name, pluralise))
    }


def _exchange(
    kind: str,
    words: Mapping[str, tuple[str, ...]],
    rng: np.random.Generator,
    caption: SceneCaption,
) -> SceneCaption:
    """Other words for spans of a kind, where there are some."""
    for span in reversed(caption.of(kind)):
        others = words.get(caption.quote(span).lower())
        if others:
            caption = splice(caption, span.start, span.end, str(rng.choice(others)))
    return caption


def _relocate(
    words: Mapping[str, tuple[str, ...]], rng: np.random.Generator, caption: SceneCaption
) -> SceneCaption:
    """A place by another name, where something is before it: "in a park" for "on the grass"."""
    place, others = caption.first("background"), words.get(caption.claim.background)
    if place is None or others is None or not caption.claim.groups:
        return caption
    return splice(caption, place.start, place.end, str(rng.choice(others)))


def _side(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    said = caption.first("relation")
    words = SIDES.get(caption.claim.relation)
    if said is None or words is None:
        return caption
    known = RELATIONS[caption.claim.relation]
    old = next((w for w in known if caption.quote(said).startswith(w)), None)
    if old is None:  # a word that says nothing stands within it
        return caption
    return splice(caption, said.start, said.start + len(old), str(rng.choice(words)))


def _trail(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """The colour or state of a thing after it: "a car that is red", "a padlock, open"."""
    for span in reversed(caption.of("phrase")):
        first = _leading(caption, span)
        noun = caption.span("object", span.group)
        if first is None or rng.random() < 0.4:
            continue
        many = caption.claim.groups[span.group].count != 1
        verb = "are" if many else "is"
        joint = str(
            rng.choice((f"that {verb}", f"which {verb}", ", which " + verb, "coloured", ","))
        )
        joint = joint if first.kind == "colour" or joint != "coloured" else f"that {verb}"
        words, glue = caption.quote(first), "" if joint.startswith(",") else " "
        others = tuple(span for span in caption.spans if span != first)
        behind = noun.end + len(f"{glue}{joint} ")
        caption = splice(
            replace(caption, spans=others), noun.end, noun.end, f"{glue}{joint} {words}"
        )
        moved = replace(first, start=behind, end=behind + len(words))
        spans = sorted((*caption.spans, moved), key=lambda span: span.start)
        caption = splice(replace(caption, spans=tuple(spans)), first.start, first.end + 1, "")
    return caption


def _leading(caption: SceneCaption, phrase: Span) -> Span | None:
    """The last adjective before the noun of a phrase."""
    noun = caption.span("object", phrase.group)
    before = [
        s
        for s in caption.spans
        if s.group == phrase.group and s.kind in ("colour", "state") and s.end + 1 == noun.start
    ]
    return before[-1] if before else None


def _read_otherwise(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """Words as others that are to be read as they are: "a cat holding a hat" for "with a hat"."""
    for word in reversed([*_READ.finditer(caption.text)]):
        others = READ_AS[word[0].lower()]
        if word[0].lower() == "with" and caption.claim.groups:
            last = caption.claim.groups[-1].name
            apart = tuple(each for each, names in TOUCHED.items() if last not in names)
            others += APART * apart
        caption = splice(caption, *word.span(), str(rng.choice(others)))
    return caption


def _say_with(_: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """One thing with another: "a cat with a hat" for "a cat and a hat"."""
    start = caption.text.find(" and ") + 1
    if not start or len(caption.claim.groups) != 2 or caption.claim.relation:
        return caption
    return splice(caption, start, start + len("and"), "with")


def fill(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """What holds several things before them: "a bowl of lemons" for "lemons in a bowl"."""
    relation = caption.first("relation")
    if relation is None or caption.claim.relation != "in":
        return caption
    if caption.claim.groups[0].count == 1 or caption.of("phrase")[0].start:
        return caption
    holder = caption.span("phrase", 1).start
    held, holds = caption.text[: relation.start - 1], caption.text[holder : relation.end]
    holds += f" {rng.choice(FILLED)}"

    def moved(span: Span) -> Span:
        shift = len(holds) + 1 if span.group == 0 else -holder
        shift = len(holds) + 1 + len(held) - relation.end if span.group < 0 else shift
        return replace(span, start=span.start + shift, end=span.end + shift)

    text = f"{holds} {held[0].lower()}{held[1:]}{caption.text[relation.end :]}"
    others = (span for span in caption.spans if span != relation)
    spans = sorted(map(moved, others), key=lambda span: span.start)
    return replace(caption, text=text, spans=tuple(spans))


def _leave_empty(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """An empty place with what is not there: "a street with no cars"."""
    return caption if caption.claim.groups else rule_out(rng, caption)


def _uncount(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """No word for two: "owls" are as many unless a word says that there are more."""
    for span in reversed(caption.of("count")):
        if caption.quote(span).lower() == "two":
            others = tuple(each for each in caption.spans if each != span)
            caption = splice(replace(caption, spans=others), span.start, span.end + 1, "")
    return caption


def rule_out(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """Rule out, first or last, a thing of another category than those that are shown."""
    shown = {ICON_WORLD.thing(group.name).category for group in caption.claim.groups}
    others = [thing for thing in ICON_WORLD.things if thing.category not in shown]
    thing = others[int(rng.integers(len(others)))]
    name = str(rng.choice((thing.name, thing.plural_name)))
    article = "a " if name == thing.name else "any "
    if rng.random() < DENIED_FIRST:
        sign = str(rng.choice(("no ", "without ", f"without {article}")))
        joint = rng.choice((", ", ", just ", ", only ", " but "))
        return splice(caption, 0, 0, f"{sign}{name}{joint}")
    sign = str(rng.choice((f"without {article}", "without ", "and no ", "but no ", "with no ")))
    return _append(caption, f"{rng.choice((' ', ' ', ', '))}{sign}{name}")


def _append(caption: SceneCaption, words: str) -> SceneCaption:
    """The caption with words at its end, before the full stop."""
    end = len(caption.text.rstrip("."))
    return splice(caption, end, end, words)


def _open(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    return splice(caption, 0, 0, f"{rng.choice(OPENINGS)} ")


def _add_noise_words(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """One to three words that mean nothing here, anywhere between the others."""
    for _ in range(int(rng.integers(1, 4))):
        gaps = [i for i, letter in enumerate(caption.text) if letter == " "] or [len(caption.text)]
        gap = int(rng.choice(gaps))
        caption = splice(caption, gap, gap, f" {invented_word(rng)}")
    return caption


def _qualify(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """A word that means nothing here right before a thing: "a wooden spoon"."""
    for noun in caption.of("object")[:1]:
        caption = splice(caption, noun.start, noun.start, f"{invented_word(rng)} ")
    return caption


def _accompany(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """A thing that nobody knows, before or after the others."""
    strange = invented_word(rng)
    joint = str(rng.choice(_JOINTS))
    if rng.random() < 0.5:
        return splice(caption, 0, 0, f"a {strange}{joint} ")
    article = rng.choice((" a", " a", " the", ""))
    return _append(caption, f"{joint}{article} {strange}")


def _accompany_with_some(rng: np.random.Generator, caption: SceneCaption) -> SceneCaption:
    """Things that nobody knows, of a number or a colour, last: "wearing two pink florps"."""
    joint, count = rng.choice((*_JOINTS, " wearing")), rng.choice(("a", "two", "three", ""))
    said = filter(None, (count, rng.choice(("", *COLOURS)), invented_word(rng)))
    return _append(caption, f"{joint} {' '.join(said)}")


Changes = tuple[tuple[Change, float], ...]
"""Changes, each with its usual chance."""

AROUND: Changes = (
    (_trail, 0.12),
    (partial(_exchange, "size", SYNONYMS), 0.25),
    (partial(_exchange, "colour", SYNONYMS), 0.2),
    (partial(_exchange, "count", NUMERALS), 0.15),
    (partial(_relocate, PLACES), 0.1),
    (_side, 0.2),
    (lambda _, caption: invert(caption), 0.15),
    (lambda _, caption: without_articles(caption), 0.08),
    (_accompany, 0.05),
    (_open, 0.08),
    (_add_noise_words, 0.07),
)
"""Those that call no thing and no state of it otherwise: the same questions ask for these."""


READINGS: Changes = ((rule_out, 0.1), (_read_otherwise, 0.3), (_uncount, 0.2))
"""Those that only a text-to-image model reads so: it draws one of all the images that fit."""
TEXT_TO_IMAGE_READINGS: Changes = (
    (_say_with, 0.4),
    *READINGS,
    (fill, 0.4),
    (partial(_relocate, READ_PLACES), 0.3),
    (_leave_empty, 0.5),
    (_accompany, 0.2),
    (_accompany_with_some, 0.15),
    (_qualify, 0.1),
    (_add_noise_words, 0.1),
)
"""The same, more often of things with others, with places by other names, with what is not in an
empty one, with things that nobody knows and more words that say nothing."""


def every_change(world: World) -> Changes:
    """All changes to captions of a world, which claim the same afterwards."""
    looks: Changes = (
        (partial(_exchange, "object", other_names(world)), 0.15),
        (partial(_exchange, "state", STATES), 0.06),
    )
    return (*looks, *AROUND)


def augment_prompt(
    rng: np.random.Generator, caption: SceneCaption, changes: Changes
) -> SceneCaption:
    """The caption as somebody might type it; most captions stay as they are.

    Its spans move along, also that of an adjective which moves behind its noun. Articles are left
    as they are, so that "a orange" may come out, as it does where people type.

    Args:
        changes: which there are, in their order, as `every_change` lists them.
    """
    for change, chance in changes:
        if rng.random() < chance:
            caption = change(rng, caption)
    return caption
