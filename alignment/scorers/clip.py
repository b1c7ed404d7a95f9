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
from typing import ClassVar

from alignment.models.clip import OpenClip
from alignment.models.vlm import EncodedImages
from alignment.scorers.scorer import WholePrompt
from alignment.signature import Signature


@dataclass(frozen=True)
class Clip(WholePrompt):
    """Compares each image with the whole prompt."""

    signature: ClassVar[Signature] = Signature("CLIP").having(score="(1+cosine)/2")

    model: OpenClip

    def values(self, text: str, images: EncodedImages) -> Iterator[tuple[float, str]]:
        """(1 + cosine) / 2."""
        cosines = images.encoded_by(self.model) @ self.model.embed_text(text)
        for cosine in cosines.clamp(-1, 1).tolist():
            yield (1 + cosine) / 2, ""
