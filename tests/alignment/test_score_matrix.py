"""Every image against every text."""

from dataclasses import replace

import numpy as np
import pytest
from PIL.Image import Image

import alignment
from alignment.errors import MissingCheckpointError, UnknownMethodError
from alignment.models.loading import Models
from alignment.models.spec import ICON_WORLD
from alignment.models.vlm import EncodedImages
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.scorers import SCORERS
from alignment.scorers.scorer import ScoringInput

TEXTS = ["a black apple", "a green backpack", "  "]


def test_the_matrix_has_a_row_for_each_image_a_column_for_each_text_and_gaps_with_their_reason(
    images: tuple[Image, ...], models: Models
) -> None:
    matrix = alignment.score(images, TEXTS, models, "clip")
    assert matrix.values.shape == (4, 3)
    for column, text in enumerate(TEXTS[:2]):
        scores = SCORERS["clip"].build(models).score(ScoringInput(text), EncodedImages(images))
        assert matrix.values[:, column].tolist() == pytest.approx([score.value for score in scores])
    assert np.isnan(matrix.values[:, 2]).all()
    assert {row[2].reason for row in matrix.scores} == {"the prompt is empty"}
    assert "tiny-clip@" in str(matrix.scores[0][0].signature)


def test_a_text_is_read_only_where_its_questions_matter(
    images: tuple[Image, ...], models: Models
) -> None:
    """The bundle has no parser. CLIP does without, as above, unless it knows few words."""
    few = Models(replace(models.bundle, clip=replace(models.bundle.clip, knows=ICON_WORLD)))
    for method, reading in (("vq2", models), ("clip", few)):
        with pytest.raises(MissingCheckpointError):
            alignment.score(images, TEXTS, reading, method)


def test_the_questions_that_are_given_are_asked(images: tuple[Image, ...], models: Models) -> None:
    asked = {TEXTS[1]: (QuestionAnswer("is there a bus?", AnswerSpan("bus", 0, 3), 1.0),)}
    matrix = alignment.score(images, [TEXTS[1]], models, "tifa", questions=asked)
    for (score,) in matrix.scores:
        assert [each.pair.question for each in score.evidence] == ["is there a bus?"]


def test_an_empty_list_and_an_unknown_method_are_refused(
    images: tuple[Image, ...], models: Models
) -> None:
    with pytest.raises(ValueError, match="0 images and 3 texts"):
        alignment.score([], TEXTS, models)
    with pytest.raises(UnknownMethodError):
        alignment.score(images, TEXTS, models, "bleu")
