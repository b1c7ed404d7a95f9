"""How well a model writes questions, answers them and contradicts captions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import chain

import numpy as np

from alignment.models.text import SequenceToSequence
from alignment.questions.contradictions import learned_contradictions
from alignment.questions.round_trip import token_f1
from alignment.questions.settings import KEPT_FROM
from alignment.statistics.intervals import measured_mean
from recipes.cards import Figure
from recipes.t5.contradictions import contradicting
from recipes.t5.examples import (
    SpanQuestion,
    TextExample,
    answer_example,
    pairs,
    question_example,
    sticker_caption,
    unanswerable,
)
from recipes.world.captions import SceneCaption
from recipes.world.open_captions import UNKNOWN_NOUNS, free_caption
from recipes.world.things import World
from recipes.world.worlds import PRACTICE_WORLD

Captions = Callable[[np.random.Generator], tuple[SceneCaption, World]]
"""A random generator -> a caption and the world it speaks of."""
TEST_CAPTIONS = 60
"""Of each of the two kinds that a model is measured on."""


def evaluate(model: SequenceToSequence, count: int = TEST_CAPTIONS) -> dict[str, Figure]:
    """What its card says of a model."""
    kinds: dict[str, Captions] = {
        "held-out scenes": partial(sticker_caption, split="test"),
        "unknown nouns": partial(free_caption, nouns=UNKNOWN_NOUNS, stickers=0.0),
    }
    return {
        f"{kind}: {name}": figure
        for kind, captions in kinds.items()
        for name, figure in quality(model, captions, count).items()
    }


def quality(model: SequenceToSequence, captions: Captions, count: int) -> dict[str, Figure]:
    """How well a model writes and reads, over `count` captions of a fixed seed, each in [0, 1].

    A right pair is a span with the question that the model wrote for it; a wrong one, a span with
    a question about something else in the same text: one whose right answer the round trip would
    not take for the span. ("What is there?" asked of "brown" is not wrong in that sense: "brown
    suitcases" has half of it, and no QA model could drop it.)
    """
    rng = np.random.default_rng(7)
    drawn = [captions(rng) for _ in range(count)]
    asked = [(c.text, pair) for c, world in drawn for pair in pairs(c, world)]
    texts, captions_of = [text for text, _ in asked], [c.text for c, _ in drawn]
    silent = [answer_example(c.text, unanswerable(rng, c, world)) for c, world in drawn]
    writing = [question_example(text, pair) for text, pair in asked]
    reading = [answer_example(text, pair) for text, pair in asked]
    written, read = outputs(model, writing), outputs(model, reading)
    own = [(text, replace(p, question=q)) for (text, p), q in zip(asked, written, strict=True)]
    reread = outputs(model, [answer_example(text, pair) for text, pair in own])
    found = {
        "question exact match": zip(texts, exact(writing, written), strict=True),
        "answer exact match": zip(texts, exact(reading, read), strict=True),
        "unanswerable found": zip(captions_of, exact(silent, outputs(model, silent)), strict=True),
        "right pairs kept": [(t, kept(p, r)) for (t, p), r in zip(own, reread, strict=True)],
        "wrong pairs dropped": [(t, not kept(p, r)) for t, p, r in mismatched(asked, read)],
        "contradictions right": contradicts(model, [c for c, _ in drawn]),
    }
    return {name: share(judged) for name, judged in found.items()}


def outputs(model: SequenceToSequence, text_examples: Sequence[TextExample]) -> list[str]:
    """What the model makes of the sources of text_examples."""
    return model.complete([example.source for example in text_examples])


def contradicts(
    model: SequenceToSequence, captions: Sequence[SceneCaption]
) -> Iterator[tuple[str, bool]]:
    """Whether what the model writes against each caption is the caption with one change."""
    for caption in captions:
        right = {*chain.from_iterable(contradicting(caption, PRACTICE_WORLD).values())}
        made = learned_contradictions(caption.text, model, count=6)
        yield from ((caption.text, each in right) for each in made)


def exact(text_examples: Sequence[TextExample], made: Sequence[str]) -> list[bool]:
    """Which outputs are the target, letter case aside."""
    return [o == example.target.lower() for example, o in zip(text_examples, made, strict=True)]


def kept(pair: SpanQuestion, answer: str) -> bool:
    """Whether the round trip finds a pair's span again."""
    return token_f1(answer, pair.span) >= KEPT_FROM


def mismatched(
    asked: Sequence[tuple[str, SpanQuestion]], answers: Sequence[str]
) -> Iterator[tuple[str, SpanQuestion, str]]:
    """Each span that is followed by a question about another in its text, with that answer."""
    for i, (text, pair) in enumerate(asked):
        later = zip(asked[i + 1 :], answers[i + 1 :], strict=True)
        others = (a for (t, other), a in later if t == text and not kept(pair, other.answer))
        if (answer := next(others, None)) is not None:
            yield text, pair, answer


def share(judged: Iterable[tuple[Hashable, bool]]) -> Figure:
    """Part of what was judged that is right; the interval draws captions.

    Args:
        judged: a caption, and whether one thing made of it is right.

    >>> print(share([("a cat", True), ("an owl", True), ("a fox", True), ("a dog", False)]))
    0.75 (0.3006 .. 0.9544; 4 captions)
    """
    texts, hits = zip(*judged, strict=True)
    found = measured_mean(hits, np.random.default_rng(7), texts)
    return Figure(**asdict(found), unit="captions").rounded(4)
