"""CLIP: how close a picture and the prompt lie in one embedding space.

score = (1 + cosine) / 2

The map keeps the order of the cosines, can be undone, and puts them in [0, 1]; a cosine of 0.3,
high for most CLIP models, becomes 0.65.

Source: Radford et al., "Learning Transferable Visual Models From Natural Language Supervision".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.clip import EmbeddingModel
from alignment.models.vlm import Pictures
from alignment.records import ImageScore
from alignment.scorers.scorer import EMPTY_TEXT, ScoringInput, not_judged, unread

METHOD = "clip"
PASSPORT = "CLIP|(1+cosine)/2"


@dataclass(frozen=True)
class Clip:
    """Compares each picture with the whole prompt; the questions play no part."""

    model: EmbeddingModel

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture, with a note when the prompt is too long to be read."""
        if not asked.text.strip():
            yield from not_judged(METHOD, EMPTY_TEXT, pictures)
            return
        note = unread("CLIP", self.model, [asked.text])
        cosines = pictures.encoded_by(self.model) @ self.model.embed_text(asked.text)
        for cosine in cosines.clamp(-1, 1).tolist():
            yield ImageScore(METHOD, (1 + cosine) / 2, note=note, signature=PASSPORT)
