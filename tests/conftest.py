"""What every test may ask for, and the ground rule that no test reaches the network."""

import gc
import os

gc.set_threshold(20_000)
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["MPLBACKEND"] = "agg"  # no search for a screen

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from generation import ModelSpec
from tests.tiny_pipelines import save_stable_diffusion, tiny_model

settings.register_profile("patient", deadline=None)  # a busy machine is no fault
settings.load_profile("patient")

collect_ignore = ["zero_gpu"]
"""A stand-in for the library `spaces`, which is imported in processes of its own alone."""
LONGEST = ("browser", "test_server.py", "test_twins.py")
"""Folders and files that come first, so that no process is left alone with one in the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "reference" in getattr(item, "fixturenames", ()):
            item.add_marker("reference")

    def place(item: pytest.Item) -> int:
        return next((n for n, name in enumerate(LONGEST) if name in item.path.parts), len(LONGEST))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Leave what the libraries hold to themselves.

    Else the collector of garbage looks through all of it again and again, a sixth of the time.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def single_precision() -> Iterator[None]:
    """Scoring models run in single precision here, whatever the CPU computes in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("alignment.models.revisions.ON_CPU", "float32")
        yield


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """While it lasts there are text-to-image models "tiny" and "slow", and a bundle "tiny"."""
    from tests.tiny_models import tiny_models

    with tiny_models(tmp_path_factory.mktemp("models")):
        yield


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of the reference data: published files, which are not the project's to give."""
    folder = os.environ.get("REFERENCE")
    if not folder:
        pytest.skip("the variable REFERENCE names no folder with the published files")
    return Path(folder).resolve(strict=True)


@pytest.fixture(scope="session")
def tiny_pipeline(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """A Stable Diffusion pipeline with random weights, saved where a checkpoint would be."""
    folder = tmp_path_factory.mktemp("tiny-pipeline")
    save_stable_diffusion(folder)
    return tiny_model(folder)
