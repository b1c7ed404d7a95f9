"""What a search asks of each image: the prompt as the person wrote it, by VQ2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import alignment
from alignment import Models, Vq2Settings
from alignment.answers import answer_table
from alignment.calibration import Calibration, calibrations_of
from alignment.judgements import METHOD, shows_all_judged
from alignment.questions.records import QuestionAnswer
from alignment.questions.settings import default_settings
from alignment.records import AS_LIKELY_AS_NOT, ImageScore
from alignment.scorers import knowledge_of
from alignment.scorers.scorer import left_out
from search.records import Verdict

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class ImageEvaluator:
    """The questions of one prompt, and the models that they are put to."""

    prompt: str
    models: Models
    settings: Vq2Settings
    questions: tuple[QuestionAnswer, ...]
    calibration: Calibration | None
    at_least: float
    """The chance from which all holds, beside the threshold of the calibration."""

    @classmethod
    def read(
        cls,
        prompt: str,
        models: Models,
        settings: Vq2Settings | None = None,
        at_least: float = 0.0,
        questions: tuple[QuestionAnswer, ...] = (),
    ) -> ImageEvaluator:
        """Read a prompt once, for all images; not where its questions are known."""
        vq2 = settings or default_settings(models.bundle.name)
        questions = questions or alignment.read_prompt(prompt, models, vq2)
        known = calibrations_of(models, vq2).get(METHOD)
        return cls(prompt, models, vq2, questions, known, at_least)

    @property
    def asked(self) -> int:
        """Questions put to one image, at most."""
        unasked = left_out(self.questions, knowledge_of(self.models, "answerer"))
        return len(self.questions) - len(unasked)

    def judge(self, image: Image | None) -> Verdict:
        """Ask one image everything; one that was filtered has no score."""
        score = ImageScore(METHOD, None, "it was filtered") if image is None else self._of(image)
        chance = None
        if self.calibration and score.value is not None:
            chance = self.calibration.chance(score.value, len(score.evidence))
        threshold = self.calibration.threshold if self.calibration else AS_LIKELY_AS_NOT
        holds = shows_all_judged(score, chance, threshold)
        if holds and (chance or 0.0) < self.at_least:
            holds = None
        table = answer_table(self.prompt, self.questions, [score], [holds])
        return Verdict(score=score, table=table, chance=chance, holds=holds)

    def _of(self, image: Image) -> ImageScore:
        known = {self.prompt: self.questions}
        matrix = alignment.score([image], [self.prompt], self.models, METHOD, self.settings, known)
        return matrix.scores[0][0]
