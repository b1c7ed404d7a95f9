"""Scores of images that exist already: every image against every text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PIL.Image import Image

from alignment.arrays import Floats
from alignment.evaluation import scores_of
from alignment.models.loading import Models
from alignment.models.vlm import EncodedImages
from alignment.questions.records import QuestionAnswer
from alignment.questions.settings import Vq2Settings, default_settings
from alignment.records import ImageScore


@dataclass(frozen=True)
class ScoreMatrix:
    """The scores of m images against n texts."""

    method: str
    scores: tuple[tuple[ImageScore, ...], ...]
    """Image -> text -> score, with evidence, coverage and reasons."""

    @property
    def values(self) -> Floats:
        """Shape (m, n), each in [0, 1]; not-a-number where an image could not be judged."""
        rows = [[np.nan if s.value is None else s.value for s in row] for row in self.scores]
        return np.array(rows, dtype=float)


def score(
    images: Sequence[Image],
    texts: Sequence[str],
    models: Models,
    method: str = "vq2",
    settings: Vq2Settings | None = None,
    questions: Mapping[str, tuple[QuestionAnswer, ...]] | None = None,
) -> ScoreMatrix:
    """Score every image against every text; each image is encoded once.

    Args:
        images: m of them, at least one.
        texts: n of them, at least one.
        models: those of a bundle.
        method: a name in `alignment.scorers.SCORERS`.
        settings: of VQ2 and its questions; those of the bundle when None.
        questions: text -> the questions to ask, for texts whose questions are known; written anew
            for the others.

    Returns:
        The matrix; `values[i, j]` is the score of image i against text j.

    Raises:
        ValueError: there is no image, or no text.
        UnknownMethodError: there is no such method.
        AlignmentError: a model cannot be loaded.
    """
    if not images or not texts:
        raise ValueError(f"{len(images)} images and {len(texts)} texts; give at least one of each")
    shown, vq2 = EncodedImages(images), settings or default_settings(models.bundle.name)
    known = questions or {}
    by_text = [
        [*scores]
        for text in texts
        for _, scores in scores_of(text, shown, [method], models, vq2, known.get(text) or None)
    ]
    return ScoreMatrix(method, tuple(zip(*by_text, strict=True)))
