"""What every scoring method looks like from outside, and when it gives no score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from alignment.models.vlm import EncodedImages
from alignment.questions.knowledge import Knowledge
from alignment.questions.records import QuestionAnswer
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.questions.words import spelled
from alignment.records import Coverage, ImageScore, UnscoredPair
from alignment.scorers.coverage import Limited, coverage_of_pairs, coverage_of_prompt
from alignment.signature import Signature

EMPTY_TEXT = "the prompt is empty"
NO_QUESTIONS = 'there is no question about this prompt; name a thing, as in "a dog on a beach"'


@dataclass(frozen=True)
class ScoringInput:
    """What images are scored against."""

    text: str
    """The prompt."""
    questions: tuple[QuestionAnswer, ...] = ()
    """What was asked of it; a method may leave them aside."""
    settings: Vq2Settings = AS_PUBLISHED
    """How the questions came about, and how VQ2 assesses the answers."""


class Scorer(Protocol):
    """A method that says how well each image matches a prompt."""

    def score(self, asked: ScoringInput, images: EncodedImages) -> Iterator[ImageScore]:
        """One score for each image, in order, each as soon as it is known."""


def unscored(
    method: str,
    reason: str,
    images: EncodedImages,
    coverage: Coverage | None = None,
    unasked: tuple[UnscoredPair, ...] = (),
) -> list[ImageScore]:
    """One score without a value for each image; what was not asked says why before `reason`."""
    why = unasked[0].reason if unasked else reason
    score = ImageScore(method, None, why, coverage=coverage, unscored=unasked)
    return [score] * len(images)


def asked_of(
    asked: ScoringInput, knows: Knowledge | None
) -> tuple[list[QuestionAnswer], tuple[UnscoredPair, ...], Coverage]:
    """The pairs that are put to a model, those that are not, and the words that both cover."""
    unasked = left_out(asked.questions, knows)
    dropped = {each.pair for each in unasked}
    pairs = [pair for pair in asked.questions if pair not in dropped]
    return pairs, unasked, coverage_of_pairs(asked.text, pairs, unasked, knows)


def left_out(pairs: Iterable[QuestionAnswer], knows: Knowledge | None) -> tuple[UnscoredPair, ...]:
    """The pairs that are not put to a model, each with the reason."""
    objections = (
        (pair, pair.objection or (knows.objection_to(pair) if knows else "")) for pair in pairs
    )
    return tuple(UnscoredPair(pair, reason) for pair, reason in objections if reason)


def truncation(name: str, model: Limited, texts: Iterable[str]) -> str:
    """A note when one of the texts is longer than the model reads; empty when all are read."""
    limits = [limit for text in texts if (limit := model.max_tokens(text)) is not None]
    return f"{name} read only the first {min(limits)} tokens of the prompt" if limits else ""


@dataclass(frozen=True)
class WholePrompt:
    """A method that asks about the prompt as a whole; the questions play no part.

    It cannot leave a word aside: a model of few words must know every one.
    """

    model: Limited
    knows: Knowledge | None = None
    """What the model knows; None for a model without such a limit."""

    @property
    def signature(self) -> Signature:
        """What its values depend on, models aside; its name is that of the method."""
        raise NotImplementedError

    def values(self, text: str, images: EncodedImages) -> Iterable[tuple[float, str]]:
        """Score and note of each image, for the prompt as it is put to the model."""
        raise NotImplementedError

    def spoken(self, text: str) -> str:
        """The prompt as it is put to the model: its counts spelled out for one of few words."""
        return spelled(text) if self.knows else text

    def score(self, asked: ScoringInput, images: EncodedImages) -> Iterator[ImageScore]:
        """One score in [0, 1] per image; None when the prompt is empty or cannot be read."""
        text, coverage, reason = self.spoken(asked.text), Coverage(0), EMPTY_TEXT
        name = self.signature.name
        method = name.lower()
        if asked.text.strip():
            coverage = coverage_of_prompt(
                asked.text, self.knows, self.model, self.spoken, asked.questions
            )
            known = self.knows
            reason = known.objection_to_prompt(asked.text, asked.questions) if known else ""
        if reason:
            yield from unscored(method, reason, images, coverage)
            return
        cut = truncation(name, self.model, [text])
        for value, note in self.values(text, images):
            said = "; ".join(filter(None, (cut, note)))
            yield ImageScore(method, value, note=said, signature=self.signature, coverage=coverage)
