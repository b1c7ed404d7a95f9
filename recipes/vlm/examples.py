"""A scene becomes questions for the eye, each with the answer it should get.

Half of them are about captions changed in one word. No false caption names a composition that is
held out, or its words alone would give it away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from recipes.world.captions import Caption, Description, Span, describe, salt, write_caption
from recipes.world.open_captions import KNOWN_NOUNS
from recipes.world.prompt_augmentation import OTHER_NAMES
from recipes.world.questions import ask, ask_about
from recipes.world.scenes import Scene
from recipes.world.splits import is_held_out
from recipes.world.things import PRACTICE_WORLD as WORLD
from recipes.world.truth import answer, claimed, distort, entailed, holds

PREDICATE = "is {answer} true for {question} in this image?"
ENTAILMENT = "Does this image entail the description: {text}?"
MOOT = 0.25
"""Chance of "yes" when a question speaks of something that is not there."""
STRANGE = 0.04
"""How many claims speak of things that no sticker shows."""
NAMES = {name for t in WORLD.things for name in (t.name, *t.synonyms)}
STRANGERS = tuple(noun for noun in KNOWN_NOUNS if noun not in NAMES)
"""Things that no sticker shows."""
NEAR = 0.15
"""How many predicates about several things ask whether they are next to each other."""
_question = partial(ask, world=WORLD)


@dataclass(frozen=True)
class Ask:
    """One prompt about a picture and the answer it should get."""

    prompt: str
    answer: str
    claims: tuple[tuple[int, bool], ...] = ()
    """For words of a description: a character of it in the prompt, and whether it holds."""


def questions(rng: np.random.Generator, scene: Scene, mix: str) -> list[Ask]:
    """Prompts about one scene, with their answers: a letter of `mix` each.

    Args:
        mix: f for a free question, p for a type-C predicate, e for entailment.
    """
    kinds = {"f": _free, "p": _predicate, "e": _entailment}
    asks = [kinds[letter](rng, scene) for letter in mix]
    return [ask if ask.claims else replace(ask, prompt=_rename(rng, ask.prompt)) for ask in asks]


def _rename(rng: np.random.Generator, text: str, chance: float = 0.08) -> str:
    """The text, its things sometimes called by their other names."""
    if rng.random() >= chance:
        return text
    names = "|".join(OTHER_NAMES)
    return re.sub(rf"\b({names})\b", lambda found: str(rng.choice(OTHER_NAMES[found[0]])), text)


def _claim(rng: np.random.Generator, scene: Scene, wrong: float) -> tuple[Description, str, int]:
    claim = describe(rng, scene, terse=0.12)
    if rng.random() >= wrong:
        return claim, "", -1
    distorted = distort(rng, claim, WORLD)
    while any(map(is_held_out, claimed(distorted[0]))):
        distorted = distort(rng, claim, WORLD)
    return distorted


def _entailment(rng: np.random.Generator, scene: Scene) -> Ask:
    claim, _, _ = _claim(rng, scene, wrong=0.55)
    caption = write_caption(rng, claim, WORLD, formal=0.1)
    if rng.random() < STRANGE:
        return Ask(ENTAILMENT.format(text=_estrange(rng, caption)), "no")
    text = salt(rng, caption.text, 0.05)
    text = _rename(rng, text)
    claims = _word_claims(caption, scene) if text == caption.text else ()
    truth = "yes" if entailed(claim, scene) else "no"
    return Ask(ENTAILMENT.format(text=text), truth, claims)


def _estrange(rng: np.random.Generator, caption: Caption) -> str:
    """The caption with one of its nouns changed to one that no sticker shows."""
    spans = [span for span in caption.spans if span.kind == "object"]
    span = spans[int(rng.integers(len(spans)))]
    return caption.text[: span.start] + str(rng.choice(STRANGERS)) + caption.text[span.end :]


def _word_claims(caption: Caption, scene: Scene) -> tuple[tuple[int, bool], ...]:
    start = ENTAILMENT.index("{")
    found = []
    for span in caption.spans:
        kind = "count" if span.kind == "phrase" else span.kind
        at = span.start if kind in ("count", "relation") else span.end - 1
        if span.kind == "phrase" and caption.text[at : at + 2].lower() not in ("a ", "an"):
            continue
        found.append((start + at, bool(holds(caption.claim, kind, span.group, scene))))
    return tuple(found)


def _predicate(rng: np.random.Generator, scene: Scene) -> Ask:
    claim, kind, group = _claim(rng, scene, wrong=0.65)
    if len(claim.groups) > 1 and rng.random() < NEAR:
        return _neighbour(rng, claim, scene)
    caption = write_caption(rng, claim, WORLD)
    span = _choose(rng, caption, kind, group)
    if span.kind == "object" and rng.random() < 2 * STRANGE:
        strange = str(rng.choice(STRANGERS))
        return Ask(PREDICATE.format(answer=strange, question=_question(caption, span)), "no")
    prompt = PREDICATE.format(answer=_trim(rng, caption, span), question=_question(caption, span))
    truth = holds(claim, span.kind, span.group, scene)
    return Ask(prompt, "yes" if (rng.random() < MOOT if truth is None else truth) else "no")


def _neighbour(rng: np.random.Generator, claim: Description, scene: Scene) -> Ask:
    """Whether the second thing of a description is next to the first: both are in the picture."""
    first, second = claim.groups[:2]
    beside = write_caption(rng, Description((second,)), WORLD).text.lower().strip(".")
    question = ask_about(Description((first, second)), "relation", 0, WORLD)
    place = f"{rng.choice(('next to', 'beside'))} {beside}"
    true = holds(claim, "object", 0, scene) and holds(claim, "phrase", 1, scene)
    prompt = PREDICATE.format(answer=place, question=question)
    return Ask(prompt, "yes" if true else "no")


def _free(rng: np.random.Generator, scene: Scene) -> Ask:
    claim, _, _ = _claim(rng, scene, wrong=0.4)
    caption = write_caption(rng, claim, WORLD)
    span = _choose(rng, caption, "", -1)
    return Ask(
        _question(caption, span),
        answer(claim, span.kind, span.group, scene, WORLD),
    )


def _choose(rng: np.random.Generator, caption: Caption, kind: str, group: int) -> Span:
    """A span of the caption, more often than not the one that was changed."""
    near = [
        span
        for span in caption.spans
        if (span.kind == kind and span.group == group)
        or (kind == "binding" and span.kind in ("colour", "phrase") and span.group < 2)
        or (span.kind == "phrase" and span.group == group)
    ]
    pool = near if near and rng.random() < 0.75 else caption.spans
    return pool[int(rng.integers(len(pool)))]


def _trim(rng: np.random.Generator, caption: Caption, span: Span) -> str:
    """The span as a parser may cut it: sometimes without its article or preposition."""
    words = caption.quote(span).split(" ")
    if span.kind == "background" and rng.random() < 0.4:
        return words[-1] if rng.random() < 0.5 else " ".join(words[1:])
    if span.kind == "phrase" and words[0] in ("a", "an", "A", "An") and rng.random() < 0.2:
        return " ".join(words[1:])
    return " ".join(words)
