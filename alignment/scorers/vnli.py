"""VNLI: whether a picture entails the whole prompt, asked in one question.

score = P(yes) / (P(yes) + P(no)) for "Does this image entail the description: {text}?"

Source: Yarom et al., "What You See is What You Read?", section 4.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignment.records import ImageScore
from alignment.scorers.scorer import Asked
from alignment.vision import AnswerModel, Ask, Pictures

METHOD = "vnli"
EMPTY_TEXT = "the prompt is empty"


@dataclass(frozen=True)
class Vnli:
    """Asks the entailment model once per picture; the questions play no part."""

    model: AnswerModel

    def score(self, asked: Asked, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture; None when the text is empty."""
        if not asked.text.strip():
            yield from [ImageScore(METHOD, None, EMPTY_TEXT)] * len(pictures)
            return
        question = self.model.templates.entailment.format(text=asked.text)
        verdicts = self.model.p_yes(
            pictures.encoded_by(self.model),
            [Ask(image, question) for image in range(len(pictures))],
        )
        for verdict in verdicts:
            yield ImageScore(METHOD, verdict.probability)
