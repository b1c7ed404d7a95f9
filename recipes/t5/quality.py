"""How well a model writes questions, answers them and contradicts captions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from alignment.models.text import SequenceToSequence
from alignment.questions.contradictions import learned_contradictions
from alignment.questions.round_trip import token_f1
from alignment.questions.settings import KEPT_FROM
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
from recipes.world.things import PRACTICE_WORLD, World

Captions = Callable[[np.random.Generator], tuple[SceneCaption, World]]
"""A random generator -> a caption and the world it speaks of."""
TextQuestion = tuple[str, SpanQuestion]
"""A text, and a pair about it."""


def held_out_caption(rng: np.random.Generator) -> tuple[SceneCaption, World]:
    """A caption of a scene whose composition was never trained on."""
    return sticker_caption(rng, held_out=True)


def unknown_caption(rng: np.random.Generator) -> tuple[SceneCaption, World]:
    """A caption of things whose names were never trained on."""
    return free_caption(rng, UNKNOWN_NOUNS, stickers=0.0)


def quality(model: SequenceToSequence, captions: Captions, count: int) -> dict[str, float]:
    """How well a model writes and reads, over `count` captions of a fixed seed, each in [0, 1].

    A right pair is a span with the question that the model wrote for it; a wrong one, a span with
    a question about something else in the same text: one whose right answer the round trip would
    not take for the span. ("What is there?" asked of "brown" is not wrong in that sense: "brown
    suitcases" has half of it, and no QA model could drop it.)
    """
    rng = np.random.default_rng(7)
    drawn = [captions(rng) for _ in range(count)]
    asked = [(c.text, pair) for c, world in drawn for pair in pairs(c, world)]
    silent = [answer_example(c.text, unanswerable(rng, c, world)) for c, world in drawn]
    writing = [question_example(text, pair) for text, pair in asked]
    reading = [answer_example(text, pair) for text, pair in asked]
    written, read = outputs(model, writing), outputs(model, reading)
    own = [(text, replace(p, question=q)) for (text, p), q in zip(asked, written, strict=True)]
    reread = outputs(model, [answer_example(text, pair) for text, pair in own])
    return {
        "question exact match": exact_match(writing, written),
        "answer exact match": exact_match(reading, read),
        "unanswerable found": exact_match(silent, outputs(model, silent)),
        "right pairs kept": share(kept(p, r) for (_, p), r in zip(own, reread, strict=True)),
        "wrong pairs dropped": share(not kept(p, r) for p, r in mismatched(asked, read)),
        "contradictions right": share(contradicts(model, [c for c, _ in drawn])),
    }


def outputs(model: SequenceToSequence, text_examples: Sequence[TextExample]) -> list[str]:
    """What the model makes of the sources of text_examples."""
    return model.complete([example.source for example in text_examples])


def contradicts(model: SequenceToSequence, captions: Sequence[SceneCaption]) -> Iterator[bool]:
    """Whether all that the model writes against each caption is the caption with one change."""
    for caption in captions:
        right = {*chain.from_iterable(contradicting(caption, PRACTICE_WORLD).values())}
        made = learned_contradictions(caption.text, model, count=6)
        yield from (each.text in right for each in made)


def exact_match(text_examples: Sequence[TextExample], made: Sequence[str]) -> float:
    """Share of outputs that are the target, letter case aside."""
    return share(
        o == example.target.lower() for example, o in zip(text_examples, made, strict=True)
    )


def kept(pair: SpanQuestion, answer: str) -> bool:
    """Whether the round trip finds a pair's span again."""
    return token_f1(answer, pair.span) >= KEPT_FROM


def mismatched(
    asked: Sequence[TextQuestion], answers: Sequence[str]
) -> Iterator[tuple[SpanQuestion, str]]:
    """Each span that is followed by a question about another in its text, with that answer."""
    for i, (text, pair) in enumerate(asked):
        later = zip(asked[i + 1 :], answers[i + 1 :], strict=True)
        others = (a for (t, other), a in later if t == text and not kept(pair, other.answer))
        if (answer := next(others, None)) is not None:
            yield pair, answer


def share(hits: Iterable[bool]) -> float:
    """Part of the hits that are True, rounded to four digits."""
    return round(float(np.mean(list(hits))), 4)
