"""ITM: whether an image and the prompt belong together, by a head trained for that question.

score = P(match), the softmax over the two outputs of the image-text matching head

Source: Li et al., "BLIP" and "BLIP-2".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from alignment.models.itm import BlipMatcher
from alignment.models.vlm import EncodedImages
from alignment.scorers.scorer import WholePrompt
from alignment.signature import Signature


@dataclass(frozen=True)
class Itm(WholePrompt):
    """Compares each image with the whole prompt."""

    signature: ClassVar[Signature] = Signature("ITM").having(score="p(match)")

    model: BlipMatcher

    def values(self, text: str, images: EncodedImages) -> Iterator[tuple[float, str]]:
        """P(match)."""
        for chance in self.model.p_match(images.encoded_by(self.model), text):
            yield chance, ""
