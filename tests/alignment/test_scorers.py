"""Each method gives one score per image, in [0, 1], with its reasons."""

import csv
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import torch
from PIL.Image import Image

from alignment.errors import UnknownMethodError, UnsuitableModelError
from alignment.models.catalogue import BUNDLES
from alignment.models.clip import image_similarity
from alignment.models.loading import Models, load_vision
from alignment.models.spec import ScoringModel, Templates
from alignment.models.vlm import EncodedImages, ImageQuestion, VisionLanguageModel, ask_every_image
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.settings import Assessment, Vq2Settings
from alignment.records import Evidence, ImageScore
from alignment.scorers import SCORERS, build_scorer
from alignment.scorers.aggregation import aggregated
from alignment.scorers.scorer import NO_QUESTIONS, ScoringInput
from alignment.scorers.vnli import HARDLY
from alignment.scorers.vq2 import Vq2, sensible
from tests.alignment.conftest import EMBEDDED
from tests.alignment.tiny_evaluators import QUESTIONS, TEXT

ASKED = ScoringInput(TEXT, QUESTIONS)
OF_THE_WHOLE_TEXT = ["vnli", "vqascore", "clip", "itm"]


@pytest.fixture
def shown(images: tuple[Image, ...]) -> EncodedImages:
    return EncodedImages(images)


def scores_of(
    method: str, models: Models, shown: EncodedImages, asked: ScoringInput
) -> list[ImageScore]:
    return list(SCORERS[method].build(models).score(asked, shown))


@pytest.mark.parametrize("method", SCORERS)
def test_every_method_gives_each_image_a_score_of_its_own_between_0_and_1(
    method: str, models: Models, shown: EncodedImages
) -> None:
    scores = scores_of(method, models, shown, ASKED)
    assert [score.method for score in scores] == [method] * len(shown)
    assert all(score.value is not None and 0 <= score.value <= 1 for score in scores)
    assert method == "tifa" or len({score.value for score in scores}) == len(shown)
    (signature,) = {score.signature for score in scores}
    assert signature, "how they came about"


@pytest.mark.parametrize("method", SCORERS)
def test_no_images_give_no_scores(method: str, models: Models) -> None:
    assert scores_of(method, models, EncodedImages([]), ScoringInput("")) == []


@pytest.mark.parametrize("method", OF_THE_WHOLE_TEXT)
def test_an_empty_prompt_could_not_be_judged(
    method: str, models: Models, shown: EncodedImages
) -> None:
    scores = scores_of(method, models, shown, ScoringInput("  "))
    assert [(score.value, score.reason) for score in scores] == [(None, "the prompt is empty")] * 4


def test_an_unknown_method_is_refused_with_those_there_are(models: Models) -> None:
    with pytest.raises(UnknownMethodError, match="'bleu'; known: vq2, vnli, clip"):
        build_scorer("bleu", models)


@pytest.mark.parametrize("role", ["matcher", "inference", "language"])
def test_a_bundle_without_a_model_for_a_role_says_what_to_do(role: str) -> None:
    with pytest.raises(UnsuitableModelError, match=f"'embedded' has no model .*'{role}'.*'small'"):
        getattr(EMBEDDED, role)


# VQ2


def test_vq2_is_the_mean_of_its_evidence(models: Models, shown: EncodedImages) -> None:
    for score in scores_of("vq2", models, shown, ASKED):
        assert [entry.pair for entry in score.evidence] == list(QUESTIONS)
        assert score.value == pytest.approx(fmean(e.probability for e in score.evidence))


def published_pairs(reference: Path) -> dict[str, ScoringInput]:
    """Prompt -> VQ2's questions of it as published (T5-XXL), each of which ends in its answer."""
    file = reference / "dsg" / "pali17b_vq2a.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    asked = defaultdict[str, list[QuestionAnswer]](list)
    for prompt, text in dict.fromkeys((row["item_id"], row["question"]) for row in rows):
        question, _, answer = text.removesuffix("?").rpartition("? ")
        asked[prompt].append(QuestionAnswer(f"{question}?", AnswerSpan(answer, 0, len(answer)), 1))
    return {
        prompt: ScoringInput(". ".join(pair.answer.text for pair in pairs), tuple(pairs))
        for prompt, pairs in asked.items()
    }


