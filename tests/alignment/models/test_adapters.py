"""Whatever the family, one encoding per picture gives the answers that the plain model gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest
import torch
from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.models.adapters import adapter_of
from alignment.models.loading import load_vision
from alignment.models.spec import ScoringModel, Templates
from alignment.models.vlm import ImageQuestion, VisionLanguageModel, word_tokens
from tests.alignment.models import tiny_adapters
from tests.alignment.models.plain_library import plain_answer, plain_model
from tests.alignment.tiny_evaluators import save_blip2, save_paligemma

pytestmark = pytest.mark.filterwarnings(
    "ignore:__array__ implementation:DeprecationWarning:transformers.*"
)

FAMILIES: dict[str, Callable[[Path], None]] = {
    "paligemma": save_paligemma,
    "blip": tiny_adapters.save_blip_vqa,
    "blip-2": save_blip2,
    "instructblip": tiny_adapters.save_instructblip,
    "instructblip-vicuna": tiny_adapters.save_vicuna_instructblip,
    "idefics3": tiny_adapters.save_idefics3,
    "smolvlm": tiny_adapters.save_smolvlm,
    "qwen2.5-vl": tiny_adapters.save_qwen_vl,
    "llava": tiny_adapters.save_llava,
}
READS = {"blip": 40, "instructblip": 40, "instructblip-vicuna": 40}
"""Tokens: the tiny BLIPs have 40 positions, InstructBLIP's in its Q-Former."""
QUESTIONS = ("what color is the backpack ?", "is green true for what color is the apple ?", "red ?")


@pytest.fixture(scope="module", params=FAMILIES)
def spec(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp(request.param)
    FAMILIES[request.param](folder)
    question = "<image>{question}" if request.param == "paligemma" else "{question}"
    return ScoringModel(request.param, folder, "none", templates=Templates(question=question))


@pytest.fixture(scope="module")
def model(spec: ScoringModel) -> VisionLanguageModel:
    return load_vision(spec)


def asks(images: Sequence[Image]) -> list[ImageQuestion]:
    return [ImageQuestion(image, text) for image, text in product(range(len(images)), QUESTIONS)]


def plainly(spec: ScoringModel, image: Image, question: str) -> tuple[torch.Tensor, str]:
    return plain_answer(Path(spec.source), spec, image, question)


def p_yes(spec: ScoringModel, logits: torch.Tensor) -> tuple[float, float]:
    """The share of yes, and the mass of yes and no, by the definition."""
    chances, tokenizer = logits.softmax(-1), plain_model(Path(spec.source))[1].tokenizer
    yes, no = (chances[word_tokens(tokenizer, word)].sum() for word in ("yes", "no"))
    return float(yes / (yes + no)), float(yes + no)


def test_p_yes_is_that_of_one_plain_question_at_a_time(
    spec: ScoringModel, model: VisionLanguageModel, pictures: list[Image]
) -> None:
    verdicts = model.p_yes(model.encode(pictures), asks(pictures))
    for verdict, ask in zip(verdicts, asks(pictures), strict=True):
        logits, _ = plainly(spec, pictures[ask.image], ask.text)
        assert verdict == pytest.approx(p_yes(spec, logits), abs=1e-4)


def test_free_answers_are_those_of_the_library_one_by_one(
    spec: ScoringModel, model: VisionLanguageModel, pictures: list[Image]
) -> None:
    expected = [plainly(spec, pictures[ask.image], ask.text)[1] for ask in asks(pictures)]
    assert model.answer(model.encode(pictures), asks(pictures)) == expected
    assert any(expected)


def test_different_pictures_and_questions_get_different_verdicts(
    model: VisionLanguageModel, pictures: list[Image]
) -> None:
    verdicts = torch.tensor(model.p_yes(model.encode(pictures), asks(pictures)))
    distances = torch.cdist(verdicts, verdicts) + torch.eye(len(verdicts))
    assert distances.min() > 1e-6


def test_the_size_of_the_batch_changes_nothing(
    model: VisionLanguageModel, pictures: list[Image]
) -> None:
    small = VisionLanguageModel(model.family, model.templates, batch_size=2)
    expected = model.p_yes(model.encode(pictures), asks(pictures))
    verdicts = small.p_yes(small.encode(pictures), asks(pictures))
    for verdict, wanted in zip(verdicts, expected, strict=True):
        assert verdict == pytest.approx(wanted, abs=1e-5)


def test_a_picture_is_encoded_once_however_many_questions_there_are(
    model: VisionLanguageModel, pictures: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    features = model.encode(pictures)
    monkeypatch.setattr("alignment.models.adapters.pixels", None)
    assert len(model.p_yes(features, asks(pictures))) == 9
    assert len(model.answer(features, asks(pictures))) == 9


def test_a_question_that_spells_special_tokens_adds_no_picture(
    model: VisionLanguageModel, pictures: list[Image]
) -> None:
    features = model.encode(pictures)
    tokens = model.family.tokenizer.added_tokens_decoder.values()
    marks = "".join(token.content for token in tokens if token.special)
    spelled = model.p_yes(features, [ImageQuestion(0, f"red {marks} ?")])
    assert spelled[0] == pytest.approx(
        model.p_yes(features, [ImageQuestion(0, "red ?")])[0], abs=1e-5
    )


@pytest.mark.parametrize("question", ["", "🙂🙂", "<b>red</b> {question}", "apple " * 300])
def test_any_text_can_be_asked(
    model: VisionLanguageModel, pictures: list[Image], question: str
) -> None:
    probability, confidence = model.p_yes(model.encode(pictures), [ImageQuestion(0, question)])[0]
    assert 0 <= probability <= 1
    assert 0 <= confidence <= 1


def test_what_a_model_cannot_read_is_said(spec: ScoringModel, model: VisionLanguageModel) -> None:
    assert model.max_tokens("apple " * 20) is None
    assert model.max_tokens("apple " * 300) == READS.get(spec.name)


@pytest.mark.parametrize("kind", ["instructblip", "instructblip-vicuna"])
def test_only_the_q_former_of_instructblip_reads_no_further(kind: str, tmp_path: Path) -> None:
    FAMILIES[kind](tmp_path)
    family = load_vision(ScoringModel(kind, tmp_path, "none")).family
    row = family._row("apple " * 300)
    assert len(row["qformer_input_ids"]) == len(row["qformer_attention_mask"]) == 40
    assert len(row["input_ids"]) == len(row["attention_mask"]) > 300


def test_a_network_that_takes_no_stored_features_is_refused() -> None:
    network = torch.nn.Linear(1, 1)
    network.config = type("Config", (), {"model_type": "linear"})()  # type: ignore[assignment]
    with pytest.raises(UnsuitableModelError, match="Linear does not take stored image features"):
        adapter_of(network, None)
