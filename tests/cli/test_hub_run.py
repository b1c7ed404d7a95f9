"""`hub-run` on twins that a hub on this machine serves: downloads, the table, what differs."""

import dataclasses
import json
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import hub
from alignment.models.catalogue import MODELS
from alignment.models.spec import Bundle
from cli.hub_run import (
    contrast,
    differences,
    hub_run,
    run_prompt,
)
from request import Request
from session.state import GridState
from tests.generation.conftest import Twin, twin, twin_cache
from tests.tiny_models import PROMPT, known, tiny_bundle
from tests.twins.hub_server import HubServer, serve, use
from tests.twins.scoring import build_twin

__all__ = ["twin", "twin_cache"]


@pytest.fixture(scope="module")
def evaluators(twin_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A bundle of the twins of SmolVLM2 and CLIP, and of text models of a few parameters."""
    roles = {"answerer": "smolvlm2-500m", "entailment": "smolvlm2-500m", "clip": "clip-vit-l-14"}
    for name in {*roles.values()}:
        build_twin(name, twin_cache)
    small = {name: dataclasses.replace(MODELS[name], memory_gb=0.01) for name in roles.values()}
    models = {role: small[name] for role, name in roles.items()}
    return dataclasses.replace(tiny_bundle(tmp_path_factory.mktemp("bundle")), **models)


@pytest.fixture
def served(
    twin: Twin,
    twin_cache: Path,
    evaluators: Bundle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[HubServer]:
    """A hub that serves the twins, a cache without them, and a memory that holds none of them."""
    monkeypatch.setattr("hub.loaded._loaded", OrderedDict())
    with known([twin("sd-turbo")], evaluators), serve(twin_cache) as server:
        use(server.endpoint, tmp_path / "cache", monkeypatch)
        yield server


def test_a_run_downloads_what_it_needs_and_prints_a_table(
    served: HubServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("cli.hub_run.PROMPTS", (PROMPT,))
    with pytest.raises(SystemExit) as stopped:
        hub_run(model="sd-turbo", bundle="tiny")
    table, _, summary = capsys.readouterr().out.strip().rpartition("\n")
    assert f"| {PROMPT} |" in table
    figures = json.loads(summary)
    assert stopped.value.code == bool(figures["faults"])
    assert figures["peak bytes"] > 1e8
    assert "unet/diffusion_pytorch_model.fp16.safetensors" in served.downloads()
    assert not [file for file in served.downloads() if file.endswith("sd_turbo.safetensors")]


def test_a_run_that_broke_off_goes_on_where_it_was(served: HubServer):
    served.cut_once["unet/diffusion_pytorch_model.fp16.safetensors"] = 1000
    run_prompt(Request(PROMPT, 1, 2, model="sd-turbo", bundle="tiny"))
    arrived = set(served.downloads())
    served.requests.clear()
    hub.loaded._loaded.clear()
    run_prompt(Request(PROMPT, 1, 2, model="sd-turbo", bundle="tiny"))
    assert "vae/diffusion_pytorch_model.fp16.safetensors" in arrived
    assert served.downloads() == []


def state() -> GridState:
    return GridState(Request(PROMPT, 1, 2))


def test_what_differs_is_said():
    blank, noise = (
        Image.new("RGB", (128, 128)),
        np.random.default_rng(7).integers(0, 255, (64, 64, 3)),
    )
    images = {0: blank, 1: Image.fromarray(noise.astype(np.uint8))}
    scores = {"vq2": (None, None), "vnli": (0.5, 1.5), "clip": (0.5, 0.5)}
    assert list(differences(state(), images, scores)) == [
        "image 0 has no contrast",
        "image 1 is 64 x 64, not 128 x 128",
        "vq2 scored nothing",
        "vnli gave [0.5, 1.5], which is not between 0 and 1",
        "no question was written",
    ]
    assert contrast(images[1]) > 50


def test_images_that_a_safety_checker_filtered_are_no_difference():
    filtered = state()
    filtered = dataclasses.replace(
        filtered, images=dataclasses.replace(filtered.images, filtered=frozenset({0}))
    )
    said = list(differences(filtered, {0: Image.new("RGB", (128, 128))}, {"vq2": (None,)}))
    assert said == ["no question was written"]
