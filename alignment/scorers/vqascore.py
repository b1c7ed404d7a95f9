"""VQAScore: whether an image shows the whole prompt, in the words of another paper than VNLI's.

score = P(Yes) for 'Does this figure show "{text}"? Please answer Yes or No.', over all answers

Source: Lin et al., "Evaluating Text-to-Visual Generation with Image-to-Text Generation"; words
and answer as in t2v_metrics 3.1 for chat models and PaliGemma, and in its 3.0 for the BLIPs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.vlm import EncodedImages, ImageQuestion, VisionLanguageModel
from alignment.scorers.scorer import WholePrompt
from alignment.signature import Signature


@dataclass(frozen=True)
class VqaScore(WholePrompt):
    """Asks the entailment model once per image."""

    model: VisionLanguageModel

    @property
    def signature(self) -> Signature:
        """It names the answer whose chance is the score."""
        return Signature("VQAScore").having(score=f"p({self.model.templates.affirmative})")

    def values(self, text: str, images: EncodedImages) -> Iterator[tuple[float, str]]:
        """P(Yes)."""
        asks = [ImageQuestion(image, text) for image in range(len(images))]
        answer = self.model.templates.affirmative
        for value in self.model.p_word(images.encoded_by(self.model), asks, answer):
            yield value, ""

    def spoken(self, text: str) -> str:
        """The question."""
        return self.model.templates.vqascore.format(text=super().spoken(text))
