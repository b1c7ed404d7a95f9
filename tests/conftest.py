"""What every test may ask for, and the ground rule that no test reaches the network."""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

from pathlib import Path

import pytest

from generation import ModelSpec
from tests.tiny_painters import save_stable_diffusion, save_stable_diffusion_3


@pytest.fixture(scope="session")
def tiny_painter(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """A Stable Diffusion pipeline with random weights, saved where a checkpoint would be."""
    folder = tmp_path_factory.mktemp("tiny-painter")
    save_stable_diffusion(folder)
    return _tiny(folder)


@pytest.fixture(scope="session")
def tiny_sd3_painter(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """The same of Stable Diffusion 3."""
    folder = tmp_path_factory.mktemp("tiny-sd3-painter")
    save_stable_diffusion_3(folder)
    return _tiny(folder)


def _tiny(folder: Path) -> ModelSpec:
    return ModelSpec(
        name="tiny",
        source=folder,
        steps=4,
        guidance=3.0,
        size=32,
        licence="none",
        notes="Random weights.",
        batch=2,
        previews=1,
    )
