"""Twins of the hub's scoring models, in a hub cache of their own."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.models.catalogue import MODELS, find_bundle
from alignment.models.spec import Bundle, ScoringModel
from tests.twins.scoring import NAMES, build_twin, register_architecture


@dataclass(frozen=True)
class Twins:
    """Twins by the names of their models, each written when it is first asked for."""

    build: Callable[[str], Path]
    """From a name to the folder of the snapshot."""

    def spec(self, name: str) -> ScoringModel:
        """The model as the catalogue has it, its twin in the cache."""
        folder, spec = self.build(name), replace(MODELS[name], memory_gb=0.01)
        if not spec.architecture:
            return spec
        return replace(spec, architecture=register_architecture(name, folder.parents[2]))

    def bundle(self, name: str) -> Bundle:
        """A bundle as it is, a twin in the place of every hub model."""
        bundle = find_bundle(name)
        roles = {role.name: getattr(bundle, role.name) for role in fields(bundle)}
        specs = {role: spec for role, spec in roles.items() if isinstance(spec, ScoringModel)}
        of_the_hub = {role: spec.name for role, spec in specs.items() if spec.name in NAMES}
        return replace(bundle, **{role: self.spec(model) for role, model in of_the_hub.items()})


@pytest.fixture(scope="session")
def hub_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("hub")
    return folder


@pytest.fixture(scope="session")
def twin_folder(hub_folder: Path) -> Callable[[str], Path]:
    """Writes each twin once, whoever asks."""
    return cache(lambda name: build_twin(name, hub_folder))


@pytest.fixture
def twins(
    hub_folder: Path, twin_folder: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> Twins:
    """The hub is out of reach, and its cache holds twins."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(hub_folder))
    return Twins(twin_folder)


@pytest.fixture(scope="session")
def noises() -> list[Image]:
    """Noise of three sizes, so that no two images look alike to random weights."""
    import torch

    generator = torch.Generator().manual_seed(0)
    return [
        PillowImage.fromarray(
            torch.randint(0, 256, (*shape, 3), dtype=torch.uint8, generator=generator).numpy()
        )
        for shape in [(48, 48), (48, 32), (20, 60)]
    ]
