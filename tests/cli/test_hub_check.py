"""A model is held against its listing on the hub: there, and of the size that is said."""

from dataclasses import replace
from typing import Any

import pytest
from huggingface_hub.hf_api import ModelInfo

from alignment.models.catalogue import BUNDLES, MODELS
from alignment.models.spec import ScoringModel
from cli.hub_check import checked, hub_check, wanted
from generation import ModelSpec, find_model

MODEL = replace(MODELS["blip2-flan-t5-xl"], source="somebody/blip2", size_gb=15.8)


def listing(files: dict[str, int], **facts: Any) -> ModelInfo:
    """A listing as the hub sends it."""
    siblings = [{"rfilename": name, "size": size} for name, size in files.items()]
    defaults = {"gated": False, "cardData": {"license": "mit"}}
    return ModelInfo(id="somebody/blip2", siblings=siblings, **defaults | facts)


TWO_SHARDS = {
    "model-00001-of-00002.safetensors": 9_900_000_000,
    "model-00002-of-00002.safetensors": 5_900_000_000,
    "pytorch_model.bin": 31_000_000_000,
    "onnx/model.safetensors": 4_000_000_000,
}
OPEN_CLIP = {
    "open_clip_config.json": 700,
    "open_clip_model.safetensors": 600_000_000,
    "model.safetensors": 610_000_000,
}
PIPELINE = {
    "unet/diffusion_pytorch_model.fp16.safetensors": 1_700_000_000,
    "unet/diffusion_pytorch_model.safetensors": 3_400_000_000,
    "text_encoder/model.fp16.safetensors": 680_000_000,
    "vae/diffusion_pytorch_model.fp16.safetensors": 170_000_000,
    "sd_turbo.safetensors": 5_200_000_000,
}


@pytest.mark.parametrize(
    ("model", "files", "weighs", "problem"),
    [
        (MODEL, TWO_SHARDS, 15.8, ""),
        (MODEL, {"model.safetensors": 8 * 10**9}, 8.0, "it weighs 8.0 GB; 15.8 GB are said here"),
        (MODEL, {"weights.npz": 9}, 0.0, "it weighs 0.0 GB; 15.8 GB are said here"),
        (replace(MODELS["clip-vit-l-14"], source="laion/clip", size_gb=0.6), OPEN_CLIP, 0.6, ""),
        (find_model("sd-turbo"), PIPELINE, 2.55, ""),
    ],
)
def test_what_would_be_downloaded_is_weighed_against_what_is_said(
    model: ScoringModel | ModelSpec, files: dict[str, int], weighs: float, problem: str
) -> None:
    found = checked(model, listing(files))
    assert found.size_gb == pytest.approx(weighs, rel=1e-3)
    assert (found.problem, found.licence, found.consent) == (problem, "mit", False)


def test_a_model_behind_terms_wants_consent_and_is_no_problem() -> None:
    found = checked(MODEL, listing(TWO_SHARDS, gated="manual", cardData=None))
    assert (found.consent, found.licence, found.problem) == (True, "not stated", "")


def test_every_hub_model_of_every_bundle_is_looked_up() -> None:
    names = {model.name for model in wanted()}
    scoring = {model.name for bundle in BUNDLES.values() for model in bundle.models}
    assert scoring - names == {
        "prompt-parser",
        "sticker-t5",
        "icon-vlm",
        "icon-clip",
    }
    assert {"sd-turbo", "sdxl", "blip-itm", "clip-rn50x64"} <= names
    assert "stickers" not in names


def test_without_a_network_it_says_so_at_once() -> None:
    with pytest.raises(SystemExit, match="the hub does not answer"):
        hub_check()
