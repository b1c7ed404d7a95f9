"""ITM: whether an image and the prompt belong together, by a head trained for that question.

score = P(match), the softmax over the two outputs of the image-text matching head

Source: Li et al., "BLIP" and "BLIP-2".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.itm import MatchingModel
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

METHOD = "itm"
SIGNATURE = Signature("ITM").having(score="p(match)")


@dataclass(frozen=True)
class Itm:
    """Compares each image with the whole prompt; the questions play no part."""

    model: MatchingModel
    knows: Knowledge | None = None
    """What the model knows; None for a model without such a limit."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per image, with a note when the prompt is too long to be read."""
        reason, coverage = whole_prompt(asked, self.knows, self.model, self._said)
        if reason:
            yield from unscored(METHOD, reason, pictures, coverage)
            return
        text = self._said(asked.text)
        note = truncation("ITM", self.model, [text])
        for chance in self.model.p_match(pictures.encoded_by(self.model), text):
            yield ImageScore(METHOD, chance, note=note, signature=SIGNATURE, coverage=coverage)

    def _said(self, text: str) -> str:
        return in_its_words(text, self.knows)
