"""Evaluators on tiny real models: what they ask, how they answer, what could not be read."""

from dataclasses import replace

import pytest
from PIL.Image import Image

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models, load_vision
from alignment.models.spec import ScoringModel
from alignment.models.vlm import EncodedImages, ImageQuestion, VisionLanguageModel
from alignment.prompt_pairs.description_match import (
    EVALUATORS,
    FILTERED,
    binary_prompt,
    entailed,
    evaluators_of,
    fit_matrices,
    within_words,
)
from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix, PromptPair
from alignment.prompt_pairs.score import expected_score
from alignment.questions.knowledge import Knowledge

PAIR = PromptPair(("an apple", "a backpack"), ("a black apple", "a green backpack"))


@pytest.fixture
def shown(images: tuple[Image, ...]) -> EncodedImages:
    return EncodedImages(images)


@pytest.mark.parametrize("name", EVALUATORS)
def test_every_evaluator_judges_each_image(name: str, models: Models, shown: EncodedImages) -> None:
    fits = list(EVALUATORS[name](models)(shown, PAIR.descriptions))
    assert len(fits) == len(shown)
    assert all(reply for fit in fits for reply in fit.replies)


def test_clip_lets_the_larger_cosine_win(models: Models, shown: EncodedImages) -> None:
    first, second = (models.clip.embed_text(text) for text in PAIR.descriptions)
    cosines = [
        (float(image @ first), float(image @ second)) for image in shown.encoded_by(models.clip)
    ]
    fits = list(EVALUATORS["clip"](models)(shown, PAIR.descriptions))
    assert [fit.fits for fit in fits] == [(a > b, b > a) for a, b in cosines]


def test_equal_descriptions_tie_and_neither_fits(models: Models, shown: EncodedImages) -> None:
    fits = list(EVALUATORS["clip"](models)(shown, ("a cat", "a cat")))
    assert {fit.fits for fit in fits} == {(False, False)}


def test_no_image_is_judged_by_words_that_the_model_does_not_know(
    models: Models, shown: EncodedImages
) -> None:
    knows = Knowledge(frozenset({"cat", "apple"}), 4)
    clip = within_words(EVALUATORS["clip"](models), knows)
    why = 'the scoring model does not know "wizard"'
    assert [*clip(shown, ("a cat", "a wizard"))] == [
        DescriptionMatch((None, None), reason=why)
    ] * len(shown)
    assert None not in next(clip(shown, ("a cat", "an apple"))).fits


@pytest.mark.parametrize("answered", [True, False])
def test_vnli_holds_p_yes_against_one_half_where_it_is_an_answer(
    answered: bool, models: Models, shown: EncodedImages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The random weights spread over the vocabulary: what they say is neither yes nor no."""
    if answered:
        monkeypatch.setattr("alignment.models.vlm.ANSWERED_FROM", 0.0)
    model = models.entailment
    asked = [
        ImageQuestion(2, f"Does this image entail the description: {d}?") for d in PAIR.descriptions
    ]
    first, second = (each.probability for each in model.p_yes(shown.encoded_by(model), asked))
    between = "alignment.prompt_pairs.description_match.AS_LIKELY_AS_NOT"
    monkeypatch.setattr(between, (first + second) / 2)
    fit = list(entailed(model, shown, PAIR.descriptions))[2]
    assert fit.fits == ((first > second, second > first) if answered else (None, None))


@pytest.fixture(scope="module")
def answerer(blip2_spec: ScoringModel) -> VisionLanguageModel:
    return load_vision(blip2_spec)


def test_a_vision_language_model_is_asked_in_the_papers_words(
    answerer: VisionLanguageModel, shown: EncodedImages
) -> None:
    questions = [
        f'Can you tell me if the image generally fits the descriptions "{text}"? If it generally '
        "fits the descriptions, then return 1, otherwise, return 0. Give me number 1 or 0 only."
        for text in PAIR.descriptions
    ]
    asks = [ImageQuestion(1, each) for each in questions]
    fit = list(binary_prompt(answerer, shown, PAIR.descriptions))[1]
    assert list(fit.replies) == answerer.answer(shown.encoded_by(answerer), asks)


def test_a_reply_that_is_no_number_is_kept_and_unread(
    answerer: VisionLanguageModel, shown: EncodedImages
) -> None:
    fits = list(binary_prompt(answerer, shown, PAIR.descriptions))
    assert not any(reply.strip() in ("0", "1") for fit in fits for reply in fit.replies)
    assert {fit.fits for fit in fits} == {(None, None)}


def test_the_matrix_fills_image_by_image_the_first_prompt_first(
    models: Models, images: tuple[Image, ...]
) -> None:
    evaluator = EVALUATORS["clip"](models)
    steps = list(fit_matrices(PAIR, (images[:2], images[2:]), evaluator))
    assert [tuple(map(len, step.fits)) for step in steps] == [(1, 0), (2, 0), (2, 1), (2, 2)]
    alone = tuple(evaluator(EncodedImages(images), PAIR.descriptions))
    assert rounded(steps[-1]) == rounded(MatchMatrix((alone[:2], alone[2:])))


def test_a_filtered_image_is_left_unjudged_and_moves_no_other(
    models: Models, images: tuple[Image, ...]
) -> None:
    evaluator = EVALUATORS["clip"](models)
    *_, full = fit_matrices(PAIR, ((None, images[0]), (None, None)), evaluator)
    *_, alone = fit_matrices(PAIR, ((images[0],), ()), evaluator)
    assert full.fits == ((FILTERED, *alone.fits[0]), (FILTERED, FILTERED))
    assert expected_score(full) is None


def rounded(matrix: MatchMatrix) -> list[DescriptionMatch]:
    """Without the last places, which depend on what is encoded together."""
    return [replace(fit, replies=("", "")) for row in matrix.fits for fit in row]


def test_a_model_of_a_small_vocabulary_is_not_asked_for_a_number() -> None:
    """In twelve of twelve the embedded model replied with a thing or a colour."""
    assert evaluators_of(find_bundle("embedded")) == ("vnli", "clip")
    assert evaluators_of(find_bundle("small")) == ("vnli", "clip", "vlm")
