"""VQ2, type C: the share of the prompt's answers that hold in a picture, question by question.

score = mean over pairs of P(yes | picture, "is {answer} true for {question} in this image?")

Source: Yarom et al., "What You See is What You Read?", section 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from alignment.records import Evidence, ImageScore, QuestionAnswer
from alignment.scorers.scorer import Asked
from alignment.vision import AnswerModel, Ask, Pictures

METHOD = "vq2"
NO_QUESTIONS = "no question about this prompt survived the round trip"


@dataclass(frozen=True)
class Vq2:
    """Asks the answer model whether each expected answer holds, and what it sees instead."""

    model: AnswerModel

    def score(self, asked: Asked, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture, with its evidence; None when there is no question."""
        for image in range(len(pictures)):
            if asked.questions:
                yield self._judge(asked.questions, pictures, image)
            else:
                yield ImageScore(METHOD, None, NO_QUESTIONS)

    def _judge(
        self, questions: Sequence[QuestionAnswer], pictures: Pictures, image: int
    ) -> ImageScore:
        features = pictures.encoded_by(self.model)
        verdicts = self.model.p_yes(
            features, [Ask(image, self._predicate(pair)) for pair in questions]
        )
        seen = self.model.answer(features, [Ask(image, pair.question) for pair in questions])
        evidence = tuple(
            Evidence(pair, *verdict, seen=answer)
            for pair, verdict, answer in zip(questions, verdicts, seen, strict=True)
        )
        value = fmean(entry.probability for entry in evidence)
        return ImageScore(METHOD, value, evidence=evidence)

    def _predicate(self, pair: QuestionAnswer) -> str:
        return self.model.templates.predicate.format(
            answer=pair.answer.text, question=pair.question
        )
