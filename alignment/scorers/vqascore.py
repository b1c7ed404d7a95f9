"""VQAScore: whether a picture shows the whole prompt, in the words of another paper than VNLI's.

score = P(Yes) for 'Does this figure show "{text}"? Please answer Yes or No.', over all answers

Source: Lin et al., "Evaluating Text-to-Visual Generation with Image-to-Text Generation"; words
and answer as in t2v_metrics 3.1 for chat models and PaliGemma, and in its 3.0 for the BLIPs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.vlm import AnswerModel, ImageQuestion, Pictures
from alignment.records import ImageScore
from alignment.scorers.scorer import EMPTY_TEXT, ScoringInput, not_judged, unread

METHOD = "vqascore"
PASSPORT = "VQAScore|p({answer})"


@dataclass(frozen=True)
class VqaScore:
    """Asks the entailment model once per picture; the questions play no part."""

    model: AnswerModel

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture; None when the text is empty."""
        if not asked.text.strip():
            yield from not_judged(METHOD, EMPTY_TEXT, pictures)
            return
        question = self.model.templates.vqascore.format(text=asked.text)
        note = unread("VQAScore", self.model, [question])
        answer = self.model.templates.affirmative
        asks = [ImageQuestion(image, question) for image in range(len(pictures))]
        for value in self.model.p_word(pictures.encoded_by(self.model), asks, answer):
            signature = PASSPORT.format(answer=answer)
            yield ImageScore(METHOD, value, note=note, signature=signature)