def test_as_published_vq2_asks_every_published_question_and_is_their_mean(
    models: Models, images: tuple[Image, ...], reference: Path
) -> None:
    asked = published_pairs(reference)
    assert (len(asked), sum(len(each.questions) for each in asked.values())) == (160, 454)
    vq2, shown = SCORERS["vq2"].build(models), EncodedImages(images[:1])
    for each in asked.values():
        (score,) = vq2.score(each, shown)
        assert not score.unscored
        assert [entry.pair for entry in score.evidence] == [*each.questions]
        assert score.value == pytest.approx(fmean(e.probability for e in score.evidence))


def test_vq2_asks_whether_the_answer_is_true_for_the_question(
    models: Models, shown: EncodedImages
) -> None:
    predicate = "is a green backpack true for what color is the backpack ? in this image?"
    expected = ask_every_image(models.answerer, shown, predicate)[2]
    evidence = scores_of("vq2", models, shown, ASKED)[2].evidence[1]
    assert (evidence.probability, evidence.confidence) == pytest.approx(expected, abs=1e-5)


def test_vq2_says_what_the_model_sees_instead(models: Models, shown: EncodedImages) -> None:
    features = shown.encoded_by(models.answerer)
    for image, score in enumerate(scores_of("vq2", models, shown, ASKED)):
        asked = [ImageQuestion(image, pair.question) for pair in QUESTIONS]
        told = models.answerer.answer(features, asked)
        assert [entry.seen for entry in score.evidence] == [
            answer if sensible(answer) else "" for answer in told
        ]


@pytest.mark.parametrize("method", ["vq2", "mean"])
def test_there_is_no_score_when_no_question_survived(
    method: str, models: Models, shown: EncodedImages
) -> None:
    scores = scores_of(method, models, shown, ScoringInput(TEXT))
    assert [(score.value, score.reason) for score in scores] == [(None, NO_QUESTIONS)] * 4


def assessed(
    assessment: Assessment, models: Models, shown: EncodedImages
) -> tuple[list[float], list[str]]:
    """Probabilities and free answers for the second image."""
    asked = ScoringInput(TEXT, QUESTIONS, Vq2Settings(assessment=assessment))
    evidence = scores_of("vq2", models, shown, asked)[1].evidence
    asks = [ImageQuestion(1, pair.question) for pair in QUESTIONS]
    seen = models.answerer.answer(shown.encoded_by(models.answerer), asks)
    return [entry.probability for entry in evidence], seen


def test_assessment_a_takes_the_pair_from_the_text_for_the_premise(
    models: Models, shown: EncodedImages
) -> None:
    probabilities, seen = assessed("A", models, shown)
    texts = [
        (f"{pair.question} {pair.answer.text}", f"{pair.question} {answer}")
        for pair, answer in zip(QUESTIONS, seen, strict=True)
    ]
    expected = [each.entailed for each in models.inference.infer(texts)]
    assert probabilities == pytest.approx(expected, abs=1e-5)
    reversed_ = models.inference.infer([(image, text) for text, image in texts])
    assert probabilities != pytest.approx([each.entailed for each in reversed_], abs=1e-3)


def test_assessment_b_asks_the_vision_model_whether_both_answers_are_the_same(
    models: Models, shown: EncodedImages
) -> None:
    probabilities, seen = assessed("B", models, shown)
    asked = f"are a green backpack and {seen[1]} the same answer to what color is the backpack ?"
    expected = ask_every_image(models.answerer, shown, asked)[1]
    assert probabilities[1] == pytest.approx(expected.probability, abs=1e-5)


