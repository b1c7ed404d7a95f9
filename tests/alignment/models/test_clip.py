"""Every kind of open_clip model embeds as open_clip does, and says what it cannot read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import open_clip
import pytest
import torch
from PIL.Image import Image

from alignment.models.catalogue import ModelSpec
from alignment.models.clip import OpenClip
from alignment.models.loading import load_clip
from tests.alignment import tiny_evaluators

KINDS: dict[str, Callable[[Path], None]] = {
    "clip": tiny_evaluators.save_clip,
    "coca": tiny_evaluators.save_coca,
    "siglip2": tiny_evaluators.save_siglip2,
    "rn50x64-quickgelu": tiny_evaluators.save_resnet_clip,
}
TEXT = "a red apple"


@pytest.fixture(scope="module", params=KINDS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp(request.param)
    KINDS[request.param](place)
    return place


@pytest.fixture(scope="module")
def model(folder: Path) -> OpenClip:
    return load_clip(ModelSpec(folder.name, folder, "none"))


def test_cosines_are_those_of_open_clip_one_by_one(
    folder: Path, model: OpenClip, images: tuple[Image, ...]
) -> None:
    network, preprocess = open_clip.create_model_from_pretrained(f"local-dir:{folder}")
    tokens = open_clip.get_tokenizer(f"local-dir:{folder}")([TEXT])
    expected = []
    with torch.no_grad():
        text = network.eval().encode_text(tokens)[0]
        for image in images:
            picture = network.encode_image(preprocess(image)[None])[0]
            expected.append(torch.cosine_similarity(picture, text, dim=0))
    cosines = model.encode(images) @ model.embed_text(TEXT)
    torch.testing.assert_close(cosines, torch.stack(expected), atol=1e-5, rtol=0)
    assert cosines.unique().numel() == len(images)


def test_what_a_model_cannot_read_is_said(model: OpenClip) -> None:
    limit = 11 if model._tokenizer.context_length == 11 else 12
    assert model.max_tokens("") is None
    assert model.max_tokens("apple " * (limit - 1)) is None
    assert model.max_tokens("apple " * limit) == limit


def test_the_activation_is_that_of_the_configuration(tmp_path: Path) -> None:
    tiny_evaluators.save_resnet_clip(tmp_path)
    network = load_clip(ModelSpec("rn50x64-quickgelu", tmp_path, "none"))._network
    assert any(isinstance(module, open_clip.transformer.QuickGELU) for module in network.modules())
