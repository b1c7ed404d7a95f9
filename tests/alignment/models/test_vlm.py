"""A yes is counted in all its spellings, and images are encoded once for everyone who asks."""

import gc
import weakref
from dataclasses import replace

import pytest
import torch
from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.models.loading import Models
from alignment.models.vlm import (
    EncodedImages,
    ImageQuestion,
    VisionLanguageModel,
    first_token,
    word_tokens,
)
from tests.alignment.tiny_evaluators import t5_tokenizer, word_tokenizer


def test_images_are_encoded_once_for_everyone_who_asks(
    models: Models, images: tuple[Image, ...]
) -> None:
    shown = EncodedImages(images)
    assert shown.encoded_by(models.answerer) is shown.encoded_by(models.entailment)


def test_yes_has_all_its_single_token_spellings() -> None:
    words = word_tokenizer()
    assert words.convert_ids_to_tokens(word_tokens(words, "yes")) == ["yes", "Yes"]
    pieces = t5_tokenizer()
    assert pieces.convert_ids_to_tokens(word_tokens(pieces, "no")) == ["▁no"]


def test_a_model_without_a_token_for_the_word_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="no single token for 'maybe'"):
        word_tokens(word_tokenizer(), "maybe")


def test_a_bare_space_is_no_beginning_of_a_word() -> None:
    """It begins every answer that the vocabulary has only in letters."""
    pieces = t5_tokenizer()
    assert pieces.tokenize("three")[0] == "▁"
    assert pieces.convert_ids_to_tokens(first_token(pieces, "no")) == "▁no"
    with pytest.raises(UnsuitableModelError, match="no token for 'three'"):
        first_token(pieces, "three")


def test_an_answer_of_no_numbers_is_an_error_and_never_a_score(
    models: Models, images: tuple[Image, ...]
) -> None:
    model = models.answerer
    features = [
        replace(seen, features=torch.full_like(seen.features, torch.nan))
        for seen in model.encode(images[:1])
    ]
    for ask in (model.p_yes, lambda seen, asks: model.p_word(seen, asks, "Yes")):
        with pytest.raises(UnsuitableModelError, match="computes no numbers in float32 on cpu"):
            ask(features, [ImageQuestion(0, "red ?")])


def test_images_keep_no_model_in_memory(models: Models, images: tuple[Image, ...]) -> None:
    loaded = models.answerer
    model = VisionLanguageModel(loaded.family, loaded.templates)
    shown = EncodedImages(images)
    shown.encoded_by(model)
    alive = weakref.ref(model)
    del model
    gc.collect()
    assert alive() is None
