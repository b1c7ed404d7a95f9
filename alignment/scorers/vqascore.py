"""VQAScore: whether an image shows the whole prompt, in the words of another paper than VNLI's.

score = P(Yes) for 'Does this figure show "{text}"? Please answer Yes or No.', over all answers

Source: Lin et al., "Evaluating Text-to-Visual Generation with Image-to-Text Generation"; words
and answer as in t2v_metrics 3.1 for chat models and PaliGemma, and in its 3.0 for the BLIPs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.vlm import AnswerModel, ImageQuestion, Pictures
from alignment.questions.knowledge import Knowledge
from alignment.records import ImageScore
from alignment.scorers.scorer import (
    ScoringInput,
    in_its_words,
    truncation,
    unscored,
    whole_prompt,
)
from alignment.signature import Signature

METHOD = "vqascore"


@dataclass(frozen=True)
class VqaScore:
    """Asks the entailment model once per image; the questions play no part."""

    model: AnswerModel
    knows: Knowledge | None = None
    """What the model knows; None for a model without such a limit."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per image; None when the prompt is empty or cannot be read."""
        reason, coverage = whole_prompt(asked, self.knows, self.model, self._question)
        if reason:
            yield from unscored(METHOD, reason, pictures, coverage)
            return
        question = self._question(asked.text)
        note = truncation("VQAScore", self.model, [question])
        answer = self.model.templates.affirmative
        signature = Signature("VQAScore").having(score=f"p({answer})")
        asks = [ImageQuestion(image, question) for image in range(len(pictures))]
        for value in self.model.p_word(pictures.encoded_by(self.model), asks, answer):
            yield ImageScore(METHOD, value, note=note, signature=signature, coverage=coverage)

    def _question(self, text: str) -> str:
        said = in_its_words(text, self.knows)
        return self.model.templates.vqascore.format(text=said)
