"""CLIP: how close an image and the prompt lie in one embedding space.

score = (1 + cosine) / 2

The map keeps the order of the cosines, can be undone, and puts them in [0, 1]; a cosine of 0.3,
high for most CLIP models, becomes 0.65. It is a similarity and not a chance: see
`alignment.calibration`.

Source: Radford et al., "Learning Transferable Visual Models From Natural Language Supervision".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.clip import EmbeddingModel
from alignment.models.vlm import Pictures
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

METHOD = "clip"
SIGNATURE = Signature("CLIP").having(score="(1+cosine)/2")


@dataclass(frozen=True)
class Clip:
    """Compares each image with the whole prompt; the questions play no part."""

    model: EmbeddingModel
    knows: Knowledge | None = None
    """What the model knows; None for a model without such a limit."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per image, with a note when the prompt is too long to be read."""
        reason, coverage = whole_prompt(asked, self.knows, self.model, self._said)
        if reason:
            yield from unscored(METHOD, reason, pictures, coverage)
            return
        text = self._said(asked.text)
        note = truncation("CLIP", self.model, [text])
        cosines = pictures.encoded_by(self.model) @ self.model.embed_text(text)
        for cosine in cosines.clamp(-1, 1).tolist():
            value = (1 + cosine) / 2
            yield ImageScore(METHOD, value, note=note, signature=SIGNATURE, coverage=coverage)

    def _said(self, text: str) -> str:
        return in_its_words(text, self.knows)
