"""TIFA: the share of questions to which a vision model gives the prompt's own answer.

score = right answers / questions

The model answers freely, and rightly when the words of both answers agree as much as the round trip
of a question asks.

Source: Hu et al., "TIFA: Accurate and Interpretable Text-to-Image Faithfulness Evaluation with
Question Answering". There each question has choices; here they are those of VQ2, which have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from alignment.models.vlm import EncodedImages, ImageQuestion, VisionLanguageModel
from alignment.questions.knowledge import Knowledge
from alignment.questions.records import QuestionAnswer
from alignment.questions.round_trip import singular_words, token_f1
from alignment.questions.settings import KEPT_FROM
from alignment.records import Evidence, ImageScore
from alignment.scorers.scorer import NO_QUESTIONS, ScoringInput, asked_of, unscored
from alignment.signature import Signature

METHOD = "tifa"
SIGNATURE = Signature("TIFA").having(right=f"token F1 >= {KEPT_FROM}")


@dataclass(frozen=True)
class Tifa:
    """Asks every question freely, and counts the answers that are those of the prompt."""

    model: VisionLanguageModel
    knows: Knowledge | None = None
    """What the answer model knows; None for a model without such a limit."""

    def score(self, asked: ScoringInput, images: EncodedImages) -> Iterator[ImageScore]:
        """One score in [0, 1] per image, with its evidence; None when nothing can be asked."""
        pairs, unasked, coverage = asked_of(asked, self.knows)
        if not pairs:
            yield from unscored(METHOD, NO_QUESTIONS, images, coverage, unasked)
            return
        free = self.model.templates.free
        questions = [free.format(question=pair.question) for pair in pairs]
        for image in range(len(images)):
            asks = [ImageQuestion(image, question) for question in questions]
            seen = self.model.answer(images.encoded_by(self.model), asks)
            evidence = tuple(
                Evidence(pair, float(is_right(pair, answer) != pair.negated), seen=answer)
                for pair, answer in zip(pairs, seen, strict=True)
            )
            yield ImageScore(
                METHOD,
                fmean(entry.probability for entry in evidence),
                evidence=evidence,
                signature=SIGNATURE,
                unscored=unasked,
                coverage=coverage,
            )


def is_right(pair: QuestionAnswer, answer: str) -> bool:
    """Whether a free answer is that of the prompt.

    >>> from alignment.questions.records import AnswerSpan
    >>> several = QuestionAnswer("what is there?", AnswerSpan("5 dogs", 0, 6), 1.0)
    >>> is_right(several, "five dog"), is_right(several, "two cats")
    (True, False)
    """
    said, expected = map(singular_words, (answer, pair.answer.text))
    return token_f1(" ".join(said), " ".join(expected)) >= KEPT_FROM
