"""VQAScore: whether a picture shows the whole prompt, in the words of another paper than VNLI's.

score = P(yes) for 'Does this figure show "{text}"? Please answer yes or no.', over all answers

Source: Lin et al., "Evaluating Text-to-Visual Generation with Image-to-Text Generation".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.vlm import AnswerModel, Pictures, ask_every_image
from alignment.records import ImageScore
from alignment.scorers.scorer import EMPTY_TEXT, ScoringInput, not_judged, unread
from alignment.scorers.vnli import doubt

METHOD = "vqascore"
PASSPORT = "VQAScore|p(yes)"


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
        cut = unread("VQAScore", self.model, [question])
        for verdict in ask_every_image(self.model, pictures, question):
            note = "; ".join(filter(None, (cut, doubt(verdict))))
            value = verdict.probability * verdict.confidence
            yield ImageScore(METHOD, value, note=note, signature=PASSPORT)