def test_the_settings_are_in_the_signature_of_every_score(
    models: Models, shown: EncodedImages
) -> None:
    settings = Vq2Settings(assessment="B", spans="simple", filter=0.3, dependencies=True)
    scores = scores_of("vq2", models, shown, ScoringInput(TEXT, QUESTIONS, settings))
    assert {score.signature for score in scores} == {settings.signature}


def test_with_dependencies_a_pair_counts_only_where_its_thing_is_there(
    models: Models, shown: EncodedImages
) -> None:
    # "black" describes the apple; whatever the image, black counts 0 where no apple is seen.
    apple = QuestionAnswer("what is there ?", AnswerSpan("apple", 8, 13), 1.0)
    phrase = QuestionAnswer("what is there ?", AnswerSpan("a black apple", 0, 13), 1.0)
    colour = QuestionAnswer("what color is the apple ?", AnswerSpan("black", 2, 7), 1.0)
    text = "a black apple"
    asked = ScoringInput(text, (phrase, colour, apple), Vq2Settings(dependencies=True))
    for score in scores_of("vq2", models, shown, asked):
        there = score.evidence[2].holds
        assert [entry.counted for entry in score.evidence] == [there, there, True]
        counted = [entry.probability * entry.counted for entry in score.evidence]
        assert score.value == pytest.approx(fmean(counted))


@pytest.mark.parametrize(("aggregation", "value"), [("mean", 0.4), ("weakest", 0)])
def test_a_pair_whose_thing_is_not_there_counts_as_0(aggregation: Any, value: float) -> None:
    there, without = (Evidence(pair, 0.8, counted=pair == QUESTIONS[0]) for pair in QUESTIONS)
    assert aggregated([there, without], aggregation) == pytest.approx(value)


def test_a_pair_without_a_yes_or_a_no_is_marked(models: Models, shown: EncodedImages) -> None:
    # Random weights spread their mass over the whole vocabulary.
    for score in scores_of("vq2", models, shown, ASKED):
        assert [entry.answered for entry in score.evidence] == [False, False]
    assert {score.note for score in scores_of("vnli", models, shown, ASKED)} == {HARDLY}


# VNLI, VQAScore and their mean with VQ2


def test_vnli_asks_whether_the_image_entails_the_whole_text(
    models: Models, shown: EncodedImages
) -> None:
    asked = f"Does this image entail the description: {TEXT}?"
    expected = ask_every_image(models.entailment, shown, asked)
    scores = scores_of("vnli", models, shown, ScoringInput(TEXT))
    assert [score.value for score in scores] == pytest.approx([v.probability for v in expected])


def test_vqascore_is_the_plain_chance_of_its_answer(models: Models, shown: EncodedImages) -> None:
    model = models.entailment
    asked = f'Does this figure show "{TEXT}"? Please answer yes or no.'
    text = model.templates.question.format(question=asked)
    features = shown.encoded_by(model)
    chances = model.family.reply(features, [text] * len(features), 1).first.softmax(-1)
    expected = chances[:, model.family.tokenizer.convert_tokens_to_ids("Yes")]
    scores = scores_of("vqascore", models, shown, ScoringInput(TEXT))
    assert [score.value for score in scores] == pytest.approx(expected.tolist())
    assert str(scores[0].signature) == "VQAScore|score:p(Yes)"


def test_the_mean_is_that_of_vq2_and_vnli(models: Models, shown: EncodedImages) -> None:
    parts = [scores_of(name, models, shown, ASKED) for name in ("vq2", "vnli")]
    for mean, *scores in zip(scores_of("mean", models, shown, ASKED), *parts, strict=True):
        assert mean.value == pytest.approx(fmean(score.value or 0 for score in scores))
        assert mean.evidence == scores[0].evidence


# CLIP and ITM


def test_clip_is_half_of_one_plus_the_cosine(models: Models, shown: EncodedImages) -> None:
    text = models.clip.embed_text(TEXT)
    scores = scores_of("clip", models, shown, ScoringInput(TEXT))
    for score, image in zip(scores, shown.encoded_by(models.clip), strict=True):
        cosine = torch.nn.functional.cosine_similarity(image, text, dim=0)
        assert score.value == pytest.approx((1 + float(cosine)) / 2, abs=1e-6)


