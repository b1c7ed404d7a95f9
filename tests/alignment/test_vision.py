"""One encoding per picture gives the answers that the plain model gives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
import torch
from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.loading import load_vision
from alignment.models import ModelSpec
from alignment.vision import Ask, Pictures, VisionLanguageModel, word_tokens
from tests.alignment.tiny_judges import t5_tokenizer, word_tokenizer

pytestmark = pytest.mark.filterwarnings(
    "ignore:__array__ implementation:DeprecationWarning:transformers.*"
)

QUESTIONS = ("what color is the backpack ?", "is green true for what color is the apple ?", "red ?")


@pytest.fixture(params=["paligemma", "blip2"])
def spec(request: pytest.FixtureRequest) -> ModelSpec:
    """Either family: a prefix language model, or a decoder behind a Q-Former."""
    chosen: ModelSpec = request.getfixturevalue(f"{request.param}_spec")
    return chosen


@pytest.fixture
def model(spec: ModelSpec) -> VisionLanguageModel:
    return load_vision(spec)


def asks(images: Sequence[Image]) -> list[Ask]:
    return [Ask(image, text) for image, text in product(range(len(images)), QUESTIONS)]


def plain_logits(spec: ModelSpec, image: Image, question: str) -> torch.Tensor:
    """First-token logits by the library's own road: one picture, one question, no padding."""
    from transformers import AutoModelForImageTextToText, AutoProcessor

    processor = AutoProcessor.from_pretrained(spec.source)
    network = AutoModelForImageTextToText.from_pretrained(spec.source).eval()
    text = spec.templates.question.format(question=question)
    inputs: dict[str, Any] = dict(processor(images=image, text=text, return_tensors="pt"))
    inputs.pop("labels", None)
    if network.config.get_text_config().is_encoder_decoder:
        inputs["decoder_input_ids"] = torch.tensor([[0]])
    with torch.inference_mode():
        return network(**inputs).logits[0, -1].float()


def test_stored_features_give_the_logits_of_the_plain_forward_pass(
    spec: ModelSpec, model: VisionLanguageModel, images: tuple[Image, ...]
) -> None:
    logits = model.first_logits(model.encode(images), asks(images))
    for row, ask in zip(logits, asks(images), strict=True):
        expected = plain_logits(spec, images[ask.image], ask.text)
        torch.testing.assert_close(row, expected, atol=1e-4, rtol=0)


def test_different_pictures_and_questions_get_different_answers(
    model: VisionLanguageModel, images: tuple[Image, ...]
) -> None:
    logits = model.first_logits(model.encode(images), asks(images))
    distances = torch.cdist(logits, logits) + torch.eye(len(logits)) * 9
    assert distances.min() > 1e-3


def test_free_answers_are_those_of_the_library_one_by_one(
    spec: ModelSpec, model: VisionLanguageModel, images: tuple[Image, ...]
) -> None:
    from transformers import AutoModelForImageTextToText, AutoProcessor

    processor = AutoProcessor.from_pretrained(spec.source)
    network = AutoModelForImageTextToText.from_pretrained(spec.source).eval()
    expected = []
    for ask in asks(images):
        text = spec.templates.question.format(question=ask.text)
        inputs = processor(images=images[ask.image], text=text, return_tensors="pt")
        inputs.pop("labels", None)
        tokens = network.generate(**inputs, max_new_tokens=12, do_sample=False)
        start = inputs["input_ids"].shape[1] if spec.name == "tiny-paligemma" else 0
        expected.append(processor.decode(tokens[0, start:], skip_special_tokens=True).strip())
    assert model.answer(model.encode(images), asks(images)) == expected
    assert any(expected)


def test_p_yes_is_normalised_over_every_spelling_of_yes_and_no(
    model: VisionLanguageModel, images: tuple[Image, ...]
) -> None:
    features = model.encode(images)
    chances = model.first_logits(features, asks(images)).softmax(-1)
    tokenizer = model._processor.tokenizer
    yes = chances[:, word_tokens(tokenizer, "yes")].sum(-1)
    no = chances[:, word_tokens(tokenizer, "no")].sum(-1)
    verdicts = model.p_yes(features, asks(images))
    assert [v.probability for v in verdicts] == pytest.approx((yes / (yes + no)).tolist(), abs=1e-5)
    assert [v.confidence for v in verdicts] == pytest.approx((yes + no).tolist(), abs=1e-5)


def test_the_size_of_the_batch_changes_nothing(
    model: VisionLanguageModel, images: tuple[Image, ...]
) -> None:
    small = VisionLanguageModel(model._network, model._processor, model.templates, batch_size=5)
    expected = model.p_yes(model.encode(images), asks(images))
    for got, wanted in zip(small.p_yes(small.encode(images), asks(images)), expected, strict=True):
        assert got == pytest.approx(wanted, abs=1e-5)


def test_a_question_that_spells_special_tokens_adds_no_picture(
    model: VisionLanguageModel, images: tuple[Image, ...]
) -> None:
    features = model.encode(images)
    spelled = model.p_yes(features, [Ask(0, "red <image><pad> ?")])
    assert spelled[0] == pytest.approx(model.p_yes(features, [Ask(0, "red ?")])[0], abs=1e-5)


@pytest.mark.parametrize("question", ["", "🙂🙂", "<b>red</b>", "apple " * 300])
def test_any_text_can_be_asked(
    model: VisionLanguageModel, images: tuple[Image, ...], question: str
) -> None:
    probability, confidence = model.p_yes(model.encode(images), [Ask(0, question)])[0]
    assert 0 <= probability <= 1
    assert 0 <= confidence <= 1


def test_pictures_are_encoded_once_for_everyone_who_asks(
    model: VisionLanguageModel, images: tuple[Image, ...]
) -> None:
    pictures = Pictures(images)
    assert pictures.encoded_by(model) is pictures.encoded_by(model)


def test_yes_has_all_its_single_token_spellings() -> None:
    words = word_tokenizer()
    assert words.convert_ids_to_tokens(word_tokens(words, "yes")) == ["yes", "Yes"]
    pieces = t5_tokenizer()
    assert pieces.convert_ids_to_tokens(word_tokens(pieces, "no")) == ["▁no"]


def test_a_model_without_a_token_for_the_word_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="no single token for 'maybe'"):
        word_tokens(word_tokenizer(), "maybe")
