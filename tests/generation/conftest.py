"""Twins of the text-to-image models in the hub cache of this test session."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from generation import MODELS, ModelSpec
from tests.twins.facts import text_to_image_facts
from tests.twins.text_to_image import write_twin

Twin = Callable[[str], ModelSpec]


@pytest.fixture(scope="session")
def twin_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hub cache that holds every twin that was asked for."""
    return tmp_path_factory.mktemp("hub")


@pytest.fixture(scope="module")
def twin(twin_cache: Path) -> Iterator[Twin]:
    """The model of a name, small, under its own hub id, generating small images."""

    def small(name: str) -> ModelSpec:
        facts = text_to_image_facts(name)
        if not (twin_cache / f"models--{facts.id.replace('/', '--')}").is_dir():
            write_twin(facts, twin_cache)
        spec = MODELS[name]
        return dataclasses.replace(
            spec,
            size=64,
            steps=min(spec.steps, 2),
            previews=min(spec.previews, 1),
            parameters=0.02,
            largest_component=0.01,
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, "HF_HUB_CACHE", str(twin_cache))
        yield small
