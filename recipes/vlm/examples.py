"""VQA examples: prompts about a scene, each with the answer it should get.

Half of them are about captions changed in one word. No false caption names a composition that is
held out, or its words alone would give it away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from alignment.models.spec import Templates
from alignment.prompt_pairs.description_match import ONE_OR_ZERO
from recipes.world.captions import (
    Description,
    SceneCaption,
    Span,
    add_noise_word,
    without_numbers,
    write_caption,
)
from recipes.world.domains import Domain
from recipes.world.open_captions import KNOWN_NOUNS
from recipes.world.prompt_augmentation import other_names
from recipes.world.questions import ask, ask_about
from recipes.world.scenes import Scene
from recipes.world.things import SYNONYMS
from recipes.world.truth import TOUCHING, answer, entailed, holds

TEMPLATES = Templates()
MOOT = 0.25
"""Chance of "yes" when a question speaks of something that is not there."""
RENAMED = 0.08
"""How many prompts call things by their other names."""
BY_ITSELF = 0.7
"""Chance that a question for a thing, put with an answer, is written as if it stood alone."""
UNNUMBERED = 0.2
"""How many claims of several things give no number."""
STRANGE = 0.04
"""How many claims speak of things that no sticker shows."""
TWO_COLOURED = 0.04
"""How many claims give a thing two colours, which none has: "a red and blue ball"."""
NEAR = 0.15
"""How many predicates about several things ask whether they are next to each other."""


@dataclass(frozen=True)
class VqaExample:
    """One prompt about an image and the answer it should get."""

    prompt: str
    answer: str
    claims: tuple[tuple[int, bool], ...] = ()
    """For words of a description: a character of it in the prompt, and whether it holds."""


@dataclass(frozen=True, eq=False)
class ExampleWriter:
    """Writes examples about scenes of a world."""

    domain: Domain

    def examples(self, rng: np.random.Generator, scene: Scene, mix: str) -> list[VqaExample]:
        """Prompts about one scene, with their answers: a letter of `mix` each.

        Args:
            mix: f for a free question, p for a type-C predicate, s for the type-B predicate, e for
                entailment, v for VQAScore's question, b for Commonsense-T2I's, which wants 1 or 0.
        """
        kinds = {"f": self._free, "p": self._predicate, "s": self._same}
        kinds |= {"e": self._entailment, "v": self._vqascore, "b": self._binary}
        written = [kinds[letter](rng, scene) for letter in mix]
        return [
            each if each.claims else replace(each, prompt=self._rename(rng, each.prompt))
            for each in written
        ]

    @cached_property
    def _strangers(self) -> tuple[str, ...]:
        """Things that no image of this world shows."""
        names = {name for t in self.domain.world.things for name in (t.name, *t.synonyms)}
        return tuple(noun for noun in KNOWN_NOUNS if noun not in names)

    def _rename(self, rng: np.random.Generator, text: str) -> str:
        """The text, its things and looks sometimes called by their other names."""
        if rng.random() >= RENAMED:
            return text
        others = {**other_names(self.domain.world), **SYNONYMS}
        names = "|".join(others)
        return re.sub(rf"\b({names})\b", lambda found: str(rng.choice(others[found[0]])), text)

    def _claim(
        self, rng: np.random.Generator, scene: Scene, wrong: float
    ) -> tuple[Description, str, int]:
        claim, kind, group = self.domain.describe(rng, scene), "", -1
        if rng.random() < wrong:
            claim, kind, group = self.domain.distort(rng, claim)
        return without_numbers(rng, claim, UNNUMBERED), kind, group

    def _entailment(
        self, rng: np.random.Generator, scene: Scene, template: str = TEMPLATES.entailment
    ) -> VqaExample:
        claim, _, _ = self._claim(rng, scene, wrong=0.55)
        caption = write_caption(rng, claim, self.domain.world, formal=0.1)
        if rng.random() < STRANGE:
            return VqaExample(template.format(text=self._estrange(rng, caption)), "no")
        if caption.of("colour") and rng.random() < TWO_COLOURED:
            text, _ = self._two_coloured(rng, caption, _choose(rng, caption.of("colour")))
            return VqaExample(template.format(text=text), "no")
        text = self._rename(rng, add_noise_word(rng, caption.text, 0.05))
        start = template.index("{")
        claims = _word_claims(caption, scene, start) if text == caption.text else ()
        truth = "yes" if entailed(claim, scene) else "no"
        return VqaExample(template.format(text=text), truth, claims)

    def _vqascore(self, rng: np.random.Generator, scene: Scene) -> VqaExample:
        return self._entailment(rng, scene, TEMPLATES.vqascore)

    def _binary(self, rng: np.random.Generator, scene: Scene) -> VqaExample:
        template = ONE_OR_ZERO.replace("{description}", "{text}")
        example = self._entailment(rng, scene, template)
        return replace(example, answer="1" if example.answer == "yes" else "0")

    def _estrange(self, rng: np.random.Generator, caption: SceneCaption) -> str:
        """The caption with one of its nouns changed to one that no image shows."""
        spans = caption.of("object")
        span = spans[int(rng.integers(len(spans)))]
        strange = str(rng.choice(self._strangers))
        return caption.text[: span.start] + strange + caption.text[span.end :]

    def _two_coloured(
        self, rng: np.random.Generator, caption: SceneCaption, span: Span
    ) -> tuple[str, str]:
        """The caption with a second colour of a thing, mostly that of another; the same span."""
        own = caption.claim.groups[span.group].colour
        near = [each.colour for each in caption.claim.groups if each.colour not in ("", own)]
        far = [each for each in self.domain.world.colours if each != own]
        more, end = f" and {rng.choice(near or far)}", caption.span("colour", span.group).end
        text = caption.text[:end] + more + caption.text[end:]
        return text, text[span.start : span.end + len(more)]

    def _predicate(self, rng: np.random.Generator, scene: Scene) -> VqaExample:
        claim, kind, group = self._claim(rng, scene, wrong=0.65)
        if len(claim.groups) > 1 and rng.random() < NEAR:
            return self._neighbour(rng, claim, scene)
        caption = write_caption(rng, claim, self.domain.world)
        if not kind and claim.relation in TOUCHING:  # few captions speak of it
            kind, group = "relation", 0
        span = _choose(rng, caption.spans, kind, group)
        question = ask(caption, span, self.domain.world)
        if span.kind in ("object", "phrase") and rng.random() < BY_ITSELF:
            question = ask_about(
                Description((claim.groups[span.group],)), "object", 0, self.domain.world
            )
        if span.kind == "object" and rng.random() < 2 * STRANGE:
            strange = str(rng.choice(self._strangers))
            return VqaExample(TEMPLATES.predicate.format(answer=strange, question=question), "no")
        coloured = span.group >= 0 and caption.claim.groups[span.group].colour
        if span.kind in ("colour", "phrase") and coloured and rng.random() < 2 * TWO_COLOURED:
            _, said = self._two_coloured(rng, caption, span)
            return VqaExample(TEMPLATES.predicate.format(answer=said, question=question), "no")
        said = _trim(rng, caption, span)
        bare = span.kind == "phrase" and said == caption.quote(caption.span("object", span.group))
        truth = holds(claim, "object" if bare else span.kind, span.group, scene)
        yes = rng.random() < MOOT if truth is None else truth
        prompt = TEMPLATES.predicate.format(answer=said, question=question)
        return VqaExample(prompt, "yes" if yes else "no")

    def _neighbour(self, rng: np.random.Generator, claim: Description, scene: Scene) -> VqaExample:
        """Whether the second thing of a description is next to the first."""
        first, second = claim.groups[:2]
        text = write_caption(rng, Description((second,)), self.domain.world).text
        question = ask_about(Description((first, second)), "relation", 0, self.domain.world)
        place = f"{rng.choice(('next to', 'beside'))} {text.lower().strip('.')}"
        true = holds(claim, "object", 0, scene) and holds(claim, "phrase", 1, scene)
        true = true and holds(Description((first, second), "beside"), "relation", 0, scene)
        prompt = TEMPLATES.predicate.format(answer=place, question=question)
        return VqaExample(prompt, "yes" if true else "no")

    def _free(self, rng: np.random.Generator, scene: Scene) -> VqaExample:
        claim, _, _ = self._claim(rng, scene, wrong=0.4)
        caption = write_caption(rng, claim, self.domain.world)
        span = _choose(rng, _answerable(caption, scene))
        truth = self._answer(claim, span, scene)
        return VqaExample(ask(caption, span, self.domain.world), truth)

    def _same(self, rng: np.random.Generator, scene: Scene) -> VqaExample:
        """Whether the answer that the image gives says what a claimed one says."""
        claim, kind, group = self._claim(rng, scene, wrong=0.65)
        caption = write_caption(rng, claim, self.domain.world)
        span = _choose(rng, _answerable(caption, scene), kind, group)
        said, seen = _trim(rng, caption, span), self._answer(claim, span, scene)
        question = ask(caption, span, self.domain.world)
        prompt = TEMPLATES.same.format(question=question, answer=said, seen=seen)
        return VqaExample(prompt, "yes" if holds(claim, span.kind, span.group, scene) else "no")

    def _answer(self, claim: Description, span: Span, scene: Scene) -> str:
        return answer(claim, span.kind, span.group, scene, self.domain.world)


def _word_claims(caption: SceneCaption, scene: Scene, start: int) -> tuple[tuple[int, bool], ...]:
    """For words that claim something: where they stand in the prompt, and whether it holds."""
    found = []
    for span in caption.spans:
        kind = "count" if span.kind == "phrase" else span.kind
        at = span.start if kind in ("count", "relation") else span.end - 1
        if span.kind == "phrase" and not caption.text[at:].lower().startswith(("a ", "an ")):
            continue
        found.append((start + at, bool(holds(caption.claim, kind, span.group, scene))))
    return tuple(found)


def _choose(
    rng: np.random.Generator, spans: Sequence[Span], kind: str = "", group: int = -1
) -> Span:
    """One of some spans, more often than not the one that was changed."""
    near = [
        span
        for span in spans
        if (span.kind == kind and span.group == group)
        or (kind == "binding" and span.kind in ("colour", "phrase") and span.group < 2)
        or (span.kind == "phrase" and span.group == group)
    ]
    pool = near if near and rng.random() < 0.75 else spans
    return pool[int(rng.integers(len(pool)))]


def _answerable(caption: SceneCaption, scene: Scene) -> list[Span]:
    """Spans whose question has one answer: what color is the heart, of a red and a blue one?"""
    names = [each.name for each in scene.groups]
    return [
        span
        for span in caption.spans
        if span.kind in ("object", "phrase", "background")
        or names.count(caption.claim.groups[span.group].name) < 2
    ]


def _trim(rng: np.random.Generator, caption: SceneCaption, span: Span) -> str:
    """The span as a parser may cut it: sometimes a place without its preposition."""
    words = caption.quote(span).split(" ")
    if span.kind == "background" and rng.random() < 0.4:
        return words[-1] if rng.random() < 0.5 else " ".join(words[1:])
    return " ".join(words)
