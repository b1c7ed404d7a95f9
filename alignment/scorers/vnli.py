"""VNLI: whether a picture entails the whole prompt, asked in one question.

score = P(yes) / (P(yes) + P(no)) for "Does this image entail the description: {text}?"

The paper fine-tunes its model for this question (appendix A.4); one that was not is asked
zero-shot, and its signature says so.

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
ZERO_SHOT = "VNLI|zero-shot|p(yes)/(p(yes)+p(no))"
HARDLY = "the model did not answer yes or no"


@dataclass(frozen=True)
class Vnli:
    """Asks the entailment model once per picture; the questions play no part."""

    model: AnswerModel
    fine_tuned: bool = True
    """Whether the model was trained for it, as in the paper."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture; None when the text is empty."""
        if not asked.text.strip():
            yield from not_judged(METHOD, EMPTY_TEXT, pictures)
            return
        question = self.model.templates.entailment.format(text=asked.text)
        cut = unread("VNLI", self.model, [question])
        for verdict in ask_every_image(self.model, pictures, question):
            note = "; ".join(filter(None, (cut, doubt(verdict))))
            signature = PASSPORT if self.fine_tuned else ZERO_SHOT
            yield ImageScore(METHOD, verdict.probability, note=note, signature=signature)


def doubt(verdict: YesNoProbability) -> str:
    """A note when less than half of the model's mass is on yes and no."""
    return "" if verdict.answered else HARDLY
