"""Twelve prompts for two tiny text-to-image models, scored by tiny models."""

import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from alignment.models.spec import Bundle
from generation import ModelSpec
from request import Request
from session.batch.units import Unit, plan
from tests.tiny_models import PROMPT, known, tiny_bundle, tiny_pipeline

PROMPTS = (PROMPT, *(f"{number} apples" for number in range(2, 13)))
Tiny = tuple[Sequence[ModelSpec], Bundle]


@pytest.fixture(scope="package")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tiny]:
    """Two text-to-image models and a bundle without calibrations, known by their names."""
    folder = tmp_path_factory.mktemp("batch-models")
    pipeline = tiny_pipeline(folder / "text-to-image model")
    pipelines = [pipeline, replace(pipeline, name="quick", steps=2)]
    bundle = replace(tiny_bundle(folder), name="uncalibrated")
    with known(pipelines, bundle):
        yield pipelines, bundle


@pytest.fixture(scope="package")
def units(tiny: Tiny) -> tuple[Unit, ...]:
    pipelines, bundle = tiny
    requests = [Request("", 1, 2, model=each.name, bundle=bundle.name) for each in pipelines]
    return plan(PROMPTS, [("", each) for each in requests])


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes: the write that would is cut short."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
