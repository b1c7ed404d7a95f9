"""A hub on this machine, and an empty cache to download into."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from tests.hostile import silent_hub
from tests.twins.hub_server import HubServer, serve, use

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
    with serve(repository) as server:
        use(server.endpoint, tmp_path / "cache", monkeypatch)
        yield server


@pytest.fixture
def silent(hub_server: HubServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The hub takes every connection and says nothing."""
    with silent_hub() as endpoint:
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        yield
