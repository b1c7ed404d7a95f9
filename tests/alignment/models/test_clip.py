"""A model of open_clip says what it cannot read, and is refused where it was trained otherwise."""

import json
from collections.abc import Callable
from pathlib import Path

import open_clip
import pytest

from alignment.errors import UnsuitableModelError
from alignment.models.clip import OpenClip, pad_after_text
from alignment.models.loading import load_clip
from alignment.models.spec import ScoringModel
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
    return load_clip(ScoringModel(folder.name, folder, "none"))


def test_what_a_model_cannot_read_is_said(model: OpenClip) -> None:
    limit = 11 if model._tokenizer.context_length == 11 else 12
    assert model.max_tokens("") is None
    assert model.max_tokens("apple " * (limit - 1)) is None
    assert model.max_tokens("apple " * limit) == limit


@pytest.mark.parametrize("quick_gelu", [True, False])
def test_an_activation_that_the_weights_were_not_trained_with_is_refused(
    tmp_path: Path, quick_gelu: bool
) -> None:
    save = tiny_evaluators.save_clip if quick_gelu else tiny_evaluators.save_resnet_clip
    save(tmp_path)
    trained = "trained with QuickGELU" if quick_gelu else "trained with GELU"
    with pytest.raises(UnsuitableModelError, match=f"{trained}, but its configuration builds"):
        load_clip(ScoringModel("clip-vit-l-14", tmp_path, "none", quick_gelu=quick_gelu))
    assert load_clip(ScoringModel("as it is", tmp_path, "none", quick_gelu=not quick_gelu))


def test_the_token_that_siglip_reads_is_padding_after_a_short_text(tmp_path: Path) -> None:
    tiny_evaluators.save_siglip2(tmp_path)
    settings = tmp_path / "tokenizer_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"padding_side": "left"}))
    assert open_clip.get_tokenizer(f"local-dir:{tmp_path}").tokenizer.padding_side == "left"
    words = load_clip(ScoringModel("siglip2", tmp_path, "none"))._tokenizer
    assert int(words(["a red apple"])[0, -1]) == words.tokenizer.pad_token_id


def test_a_siglip_whose_last_token_is_never_padding_is_refused(tmp_path: Path) -> None:
    tiny_evaluators.save_siglip2(tmp_path)
    network, _ = open_clip.create_model_from_pretrained(f"local-dir:{tmp_path}")
    words = open_clip.get_tokenizer(f"local-dir:{tmp_path}")
    words.context_length = 1  # no room for padding
    with pytest.raises(UnsuitableModelError, match="which must be padding after a short text"):
        pad_after_text(network, words, "siglip2")
