"""VNLI: whether a picture entails the whole prompt, asked in one question.

score = P(yes) / (P(yes) + P(no)) for "Does this image entail the description: {text}?"

Source: Yarom et al., "What You See is What You Read?", section 4.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.vlm import AnswerModel, Pictures, YesNoProbability, ask_every_image
from alignment.records import ImageScore
from alignment.scorers.scorer import EMPTY_TEXT, ScoringInput, not_judged, unread

METHOD = "vnli"
PASSPORT = "VNLI|p(yes)/(p(yes)+p(no))"
HARDLY = "the model did not answer yes or no"


@dataclass(frozen=True)
class Vnli:
    """Asks the entailment model once per picture; the questions play no part."""

    model: AnswerModel

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture; None when the text is empty."""
        if not asked.text.strip():
            yield from not_judged(METHOD, EMPTY_TEXT, pictures)
            return
        question = self.model.templates.entailment.format(text=asked.text)
        cut = unread("VNLI", self.model, [question])
        for verdict in ask_every_image(self.model, pictures, question):
            note = "; ".join(filter(None, (cut, doubt(verdict))))
            yield ImageScore(METHOD, verdict.probability, note=note, signature=PASSPORT)


def doubt(verdict: YesNoProbability) -> str:
    """A note when less than half of the model's mass is on yes and no."""
    return "" if verdict.answered else HARDLY
