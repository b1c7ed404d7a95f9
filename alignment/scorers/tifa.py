"""TIFA: the share of questions to which a vision model chooses the prompt's own answer.

score = right answers / questions

The model answers freely; its answer becomes the choice that it names, or else the one nearest to it
in a text embedding. A question without choices is answered rightly when the words of both answers
agree as much as the round trip of a question asks.

Source: Hu et al., "TIFA: Accurate and Interpretable Text-to-Image Faithfulness Evaluation with
Question Answering". Questions come from its published files (`published_questions`) or from the
prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from alignment.models.clip import OpenClip
from alignment.models.vlm import EncodedImages, ImageQuestion, VisionLanguageModel
from alignment.questions.knowledge import Knowledge
from alignment.questions.round_trip import normalised_words, singular_words, token_f1
from alignment.questions.settings import KEPT_FROM
from alignment.records import AnswerSpan, Evidence, ImageScore, QuestionAnswer
from alignment.scorers.scorer import NO_QUESTIONS, ScoringInput, asked_of, unscored
from alignment.signature import Signature

METHOD = "tifa"
SIGNATURE = Signature("TIFA").having(choice="named, else nearest by text embedding")


@dataclass(frozen=True)
class Tifa:
    """Asks every question freely, and counts the answers that are those of the prompt."""

    model: VisionLanguageModel
    texts: OpenClip
    """Says which choice an answer is nearest to."""
    knows: Knowledge | None = None
    """What the answer model knows; None for a model without such a limit."""

    def score(self, asked: ScoringInput, images: EncodedImages) -> Iterator[ImageScore]:
        """One score in [0, 1] per image, with its evidence; None when nothing can be asked."""
        pairs, unasked, coverage = asked_of(asked, self.knows)
        if not pairs:
            reason = unasked[0].reason if unasked else NO_QUESTIONS
            yield from unscored(METHOD, reason, images, coverage, unasked)
            return
        free = self.model.templates.free
        questions = [free.format(question=pair.question) for pair in pairs]
        for image in range(len(images)):
            asks = [ImageQuestion(image, question) for question in questions]
            seen = self.model.answer(images.encoded_by(self.model), asks)
            evidence = tuple(
                Evidence(pair, float(self._right(pair, answer) != pair.negated), seen=answer)
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

    def _right(self, pair: QuestionAnswer, answer: str) -> bool:
        if not pair.choices:
            said, expected = map(singular_words, (answer, pair.answer.text))
            return token_f1(" ".join(said), " ".join(expected)) >= KEPT_FROM
        chosen = chosen_from(pair.choices, answer, self.texts)
        return normalised_words(chosen) == normalised_words(pair.answer.text)


def chosen_from(choices: Iterable[str], answer: str, texts: OpenClip) -> str:
    """The choice that a free answer names, or else the nearest to it in meaning."""
    for choice in choices:
        if normalised_words(choice) == normalised_words(answer):
            return choice
    said = texts.embed_text(answer)
    return max(choices, key=lambda choice: float(texts.embed_text(choice) @ said))


def published_questions(
    entries: Iterable[Mapping[str, Any]], text: str
) -> tuple[QuestionAnswer, ...]:
    """The questions of one prompt from TIFA's question file.

    Args:
        entries: of the JSON file: caption, question, choices, answer, element, element_type.
        text: the prompt; entries with another caption are left out.

    Returns:
        Pairs whose span holds the answer ("yes" as well) and marks the element in the prompt.

    >>> entry = {"caption": "a red cup", "question": "is the cup red?", "choices": ["yes", "no"],
    ...          "answer": "yes", "element": "red", "element_type": "color"}
    >>> published_questions([entry], "a red cup")[0].answer
    AnswerSpan(text='yes', start=2, end=5)
    """
    pairs = []
    for entry in entries:
        if entry["caption"] == text:
            start = max(text.casefold().find(entry["element"].casefold()), 0)
            span = AnswerSpan(entry["answer"], start, start + len(entry["element"]))
            choices, kind = tuple(entry["choices"]), entry["element_type"]
            pairs.append(QuestionAnswer(entry["question"], span, 1.0, choices, kind))
    return tuple(pairs)
