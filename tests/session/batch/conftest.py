"""Twelve prompts for two tiny painters, judged by tiny judges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from session.batch import Unit, plan
from tests.tiny_models import PROMPT, tiny_bundle, tiny_painter

PROMPTS = (PROMPT, *(f"{number} apples" for number in range(2, 13)))


@pytest.fixture(scope="session")
def units(tmp_path_factory: pytest.TempPathFactory) -> tuple[Unit, ...]:
    folder = tmp_path_factory.mktemp("batch-models")
    painter = tiny_painter(folder / "painter")
    painters = [painter, replace(painter, name="quick", steps=2)]
    return plan(PROMPTS, painters, tiny_bundle(folder), images=2)