def notes(method: str, words: int, models: Models, shown: EncodedImages) -> set[str]:
    text = " ".join(["apple"] * words)
    return {score.note for score in scores_of(method, models, shown, ScoringInput(text))}


def test_a_prompt_longer_than_a_model_reads_is_told(models: Models, shown: EncodedImages) -> None:
    # The tiny CLIP reads 12 tokens: eleven words and the end; the tiny BLIP 40: 38 between two.
    assert notes("clip", 11, models, shown) == {""}
    assert notes("clip", 12, models, shown) == {"CLIP read only the first 12 tokens of the prompt"}
    assert notes("itm", 38, models, shown) == {""}
    assert notes("itm", 39, models, shown) == {"ITM read only the first 40 tokens of the prompt"}


def test_similarity_is_symmetric_and_1_with_itself(
    models: Models, images: tuple[Image, ...]
) -> None:
    similarity = torch.tensor(image_similarity(models.clip, EncodedImages([*images, images[0]])))
    torch.testing.assert_close(similarity, similarity.T)
    assert similarity.diagonal().tolist() == [1.0] * 5
    assert float(similarity[0, 4]) == pytest.approx(1.0, abs=1e-5)
    assert 0 <= float(similarity.min()) <= float(similarity.max()) <= 1


# TIFA


def test_tifa_is_the_share_of_answers_that_are_those_of_the_prompt(
    models: Models, shown: EncodedImages
) -> None:
    # What the model sees in each image is made the prompt's answer of one question of two.
    question = "what color is the apple ?"
    (seen,) = models.answerer.answer(
        shown.encoded_by(models.answerer), [ImageQuestion(0, question)]
    )
    right = QuestionAnswer(question, AnswerSpan(seen, 0, 1), 1.0)
    wrong = QuestionAnswer(question, AnswerSpan("neither of these", 0, 1), 1.0)
    first = scores_of("tifa", models, shown, ScoringInput(TEXT, (right, wrong)))[0]
    assert first.value == 0.5
    assert [entry.seen for entry in first.evidence] == [seen, seen]
    ruled_out = replace(right, negated=True)
    absent = replace(wrong, negated=True)
    without = scores_of("tifa", models, shown, ScoringInput(TEXT, (ruled_out, absent)))[0]
    assert [entry.probability for entry in without.evidence] == [0.0, 1.0]


# Templates


def test_a_free_question_about_what_fails_is_wrapped_as_the_model_wants_it(
    blip2_spec: ScoringModel, shown: EncodedImages
) -> None:
    model = load_vision(blip2_spec)
    terse = VisionLanguageModel(model.family, Templates(free="{question} yes or no ?"))
    denied = ScoringInput(TEXT, tuple(replace(pair, negated=True) for pair in QUESTIONS))

    def seen(asked_of: VisionLanguageModel) -> list[str]:
        scorer = Vq2(asked_of, inference=pytest.fail)
        both = [next(scorer.score(each, shown)).evidence for each in (ASKED, denied)]
        assert all(bool(entry.seen) <= (not entry.holds) for each in both for entry in each)
        return [one.seen or other.seen for one, other in zip(*both, strict=True)]

    asked = [ImageQuestion(0, f"{pair.question} yes or no ?") for pair in QUESTIONS]
    told = model.answer(shown.encoded_by(model), asked)
    assert seen(terse) == [answer if sensible(answer) else "" for answer in told] != seen(model)


def test_every_template_of_every_bundle_names_what_is_filled_in() -> None:
    for bundle in BUNDLES.values():
        for model in bundle.models:
            spoken: Templates = model.templates
            assert "{question}" in spoken.question
            assert "{question}" in spoken.free
            assert {"{answer}", "{seen}"} <= set(spoken.same.replace("?", " ").split())
            assert "{text}" in spoken.entailment
            assert "{text}" in spoken.vqascore
