"""What stands before the questions about an image is read once, and kept within bounds.

That the answers are those of the plain library, one by one, is in test_twins.py.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.models import loading
from alignment.models.prefix_adapters import KEPT, CausalAdapter
from alignment.models.token_rows import token_row
from alignment.models.vlm import ANSWER_TOKENS, EncodedImages, ImageQuestion, VisionLanguageModel
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.settings import AS_PUBLISHED
from alignment.scorers.scorer import ScoringInput
from alignment.scorers.vq2 import Vq2
from tests.alignment.models.conftest import Twins

QUESTIONS = ("what color is the apple ?", "what is green ?", "how many books are there ?")
ASKS = [ImageQuestion(image, text) for image in range(3) for text in QUESTIONS]


@pytest.fixture
def model(twins: Twins) -> VisionLanguageModel:
    return loading.load_vision(twins.spec("qwen3-vl-4b"))


@contextmanager
def forwards(model: VisionLanguageModel) -> Iterator[list[torch.Size]]:
    """Questions and tokens of each forward of the language model."""
    seen: list[torch.Size] = []
    hook = model.family.network.model.language_model.register_forward_pre_hook(
        lambda _, __, inputs: seen.append(inputs["inputs_embeds"].shape[:2]), with_kwargs=True
    )
    yield seen
    hook.remove()


def noise(side: int, images: int) -> list[Image]:
    generator = torch.Generator().manual_seed(0)
    shape = (images, side, side, 3)
    drawn = torch.randint(0, 256, shape, dtype=torch.uint8, generator=generator)
    return [PillowImage.fromarray(each.numpy()) for each in drawn]


def test_nine_images_and_ten_questions_take_two_forwards_where_all_holds(twins: Twins) -> None:
    """117 forwards, when each question reads the 256 tokens of an image of 512 pixels again.

    One reads all images, one asks everything for yes or no. Where a pair fails, up to twelve more
    are as many tokens as a free answer may have; random weights never end one, a trained model does
    so after two to four.
    """
    family = loading.load_vision(twins.spec("qwen3-vl-4b")).family
    model = VisionLanguageModel(family, twins.spec("qwen3-vl-4b").templates)
    model.images_at_once = 9
    pixels = family._processor.image_processor
    small, pixels.size = pixels.size, {"shortest_edge": 65536, "longest_edge": 512**2}
    pairs = [
        QuestionAnswer(question, AnswerSpan(answer, 0, 1), 1.0)
        for question in QUESTIONS[:2]
        for answer in ("red", "green", "a tree", "three books", "the backpack")
    ]
    images = EncodedImages(noise(512, 9))
    for fails, forwards_ in ((False, 2), (True, 1 + ANSWER_TOKENS)):  # the images are read already
        asked = tuple(replace(pair, negated=fails) for pair in pairs)
        with forwards(model) as seen:
            scorer = Vq2(model, inference=pytest.fail)
            scores = scorer.score(ScoringInput("a prompt", asked, AS_PUBLISHED), images)
            assert len([*scores]) == 9
        assert len(seen) == forwards_
        if not fails:
            assert seen[0] == (9, seen[0][1])
            assert seen[0][1] > 256
        assert sum(shape.numel() for shape in seen) < 13_000, seen
    pixels.size = small


@pytest.mark.parametrize(
    "name",
    ["qwen3-vl-4b", "smolvlm2-500m", "smolvlm2-2.2b", "idefics3-8b", "gemma4-e4b"],
)
def test_the_tokens_of_a_question_are_those_of_the_processor(name: str, twins: Twins) -> None:
    """It looks at a blank image for each question; here it does for each size."""
    family = loading.load_vision(twins.spec(name)).family
    for size in ((48, 48), (60, 20)):
        for question in (
            "red ?",
            "",
            "  two  spaces",
            "\nred",
            "🙂",
            "<b>red</b> .",
            "is it? " * 9,
        ):
            before, after = family.row(question, size)
            row = token_row(family._processor, question, size)
            assert [*before["input_ids"], *after["input_ids"]] == row["input_ids"]
            assert len(before["attention_mask"]) == len(before["input_ids"])


def test_without_room_nothing_is_kept_and_the_answers_are_the_same(
    model: VisionLanguageModel, noises: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    features = model.encode(noises)
    expected = model.p_yes(features, ASKS)
    kept = CausalAdapter(model.family.network, model.family._processor)
    careful = VisionLanguageModel(kept, model.templates)
    one = max(prefix.nbytes for prefix in model.family._kept.values())
    for room in (0, 1, 2, 3):
        monkeypatch.setattr("hub.free_memory", lambda device, room=room: KEPT * one * room)
        found = careful.p_yes(features, ASKS)
        np.testing.assert_allclose(found, expected, atol=1e-5)
        assert len(kept._kept) <= room
        parts = (part for each in kept._kept.values() for layer in each.layers for part in layer)
        assert sum(part.untyped_storage().nbytes() for part in parts) <= room * one


def test_prefixes_go_with_the_images(model: VisionLanguageModel, noises: list[Image]) -> None:
    adapter = CausalAdapter(model.family.network, model.family._processor)
    features = model.encode(noises)
    VisionLanguageModel(adapter, model.templates).p_yes(features, ASKS)
    assert len(adapter._kept) == 3
    del features
    gc.collect()
    assert not len(adapter._kept)


def test_a_long_question_beside_short_ones_leaves_their_sliding_window_as_it_is(
    twins: Twins, noises: list[Image]
) -> None:
    model = loading.load_vision(twins.spec("gemma4-e4b"))
    features, asks = model.encode(noises), [*ASKS, ImageQuestion(0, "apple " * 520)]
    alone = [model.p_yes(features, [ask])[0] for ask in asks]
    np.testing.assert_allclose(model.p_yes(features, asks), alone, atol=1e-5)
