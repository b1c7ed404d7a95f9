"""VQ2: the share of the prompt's answers that hold in an image, question by question.

score = mean over pairs of the chance that the pair holds (or another aggregation of the settings),
assessed in one of three ways:

- C (the method): P(yes) of the vision model to "is {answer} true for {question} in this image?",
  with quotes around both where the settings say so, as the authors' code does
- A: P(entailed); the vision model answers freely, and a language inference model says whether the
  pair from the text entails the pair from the image
- B: P(yes) of the vision model to whether its free answer is the expected one, in words of ours,
  as the paper prints none

Under C, the model is asked for a free answer only where a pair fails: what it sees instead.

A negated pair ("no dogs") holds with 1 minus that chance; where it names one thing ("without a
tree") a model of few words is asked about several, too, and the larger chance counts. With
dependencies, a pair counts 0 where one that it depends on fails.

Source: Yarom et al., "What You See is What You Read?", section 3, assessments in appendix A.3;
dependencies as in Cho et al., "Davidsonian Scene Graph".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from alignment.models.nli import PairClassifier
from alignment.models.spec import Templates
from alignment.models.vlm import (
    EncodedImages,
    Features,
    ImageQuestion,
    VisionLanguageModel,
    YesNoProbability,
)
from alignment.questions.dependencies import dependencies, undermined
from alignment.questions.knowledge import Knowledge
from alignment.questions.records import QuestionAnswer
from alignment.questions.round_trip import normalised_words
from alignment.questions.words import spelled
from alignment.records import Evidence, ImageScore
from alignment.scorers.aggregation import aggregated
from alignment.scorers.scorer import NO_QUESTIONS, ScoringInput, asked_of, unscored

METHOD = "vq2"

Pairs = Sequence[QuestionAnswer]


class Ask(NamedTuple):
    """A pair that is put to one image."""

    image: int
    pair: QuestionAnswer


Asks = Sequence[Ask]
Assess = Callable[[Features, Asks, Sequence[str]], list[YesNoProbability]]
"""Encoded images, what is asked of them, what they answer freely -> whether each pair holds."""


@dataclass(frozen=True)
class Vq2:
    """Asks the answer model whether each expected answer holds, and what it sees instead."""

    model: VisionLanguageModel
    inference: Callable[[], PairClassifier]
    """Loads the model that assessment A asks; the others do without."""
    knows: Knowledge | None = None
    """What the answer model knows; None for a model without such a limit."""

    def score(self, asked: ScoringInput, images: EncodedImages) -> Iterator[ImageScore]:
        """One score in [0, 1] per image, with its evidence; None when nothing can be asked.

        Raises:
            UnsuitableModelError: the settings want assessment A, and there is no inference model.
        """
        pairs, unasked, coverage = asked_of(asked, self.knows)
        if not pairs:
            yield from unscored(METHOD, NO_QUESTIONS, images, coverage, unasked)
            return
        for start in range(0, len(images), self.model.images_at_once):
            batch = range(len(images))[start : start + self.model.images_at_once]
            for evidence in self._evidence(asked, pairs, images, batch):
                yield ImageScore(
                    METHOD,
                    aggregated(evidence, asked.settings.aggregation),
                    evidence=evidence,
                    signature=asked.settings.signature,
                    unscored=unasked,
                    coverage=coverage,
                )

    def _evidence(
        self, asked: ScoringInput, pairs: Pairs, images: EncodedImages, batch: Sequence[int]
    ) -> list[tuple[Evidence, ...]]:
        """Of every pair for each image."""
        asks = [Ask(*each) for each in itertools.product(batch, pairs)]
        answers = iter(self._ask(asked, asks, images.encoded_by(self.model)))
        every = [tuple(itertools.islice(answers, len(pairs))) for _ in batch]
        if not asked.settings.dependencies:
            return every
        parents = dependencies([pair.answer for pair in pairs])
        return [discounted(evidence, parents) for evidence in every]

    def _ask(self, asked: ScoringInput, asks: Asks, features: Features) -> list[Evidence]:
        if asked.settings.assessment == "C":
            true = partial(self._true, quotes=asked.settings.quotes)
            return self._with_reasons(features, asks, self._assessed(true, features, asks))
        ways: dict[str, Assess] = {"A": self._entailed, "B": self._same}
        seen = self._answers(features, asks)
        replies = self._assessed(ways[asked.settings.assessment], features, asks, seen)
        return [*map(_entry, asks, replies, seen)]

    def _with_reasons(
        self, features: Features, asks: Asks, replies: Sequence[YesNoProbability]
    ) -> list[Evidence]:
        """The evidence of each reply; where a pair fails, with what the model sees instead."""
        found = [*map(_entry, asks, replies)]
        failing = [ask for ask, entry in zip(asks, found, strict=True) if not entry.holds]
        seen = dict(zip(failing, self._answers(features, failing), strict=True))
        return [*map(_entry, asks, replies, (seen.get(ask, "") for ask in asks))]

    def _answers(self, features: Features, asks: Asks) -> list[str]:
        free = self.model.templates.free
        return self.model.answer(
            features,
            [ImageQuestion(image, free.format(question=pair.question)) for image, pair in asks],
        )

    def _assessed(
        self, assess: Assess, features: Features, asks: Asks, seen: Sequence[str] = ()
    ) -> list[YesNoProbability]:
        """Whether each pair holds; of one and several of what is ruled out, the likelier counts."""
        replies = assess(features, asks, seen)
        several = {
            at: Ask(image, found)
            for at, (image, pair) in enumerate(asks)
            if (found := self._several(pair))
        }
        again = assess(features, [*several.values()], [seen[at] for at in several if seen])
        for at, reply in zip(several, again, strict=True):
            replies[at] = max(replies[at], reply, key=lambda each: each.probability)
        return replies

    def _several(self, pair: QuestionAnswer) -> QuestionAnswer | None:
        """A ruled out pair about several of its thing, for a model that tells one from several."""
        plural = self.knows.plural(pair.answer.text) if self.knows and pair.negated else ""
        return replace(pair, answer=replace(pair.answer, text=plural)) if plural else None

    def _entailed(
        self, features: Features, asks: Asks, seen: Sequence[str]
    ) -> list[YesNoProbability]:
        texts = [
            (f"{pair.question} {pair.answer.text}", f"{pair.question} {answer}")
            for (_, pair), answer in zip(asks, seen, strict=True)
        ]
        return [YesNoProbability(each.entailed, 1.0) for each in self.inference().infer(texts)]

    def _same(self, features: Features, asks: Asks, seen: Sequence[str]) -> list[YesNoProbability]:
        same = self.model.templates.same
        questions = [
            ImageQuestion(
                image, same.format(question=pair.question, answer=pair.answer.text, seen=answer)
            )
            for (image, pair), answer in zip(asks, seen, strict=True)
        ]
        return self.model.p_yes(features, questions)

    def _true(
        self, features: Features, asks: Asks, seen: Sequence[str], quotes: bool
    ) -> list[YesNoProbability]:
        templates = self.model.templates
        questions = [ImageQuestion(at, predicate(pair, templates, quotes)) for at, pair in asks]
        return self.model.p_yes(features, questions)


def predicate(pair: QuestionAnswer, templates: Templates, quotes: bool = False) -> str:
    """The question of assessment C: whether the answer of a pair is true of an image.

    >>> from alignment.questions.records import AnswerSpan
    >>> apple = QuestionAnswer("what is red?", AnswerSpan("apple", 2, 7), 1.0)
    >>> predicate(apple, Templates(), quotes=True)
    'is "apple" true for "what is red?" in this image?'
    """
    words = '"{}"' if quotes else "{}"
    answer, question = words.format(spelled(pair.answer.text)), words.format(pair.question)
    return templates.predicate.format(answer=answer, question=question)


def _entry(ask: Ask, reply: YesNoProbability, answer: str = "") -> Evidence:
    holds = 1 - reply.probability if ask.pair.negated else reply.probability
    seen = answer if sensible(answer) else ""
    return Evidence(ask.pair, holds, reply.confidence, seen)


def sensible(answer: str) -> bool:
    """False of a free answer without words, of a stammer, and of one that says what is not there.

    >>> [sensible(answer) for answer in ("gray", "no backpack", "red red orange", "? ?")]
    [True, False, False, False]
    """
    words = normalised_words(answer)
    stammer = any(one == other for one, other in itertools.pairwise(words))
    return bool(words) and not stammer and (words[0] != "no" or len(words) == 1)


def discounted(
    evidence: Sequence[Evidence], parents: Sequence[Sequence[int]]
) -> tuple[Evidence, ...]:
    """The same evidence; what rests on a pair that fails no longer counts."""
    failing = undermined([entry.holds for entry in evidence], parents)
    return tuple(
        replace(entry, counted=not fails) for entry, fails in zip(evidence, failing, strict=True)
    )
