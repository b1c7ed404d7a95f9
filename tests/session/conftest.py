"""Tiny real models, and every stage of one job they did."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from request import Request
from session.jobs import generate_and_score
from session.state import GridState
from session.storage import ContentStore
from tests.tiny_models import PROMPT, tiny_models

REQUEST = Request(PROMPT, 2, 2, model="tiny", bundle="tiny")
REQUESTED = GridState(REQUEST)


@pytest.fixture(scope="package")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """While it lasts there are text-to-image models "tiny" and "slow", and a bundle "tiny"."""
    with tiny_models(tmp_path_factory.mktemp("models")):
        yield


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("images")


@pytest.fixture(scope="package")
def states(models: None, folder: Path) -> list[GridState]:
    """Every stage of one job."""
    return list(generate_and_score(REQUESTED, ContentStore(folder)))


@pytest.fixture(scope="package")
def state(states: list[GridState]) -> GridState:
    """The last of them."""
    return states[-1]
