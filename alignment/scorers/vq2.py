"""VQ2: the share of the prompt's answers that hold in a picture, question by question.

score = mean over pairs of the chance that the pair holds, assessed in one of three ways:

C (the method)  P(yes) of the vision model to "is {answer} true for {question} in this image?"
A               P(entailed): the vision model answers freely, and a language inference model says
                whether that answer entails the expected one
B               P(yes) of the vision model to whether its free answer is the expected one

With dependencies, a pair counts 0 where one that it depends on fails.

Source: Yarom et al., "What You See is What You Read?", section 4.2; dependencies as in Cho et al.,
"Davidsonian Scene Graph".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from alignment.errors import UnsuitableModelError
from alignment.models.nli import InferenceModel
from alignment.models.vlm import AnswerModel, Features, ImageQuestion, Pictures, YesNoProbability
from alignment.questions.dependencies import dependencies, undermined
from alignment.records import Evidence, ImageScore, QuestionAnswer
from alignment.scorers.scorer import ScoringInput, not_judged, unread

METHOD = "vq2"
NO_QUESTIONS = "no question about this prompt survived the round trip"

Pairs = Sequence[QuestionAnswer]


@dataclass(frozen=True)
class Vq2:
    """Asks the answer model whether each expected answer holds, and what it sees instead."""

    model: AnswerModel
    inference: Callable[[], InferenceModel] | None = None
    """Loads the model that assessment A asks; the others do without."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture, with its evidence; None when there is no question.

        Raises:
            UnsuitableModelError: the settings want assessment A, and there is no inference model.
        """
        if not asked.questions:
            yield from not_judged(METHOD, NO_QUESTIONS, pictures)
            return
        note = unread("the vision model", self.model, map(self._predicate, asked.questions))
        parents = dependencies([pair.answer for pair in asked.questions])
        for image in range(len(pictures)):
            evidence = self._evidence(asked, pictures.encoded_by(self.model), image)
            if asked.settings.dependencies:
                evidence = discounted(evidence, parents)
            value = fmean(entry.probability if entry.counted else 0.0 for entry in evidence)
            signature = asked.settings.signature
            yield ImageScore(METHOD, value, evidence=evidence, note=note, signature=signature)

    def _evidence(
        self, asked: ScoringInput, features: Features, image: int
    ) -> tuple[Evidence, ...]:
        pairs, free = asked.questions, self.model.templates.free
        seen = self.model.answer(
            features, [ImageQuestion(image, free.format(question=pair.question)) for pair in pairs]
        )
        assess = {"A": self._entailed, "B": self._same, "C": self._true}[asked.settings.assessment]
        return tuple(
            Evidence(pair, *verdict, seen=answer)
            for pair, verdict, answer in zip(
                pairs, assess(features, image, pairs, seen), seen, strict=True
            )
        )

    def _entailed(
        self, features: Features, image: int, pairs: Pairs, seen: Sequence[str]
    ) -> list[YesNoProbability]:
        if self.inference is None:
            raise UnsuitableModelError(
                "assessment A compares answers by a language inference model; "
                "choose a bundle that has one, or assessment B or C"
            )
        texts = [
            (f"{pair.question} {answer}", f"{pair.question} {pair.answer.text}")
            for pair, answer in zip(pairs, seen, strict=True)
        ]
        return [YesNoProbability(each.entailed, 1.0) for each in self.inference().infer(texts)]

    def _same(
        self, features: Features, image: int, pairs: Pairs, seen: Sequence[str]
    ) -> list[YesNoProbability]:
        same = self.model.templates.same
        asks = [
            ImageQuestion(
                image, same.format(question=pair.question, answer=pair.answer.text, seen=answer)
            )
            for pair, answer in zip(pairs, seen, strict=True)
        ]
        return self.model.p_yes(features, asks)

    def _true(
        self, features: Features, image: int, pairs: Pairs, seen: Sequence[str]
    ) -> list[YesNoProbability]:
        return self.model.p_yes(
            features, [ImageQuestion(image, self._predicate(pair)) for pair in pairs]
        )

    def _predicate(self, pair: QuestionAnswer) -> str:
        return self.model.templates.predicate.format(
            answer=pair.answer.text, question=pair.question
        )


def discounted(
    evidence: Sequence[Evidence], parents: Sequence[Sequence[int]]
) -> tuple[Evidence, ...]:
    """The same evidence; what rests on a pair that fails no longer counts."""
    failing = undermined([entry.holds for entry in evidence], parents)
    return tuple(
        replace(entry, counted=not fails) for entry, fails in zip(evidence, failing, strict=True)
    )
