"""VNLI: whether an image entails the whole prompt, asked in one question.

score = P(yes) / (P(yes) + P(no)) for "Does this image entail the description: {text}?"

The paper fine-tunes its model for this question (appendix A.4); one that was not is asked
zero-shot, and its signature says so.

Source: Yarom et al., "What You See is What You Read?", section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.vlm import EncodedImages, VisionLanguageModel, ask_every_image
from alignment.scorers.scorer import WholePrompt
from alignment.signature import Signature

SIGNATURE = Signature("VNLI").having(score="p(yes)/(p(yes)+p(no))")
ZERO_SHOT = SIGNATURE.having(training="zero-shot")
HARDLY = "the model did not answer yes or no"
"""A note where less than half of the model's mass is on yes and no."""


@dataclass(frozen=True)
class Vnli(WholePrompt):
    """Asks the entailment model once per image."""

    model: VisionLanguageModel
    fine_tuned: bool = True
    """Whether the model was trained for it, as in the paper."""

    @property
    def signature(self) -> Signature:
        """A model that was not trained for it is asked zero-shot."""
        return SIGNATURE if self.fine_tuned else ZERO_SHOT

    def values(self, text: str, images: EncodedImages) -> Iterator[tuple[float, str]]:
        """P(yes) / (P(yes) + P(no))."""
        for reply in ask_every_image(self.model, images, text):
            yield reply.probability, "" if reply.answered else HARDLY

    def spoken(self, text: str) -> str:
        """The question."""
        return self.model.templates.entailment.format(text=super().spoken(text))
