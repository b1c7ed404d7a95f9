"""Training examples of sticker-t5, written from captions.

Question generation: from a span to the question that it answers. Answering: from a question to the
words of the caption that answer it, or `UNANSWERABLE`. Contradiction: a caption with one change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from alignment.models.text_models import STICKER_T5
from recipes.parser.caption_words import HOLDING, RESTING
from recipes.t5.contradictions import contradiction
from recipes.world.captions import (
    Description,
    SceneCaption,
    Span,
    describe,
    without_numbers,
    write_caption,
)
from recipes.world.questions import ask_about, ask_object_of
from recipes.world.scenes import sample_scene
from recipes.world.splits import Split
from recipes.world.things import World
from recipes.world.worlds import ICON_PLACES, ICON_WORLD, PRACTICE_WORLD

UNANSWERABLE = "unanswerable"
TEMPLATES = STICKER_T5.templates
UNNUMBERED = 0.15
"""How many groups of several things come without their number."""
TOUCHING = 0.3
"""How many captions of two icons say that one is on or in the other, or wears it."""
EMPTY = 0.05
"""How many captions of icons are of a place alone: "a beach"."""
BARE = 0.2
"""How many of these are its noun: "night"."""
NEIGHBOUR = re.compile("next to|beside|with")
"""Words after which stands what is next to a thing, be it known or not."""
NAMED_WORLD = replace(
    ICON_WORLD,
    places=ICON_PLACES,
    things=tuple(
        replace(thing, name=name)
        for thing in ICON_WORLD.things
        for name in (thing.name, *thing.synonyms)
    ),
)
"""The things of the icon world by every name that they have."""
DETERMINER = re.compile(r"(?:(?:an?|the|my|your|her|their) )(?:\w+'s )?", re.IGNORECASE)
"""An article or a possessive: "my sister's "."""


@dataclass(frozen=True)
class TextExample:
    """What goes into the model and what shall come out."""

    source: str
    target: str


@dataclass(frozen=True)
class SpanQuestion:
    """A question about a caption: the words it was asked of, and what the model shall answer."""

    question: str
    span: str
    answer: str
    start: int
    """Where the words begin in the caption."""


def question_example(text: str, pair: SpanQuestion) -> TextExample:
    """From the span to its question."""
    written = TEMPLATES.writing(text, pair.start, pair.start + len(pair.span))
    return TextExample(written, pair.question)


def answer_example(text: str, pair: SpanQuestion) -> TextExample:
    """From the question to its answer."""
    return TextExample(TEMPLATES.read.format(question=pair.question, context=text), pair.answer)


def sticker_caption(rng: np.random.Generator, split: Split = "train") -> tuple[SceneCaption, World]:
    """A caption of a random scene of stickers."""
    claim = without_numbers(
        rng, describe(rng, sample_scene(rng, PRACTICE_WORLD, split)), UNNUMBERED
    )
    return write_caption(rng, claim, PRACTICE_WORLD, formal=0.15), PRACTICE_WORLD


def icon_caption(rng: np.random.Generator) -> tuple[SceneCaption, World]:
    """A caption of a random scene of icons, or a noun of it by itself, or a place alone."""
    if rng.random() < EMPTY:
        place = Description((), background=str(rng.choice([*ICON_PLACES])))
        caption = write_caption(rng, place, NAMED_WORLD)
        return (_noun_alone(caption) if rng.random() < BARE else caption), NAMED_WORLD
    claim = without_numbers(rng, describe(rng, sample_scene(rng, NAMED_WORLD)), UNNUMBERED)
    if len(claim.groups) == 2 and rng.random() < TOUCHING:
        claim = replace(claim, relation=str(rng.choice(("above", "in", "wearing"))))
    caption = write_caption(rng, claim, NAMED_WORLD)
    if rng.random() < 0.8:
        return caption, NAMED_WORLD
    said = caption.of("object")[0]
    noun = caption.quote(said)
    group = replace(caption.claim.groups[said.group], colour="", state="", size="")
    spans = tuple(Span(kind, 0, 0, len(noun)) for kind in ("phrase", "object"))
    return SceneCaption(noun, Description((group,)), spans), NAMED_WORLD


def _noun_alone(place: SceneCaption) -> SceneCaption:
    """A caption of a place alone, without its article: "night"."""
    said = place.of("background")[0]
    noun = place.text[_without_article(place, said.start) : said.end]
    return SceneCaption(noun, place.claim, (Span(said.kind, said.group, 0, len(noun)),))


def text_examples(
    rng: np.random.Generator, caption: SceneCaption, world: World
) -> list[TextExample]:
    """Two questions, two answers (one in seven has none), one contradiction."""
    found = pairs(caption, world)
    written = [question_example(caption.text, found[i]) for i in rng.integers(len(found), size=2)]
    read = [answer_example(caption.text, found[i]) for i in rng.integers(len(found), size=2)]
    if rng.random() < 0.3:
        read[0] = answer_example(caption.text, unanswerable(rng, caption, world))
    source = TEMPLATES.contradict.format(text=caption.text)
    changed = TextExample(source, contradiction(rng, caption, PRACTICE_WORLD))
    return [*written, *read, changed]


def pairs(caption: SceneCaption, world: World = PRACTICE_WORLD) -> list[SpanQuestion]:
    """Every piece of a caption that a parser may cut out of it, with its question and answer."""
    found: dict[tuple[int, int], SpanQuestion] = {}
    for span in (*caption.spans, *neighbours(caption), *acts(caption)):
        question, answer = _question_of(caption, span, world), _answer_of(caption, span)
        for cut in cuts(caption, span):
            words = caption.text[slice(*cut)]
            found.setdefault(cut, SpanQuestion(question, words, answer, cut[0]))
    return list(found.values())


def neighbours(caption: SceneCaption) -> Iterator[Span]:
    """The "next to a cat" that a caption writes without claiming a relation."""
    phrases = caption.of("phrase")
    if len(phrases) == 2:
        between = re.search(r"(next to|beside) $", caption.text[: phrases[1].start])
        if between:
            yield Span("relation", 0, between.start(), phrases[1].end)


def acts(caption: SceneCaption) -> Iterator[Span]:
    """The "holding a cup" that a caption writes between two things."""
    phrases = caption.of("phrase")
    if len(phrases) == 2 and not caption.claim.relation:
        start, end = phrases[0].end + 1, phrases[1].start - 1
        if caption.text[start:end] in HOLDING:
            yield Span("act", 0, start, phrases[1].end)


def _question_of(caption: SceneCaption, span: Span, world: World) -> str:
    """The question that a span answers; one the sticker world does not ask for acts and traits.

    >>> from recipes.world.scenes import Group
    >>> claim = Description((Group("owl", state="fluffy", count=2),))
    >>> _question_of(SceneCaption("", claim, ()), Span("state", 0, 4, 10), PRACTICE_WORLD)
    'what are the owls like?'
    """
    if span.kind in ("act", "state"):
        group = caption.claim.groups[span.group]
        if span.kind == "act":
            return ask_object_of(group, caption.quote(span).partition(" ")[0], world)
        if not world.thing(group.name).states:
            return ask_object_of(group, "like", world)
    return ask_about(caption.claim, span.kind, span.group, world)


def _answer_of(caption: SceneCaption, span: Span) -> str:
    """What the answer quotes.

    Of a thing its name, with the nearest word about it where there are more or a possessive stands
    before it: so much of "two black apples" that a round trip knows both the phrase and its noun.
    """
    if span.kind not in ("phrase", "object"):
        return caption.quote(span)
    phrase, noun = (caption.span(kind, span.group) for kind in ("phrase", "object"))
    start = _without_article(caption, phrase.start)
    before = caption.text[start : noun.start].split()
    owned = caption.text[phrase.start : start].lower() not in ("", "a ", "an ", "the ")
    named = before[-1:] if owned or len(before) > 1 else []
    return " ".join([*named, caption.quote(noun)])


def cuts(caption: SceneCaption, span: Span) -> Iterator[tuple[int, int]]:
    """Start and end of a span as written, and of what else a parser may cut there.

    Places without their prepositions and articles, and with a verb such as "sitting"; relations
    without what follows the thing they lead to, colours with the adjective before them.
    """
    yield span.start, span.end
    before = caption.text[: span.start].split()
    if span.kind in ("background", "relation") and before and before[-1] in RESTING:
        yield span.start - len(before[-1]) - 1, span.end
    if span.kind == "background" and " " in caption.quote(span):
        start = caption.text.index(" ", span.start) + 1
        yield start, span.end
        yield _without_article(caption, start), span.end
    if span.kind == "relation":
        yield span.start, caption.span("phrase", 1).end
    if span.kind == "colour":
        for state in caption.spans:
            if (state.kind, state.group, state.end + 1) == ("state", span.group, span.start):
                yield state.start, span.end


def _without_article(caption: SceneCaption, start: int) -> int:
    found = DETERMINER.match(caption.text, start)
    return found.end() if found else start


def unanswerable(rng: np.random.Generator, caption: SceneCaption, world: World) -> SpanQuestion:
    """A question that the caption leaves open: of what it does not say, or of what is not there."""
    questions = [*_unsaid(caption, world)] if rng.random() < 0.7 else []
    options = questions or [*_absent(rng, caption, world)]
    return SpanQuestion(str(rng.choice(options)), "", UNANSWERABLE, 0)


def _unsaid(caption: SceneCaption, world: World) -> Iterator[str]:
    claim = caption.claim
    said = {(span.kind, span.group) for span in (*caption.spans, *neighbours(caption))}
    for index, group in enumerate(claim.groups):
        kinds = ["colour", "count", *(["state"] if world.thing(group.name).states else [])]
        placed = claim.background or ("relation", index) in said or NEIGHBOUR.search(caption.text)
        kinds += [] if placed else ["relation"]
        yield from (ask_about(claim, k, index, world) for k in kinds if (k, index) not in said)
    if not claim.background:
        yield from ("where does this take place?", "what time of day is it?")


def _absent(rng: np.random.Generator, caption: SceneCaption, world: World) -> Iterator[str]:
    text = caption.text.lower()
    absent = [thing for thing in PRACTICE_WORLD.things if thing.name not in text]
    thing = absent[rng.integers(len(absent))]
    yield from (f"what color is the {thing.name}?", f"how many {thing.plural_name} are there?")
    yield f"where is the {thing.name}?"
    if thing.category not in {world.thing(g.name).category for g in caption.claim.groups}:
        yield f"what {thing.category} is there?"
    if thing.states:
        yield f"is the {thing.name} {' or '.join(thing.states)}?"
