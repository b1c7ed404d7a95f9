"""VNLI: whether an image entails the whole prompt, asked in one question.

score = P(yes) / (P(yes) + P(no)) for "Does this image entail the description: {text}?"

The paper fine-tunes its model for this question (appendix A.4); one that was not is asked
zero-shot, and its signature says so.

Source: Yarom et al., "What You See is What You Read?", section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.models.vlm import AnswerModel, Pictures, YesNoProbability, ask_every_image
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

METHOD = "vnli"
SIGNATURE = Signature("VNLI").having(score="p(yes)/(p(yes)+p(no))")
ZERO_SHOT = SIGNATURE.having(training="zero-shot")
HARDLY = "the model did not answer yes or no"


@dataclass(frozen=True)
class Vnli:
    """Asks the entailment model once per image; the questions play no part."""

    model: AnswerModel
    fine_tuned: bool = True
    """Whether the model was trained for it, as in the paper."""
    knows: Knowledge | None = None
    """What the model knows; None for a model without such a limit."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per image; None when the prompt is empty or cannot be read."""
        reason, coverage = whole_prompt(asked, self.knows, self.model, self._question)
        if reason:
            yield from unscored(METHOD, reason, pictures, coverage)
            return
        question = self._question(asked.text)
        cut = truncation("VNLI", self.model, [question])
        for reply in ask_every_image(self.model, pictures, question):
            note = "; ".join(filter(None, (cut, doubt(reply))))
            signature = SIGNATURE if self.fine_tuned else ZERO_SHOT
            yield ImageScore(
                METHOD, reply.probability, note=note, signature=signature, coverage=coverage
            )

    def _question(self, text: str) -> str:
        said = in_its_words(text, self.knows)
        return self.model.templates.entailment.format(text=said)


def doubt(reply: YesNoProbability) -> str:
    """A note when less than half of the model's mass is on yes and no."""
    return "" if reply.answered else HARDLY
