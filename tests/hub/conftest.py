"""A hub on this machine, and an empty cache to download into."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from tests.twins.hub_server import HubServer, serve

REPOSITORY = "somebody/something"
FILES = {"config.json": b"{}", "model.safetensors": b"w" * 300_000, "README.md": b"# Something"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A hub cache with one repository, and the files in it."""
    snapshot = tmp_path / "served" / "models--somebody--something" / "snapshots" / ("c" * 40)
    snapshot.mkdir(parents=True)
    for name, content in FILES.items():
        (snapshot / name).write_bytes(content)
    refs = snapshot.parent.parent / "refs"
    refs.mkdir()
    (refs / "main").write_text(snapshot.name)
    return tmp_path / "served"


@pytest.fixture
def hub_server(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HubServer]:
    """The hub that serves it, in use."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with serve(repository) as server:
        monkeypatch.setattr(constants, "ENDPOINT", server.endpoint)
        monkeypatch.setattr(
            constants,
            "HUGGINGFACE_CO_URL_TEMPLATE",
            f"{server.endpoint}/{{repo_id}}/resolve/{{revision}}/{{filename}}",
        )
        yield server
