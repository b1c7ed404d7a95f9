"""Whatever the family, images are encoded once, and any text can be asked in any batch.

That the answers are those of the plain library is in test_twins.py.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
import torch
from PIL.Image import Image
from transformers import Blip2Config

from alignment.errors import UnsuitableModelError
from alignment.models import loading
from alignment.models.adapters import _text_side, adapter_of
from alignment.models.vlm import ImageQuestion, VisionLanguageModel
from tests.alignment.models.conftest import Twins

FAMILIES = (
    "blip2-flan-t5-xl",
    "gemma4-e4b",
    "idefics3-8b",
    "paligemma-3b-mix",
    "qwen3-vl-4b",
    "smolvlm2-500m",
)
QUESTIONS = ("what color is the backpack ?", "is green true for what color is the apple ?", "red ?")
load_vision = cache(loading.load_vision)


@pytest.fixture(params=FAMILIES)
def model(request: pytest.FixtureRequest, twins: Twins) -> VisionLanguageModel:
    return load_vision(twins.spec(request.param))


def asks(images: Sequence[Image]) -> list[ImageQuestion]:
    return [ImageQuestion(image, text) for image, text in product(range(len(images)), QUESTIONS)]


def test_an_image_is_encoded_once_however_many_questions_there_are(
    model: VisionLanguageModel, noises: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    features = model.encode(noises)
    monkeypatch.setattr(f"{model.family.__module__}.pixels", None)
    assert len(model.p_yes(features, asks(noises))) == 9
    assert len(model.answer(features, asks(noises))) == 9


def test_a_question_that_spells_special_tokens_adds_no_image(
    model: VisionLanguageModel, noises: list[Image]
) -> None:
    tokens = model.family.tokenizer.added_tokens_decoder.values()
    marks = [token.content for token in tokens if token.special]
    asked = [f"red {fill} ?" for fill in ("".join(marks), " " * len(marks))]
    spelled, blank = model.p_yes(model.encode(noises), [ImageQuestion(0, each) for each in asked])
    assert [*spelled] == pytest.approx([*blank], abs=1e-5)


@pytest.mark.parametrize("question", ["", "🙂🙂", "<b>red</b> {question}", "apple " * 300])
def test_any_text_can_be_asked(
    model: VisionLanguageModel, noises: list[Image], question: str
) -> None:
    probability, confidence = model.p_yes(model.encode(noises), [ImageQuestion(0, question)])[0]
    assert 0 <= probability <= 1
    assert 0 <= confidence <= 1


@pytest.mark.parametrize(("inside", "side"), [("t5", "right"), ("opt", "left")])
def test_a_decoder_alone_inside_a_blip_2_is_padded_on_the_left(inside: str, side: str) -> None:
    network = torch.nn.Identity()
    network.config = Blip2Config(text_config={"model_type": inside})
    assert _text_side(network) == side


def test_a_network_that_takes_no_stored_features_is_refused() -> None:
    network = torch.nn.Linear(1, 1)
    network.config = type("Config", (), {"model_type": "linear"})()  # type: ignore[assignment]
    with pytest.raises(UnsuitableModelError, match="Linear does not take stored image features"):
        adapter_of(network, None)
