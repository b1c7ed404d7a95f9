"""Tiny judges that read prompts with the embedded parser."""

import pytest

from alignment.models.loading import Models
from tests.tiny_models import tiny_bundle


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    return Models(tiny_bundle(tmp_path_factory.mktemp("tiny-judges")))
