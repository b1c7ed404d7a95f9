"""The embedded models, loaded once, for tests of searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import alignment
from alignment import Models
from generation import GridRequest, find_model, load_pipeline
from search import Attempt, Budget, search

Searching = Callable[..., Iterator[Attempt]]


@pytest.fixture(scope="session")
def models() -> Models:
    return Models(alignment.find_bundle("embedded"))


@pytest.fixture(scope="session")
def searching(models: Models) -> Searching:
    """A search with the embedded models, given the prompt, the budget and the strategy."""
    spec = find_model("stickers")
    pipeline = load_pipeline(spec, "cpu")

    def started(prompt: str, budget: str, strategy: str, **more: Any) -> Iterator[Attempt]:
        own = {"seed": more.pop("seed", 1000), "completion": more.pop("completion", False)}
        request = GridRequest(prompt, **own)
        return search(request, pipeline, spec, models, Budget.parse(budget), strategy, **more)

    return started
