"""Tiny real models for the tabs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tiny_models import tiny_models


@pytest.fixture(scope="package")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tiny models under names of their own, while it lasts."""
    with tiny_models(tmp_path_factory.mktemp("models")):
        yield
