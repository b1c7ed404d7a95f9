"""Twins of the text-to-image models in the hub cache of this test session, and their images."""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from huggingface_hub import constants

from generation import MODELS, GridRequest, ModelSpec, SamplingProgress, sample
from tests.twins.facts import text_to_image_facts
from tests.twins.text_to_image import write_twin

Twin = Callable[[str], ModelSpec]
Decoded = list[tuple[int, ...]]


def generate(request: GridRequest, pipeline: Any, spec: ModelSpec, **more: Any) -> SamplingProgress:
    """The last item, with more that `sample` may be given."""
    *_, last = sample(request, pipeline, spec, **more)
    return last


def pixels(grid: SamplingProgress) -> np.ndarray:
    return np.stack([np.asarray(cell.image, dtype=float) for cell in grid.cells])


@pytest.fixture
def decoded_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Decoded]:
    """From a pipeline to the shapes of the latents that it decodes from now on."""

    def watched(pipeline: Any) -> Decoded:
        decode, shapes = pipeline.vae.decode, Decoded()

        def noted(latents: Any, *args: Any, **options: Any) -> Any:
            shapes.append(tuple(latents.shape))
            return decode(latents, *args, **options)

        monkeypatch.setattr(pipeline.vae, "decode", noted)
        return shapes

    return watched


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
