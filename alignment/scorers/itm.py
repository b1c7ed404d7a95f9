"""ITM: whether a picture and the prompt belong together, by a head trained for that question.

score = P(match), the softmax over the two outputs of the image-text matching head

Source: Li et al., "BLIP" and "BLIP-2".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.itm import MatchingModel
from alignment.models.vlm import Pictures
from alignment.records import ImageScore
from alignment.scorers.scorer import EMPTY_TEXT, ScoringInput, not_judged, unread

METHOD = "itm"
PASSPORT = "ITM|p(match)"


@dataclass(frozen=True)
class Itm:
    """Holds each picture against the whole prompt; the questions play no part."""

    model: MatchingModel

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture, with a note when the prompt is too long to be read."""
        if not asked.text.strip():
            yield from not_judged(METHOD, EMPTY_TEXT, pictures)
            return
        note = unread("ITM", self.model, [asked.text])
        for chance in self.model.p_match(pictures.encoded_by(self.model), asked.text):
            yield ImageScore(METHOD, chance, note=note, signature=PASSPORT)
