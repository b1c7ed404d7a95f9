"""Each method gives one score per picture, in [0, 1], with its reasons."""

from __future__ import annotations

from statistics import fmean

import pytest
import torch
from PIL.Image import Image

from alignment.embedding import image_similarity
from alignment.loading import Models
from alignment.records import AnswerSpan, QuestionAnswer
from alignment.scorers import SCORERS, Asked
from alignment.scorers.vq2 import NO_QUESTIONS
from alignment.vision import Ask, Pictures

TEXT = "a black apple and a green backpack"
QUESTIONS = (
    QuestionAnswer("what color is the apple ?", AnswerSpan("black", 2, 7), 1.0),
    QuestionAnswer("what color is the backpack ?", AnswerSpan("green", 20, 25), 1.0),
)


@pytest.fixture
def pictures(images: tuple[Image, ...]) -> Pictures:
    return Pictures(images)


@pytest.mark.parametrize("method", SCORERS)
def test_every_method_gives_each_picture_a_score_between_0_and_1(
    method: str, models: Models, pictures: Pictures
) -> None:
    scores = list(SCORERS[method](models).score(Asked(TEXT, QUESTIONS), pictures))
    assert [score.method for score in scores] == [method] * len(pictures)
    assert all(score.value is not None and 0 <= score.value <= 1 for score in scores)
    assert len({score.value for score in scores}) == len(pictures)


@pytest.mark.parametrize("method", SCORERS)
def test_no_pictures_give_no_scores(method: str, models: Models) -> None:
    scorer = SCORERS[method](models)
    assert list(scorer.score(Asked(""), Pictures([]))) == []


def test_vq2_is_the_mean_of_its_evidence(models: Models, pictures: Pictures) -> None:
    for score in SCORERS["vq2"](models).score(Asked(TEXT, QUESTIONS), pictures):
        assert [entry.pair for entry in score.evidence] == list(QUESTIONS)
        assert score.value == pytest.approx(fmean(e.probability for e in score.evidence))


def test_vq2_asks_whether_the_answer_is_true_for_the_question(
    models: Models, pictures: Pictures
) -> None:
    predicate = "is green true for what color is the backpack ? in this image?"
    features = pictures.encoded_by(models.answerer)
    expected = models.answerer.p_yes(features, [Ask(2, predicate)])[0]
    evidence = list(SCORERS["vq2"](models).score(Asked(TEXT, QUESTIONS), pictures))[2].evidence[1]
    got = (evidence.probability, evidence.confidence)
    assert got == pytest.approx(expected, abs=1e-5)


def test_vq2_says_what_the_model_sees_instead(models: Models, pictures: Pictures) -> None:
    features = pictures.encoded_by(models.answerer)
    scores = list(SCORERS["vq2"](models).score(Asked(TEXT, QUESTIONS), pictures))
    for image, score in enumerate(scores):
        asked = [Ask(image, pair.question) for pair in QUESTIONS]
        assert [entry.seen for entry in score.evidence] == models.answerer.answer(features, asked)


def test_vq2_could_not_judge_when_no_question_survived(models: Models, pictures: Pictures) -> None:
    scores = list(SCORERS["vq2"](models).score(Asked(TEXT), pictures))
    assert [(score.value, score.reason) for score in scores] == [(None, NO_QUESTIONS)] * 4


def test_vnli_asks_whether_the_picture_entails_the_whole_text(
    models: Models, pictures: Pictures
) -> None:
    asked = f"Does this image entail the description: {TEXT}?"
    features = pictures.encoded_by(models.entailment)
    expected = models.entailment.p_yes(features, [Ask(image, asked) for image in range(4)])
    scores = SCORERS["vnli"](models).score(Asked(TEXT), pictures)
    assert [score.value for score in scores] == pytest.approx([v.probability for v in expected])


@pytest.mark.parametrize("method", ["vnli", "clip"])
def test_an_empty_prompt_could_not_be_judged(
    method: str, models: Models, pictures: Pictures
) -> None:
    scores = list(SCORERS[method](models).score(Asked("  "), pictures))
    assert [(score.value, score.reason) for score in scores] == [(None, "the prompt is empty")] * 4


def test_clip_is_half_of_one_plus_the_cosine(models: Models, pictures: Pictures) -> None:
    text = models.clip.embed_text(TEXT)
    scores = list(SCORERS["clip"](models).score(Asked(TEXT), pictures))
    for score, image in zip(scores, pictures.encoded_by(models.clip), strict=True):
        cosine = torch.nn.functional.cosine_similarity(image, text, dim=0)
        assert score.value == pytest.approx((1 + float(cosine)) / 2, abs=1e-6)


def test_clip_says_when_the_prompt_is_longer_than_it_reads(
    models: Models, pictures: Pictures
) -> None:
    # The tiny CLIP reads 12 tokens: eleven words and the end.
    fits, too_long = " ".join(["apple"] * 11), " ".join(["apple"] * 12)
    clip = SCORERS["clip"](models)
    assert {score.note for score in clip.score(Asked(fits), pictures)} == {""}
    notes = {score.note for score in clip.score(Asked(too_long), pictures)}
    assert notes == {"CLIP read only the first 12 tokens of the prompt"}


def test_similarity_is_symmetric_and_1_with_itself(
    models: Models, images: tuple[Image, ...]
) -> None:
    similarity = torch.tensor(image_similarity(models.clip, Pictures([*images, images[0]])))
    torch.testing.assert_close(similarity, similarity.T)
    assert similarity.diagonal().tolist() == [1.0] * 5
    assert float(similarity[0, 4]) == pytest.approx(1.0, abs=1e-5)
    assert 0 <= float(similarity.min()) <= float(similarity.max()) <= 1
