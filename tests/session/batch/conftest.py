"""Twelve prompts for two tiny text-to-image models, scored by tiny models."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from request import Request
from session.batch import Unit, plan
from tests.tiny_models import PROMPT, tiny_bundle, tiny_pipeline

PROMPTS = (PROMPT, *(f"{number} apples" for number in range(2, 13)))


@pytest.fixture(scope="session")
def units(tmp_path_factory: pytest.TempPathFactory) -> tuple[Unit, ...]:
    folder = tmp_path_factory.mktemp("batch-models")
    pipeline = tiny_pipeline(folder / "text-to-image model")
    pipelines = [pipeline, replace(pipeline, name="quick", steps=2)]
    bundle = replace(tiny_bundle(folder), name="uncalibrated")
    systems = [(Request("", 1, 2, model=each.name, bundle=bundle.name), each) for each in pipelines]
    return plan(PROMPTS, systems, bundle)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes: the write that would is cut short."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
