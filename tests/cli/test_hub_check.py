"""A model is held against its listing on the hub: there, readable, and of the size that is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.hf_api import ModelInfo

from alignment.models.catalogue import BUNDLES, MODELS
from alignment.models.spec import ScoringModel
from cli.hub_check import checked, hub_check, tokenizer_problem, wanted
from generation import ModelSpec, find_model
from tests.twins.hub_server import HubServer, serve, use
from tests.twins.scoring import build_twin

MODEL = replace(MODELS["blip2-flan-t5-xl"], source="somebody/blip2", size_gb=15.8)


def listing(files: dict[str, int], **facts: Any) -> ModelInfo:
    """A listing as the hub sends it."""
    siblings = [{"rfilename": name, "size": size} for name, size in files.items()]
    defaults = {"gated": False, "config": {}, "cardData": {"license": "mit"}}
    return ModelInfo(id="somebody/blip2", siblings=siblings, **defaults | facts)


TWO_SHARDS = {
    "model-00001-of-00002.safetensors": 9_900_000_000,
    "model-00002-of-00002.safetensors": 5_900_000_000,
    "pytorch_model.bin": 31_000_000_000,
    "onnx/model.safetensors": 4_000_000_000,
}
BLIP2 = {"model_type": "blip-2"}


OPEN_CLIP = {
    "open_clip_config.json": 700,
    "open_clip_model.safetensors": 600_000_000,
    "model.safetensors": 610_000_000,
}
COCA = replace(MODELS["coca-vit-l-14"], source="laion/coca", size_gb=2.55)


@pytest.mark.parametrize(
    ("model", "found", "library", "problem"),
    [
        (MODEL, listing(TWO_SHARDS, config=BLIP2), "transformers", ""),
        (
            MODEL,
            listing({"model.safetensors": 8_000_000_000}, config=BLIP2),
            "transformers",
            "it weighs 8.0 GB; 15.8 GB are said here",
        ),
        (MODEL, listing(TWO_SHARDS, config={"model_type": "ofa"}), "", "no library here reads it"),
        (
            MODEL,
            listing({"weights.npz": 9}, config=BLIP2),
            "transformers",
            "it has no weights under a name that is known",
        ),
        (
            replace(MODELS["clip-vit-l-14"], source="laion/clip", size_gb=0.6),
            listing(OPEN_CLIP, config={"model_type": "clip"}),
            "open_clip",
            "",
        ),
        (COCA, listing({"open_clip_pytorch_model.bin": 2_550_000_000}), "open_clip", ""),
        (find_model("sd-turbo"), listing({"model_index.json": 500}), "diffusers", ""),
    ],
)
def test_who_reads_a_model_and_what_is_wrong_with_it_is_said(
    model: ScoringModel | ModelSpec, found: ModelInfo, library: str, problem: str
) -> None:
    said = checked(model, found)
    assert (said.library, said.problem) == (library, problem)


def test_only_the_weights_that_would_be_fetched_are_weighed() -> None:
    found = checked(MODEL, listing(TWO_SHARDS, config=BLIP2))
    assert found.size_gb == pytest.approx(15.8)
    assert (found.licence, found.consent) == ("mit", False)


def test_a_model_behind_terms_wants_consent_and_is_no_problem() -> None:
    found = checked(MODEL, listing(TWO_SHARDS, config=BLIP2, gated="manual", cardData=None))
    assert (found.consent, found.licence, found.problem) == (True, "not stated", "")


def test_every_hub_model_of_every_bundle_is_looked_up() -> None:
    names = {model.name for model in wanted()}
    scoring = {model.name for bundle in BUNDLES.values() for model in bundle.models}
    assert scoring - names == {
        "prompt-parser",
        "sticker-t5",
        "icon-vlm",
        "sticker-clip",
    }
    assert {"sd-turbo", "sdxl", "blip-itm", "clip-rn50x64"} <= names
    assert "stickers" not in names


def test_without_a_network_it_says_so_at_once() -> None:
    with pytest.raises(SystemExit, match="the hub does not answer"):
        hub_check()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub on this machine, in use, that has twins of two scoring models."""
    for name in ("unifiedqa-v2-small", "clip-vit-l-14"):
        build_twin(name, tmp_path / "served")
    with serve(tmp_path / "served") as server:
        use(server.endpoint, tmp_path / "cache", monkeypatch)
        yield server


@pytest.mark.parametrize("name", ["unifiedqa-v2-small", "clip-vit-l-14"])
def test_a_tokenizer_is_loaded_and_no_weights_are_fetched(name: str, served: HubServer) -> None:
    assert tokenizer_problem(MODELS[name]) == ""
    assert not [file for file in served.downloads() if file.endswith((".bin", ".safetensors"))]


def test_a_tokenizer_that_cannot_be_read_is_a_problem(served: HubServer) -> None:
    snapshot = served.snapshot("allenai/unifiedqa-v2-t5-base-1363200")
    (snapshot / "spiece.model").write_bytes(b"not one")
    problem = tokenizer_problem(MODELS["unifiedqa-v2-small"])
    assert problem.startswith("its tokenizer or processor is not read here: ")


def test_a_gated_model_is_left_to_whoever_consents(served: HubServer) -> None:
    served.gated.add("allenai/unifiedqa-v2-t5-base-1363200")
    assert tokenizer_problem(MODELS["unifiedqa-v2-small"]) == ""
