"""The whole job, once with the twin of every text-to-image model of the hub."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import generation
from alignment.prompt_pairs.records import PromptPair
from generation import MODELS
from request import Request
from session.jobs import check_contrast, generate_and_score
from session.pair_jobs import generate_and_compare
from session.pair_state import AskedPair, PairState
from session.state import GridState
from session.storage import ContentStore
from tests.generation.conftest import Twin, twin, twin_cache
from tests.tiny_models import PROMPT, known, tiny_bundle

__all__ = ["twin", "twin_cache"]

OFFERED = [name for name, spec in MODELS.items() if not spec.embedded and not spec.quantized]
PAIR = PromptPair(
    ("a black apple", "a green backpack"), ("an apple that is black", "a backpack that is green")
)

pytestmark = pytest.mark.hub


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Evaluators of a few parameters; the models that generate are what is tested."""
    tiny = tiny_bundle(tmp_path_factory.mktemp("bundle"))
    with known([], tiny):
        yield tiny.name


@pytest.fixture(params=OFFERED)
def model(request: pytest.FixtureRequest, twin: Twin, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(generation.MODELS, request.param, twin(request.param))
    return str(request.param)


def test_a_model_does_the_whole_job(model: str, bundle: str, tmp_path: Path):
    requested = GridState(Request(PROMPT, 1, 2, model=model, bundle=bundle))
    *_, state = generate_and_score(requested, ContentStore(tmp_path))
    assert {"vq2", "vnli", "clip"} <= set(state.report.scores)
    assert sorted(state.ranked) == [0, 1]
    *_, checked = check_contrast(state, state.report)
    assert checked.contrast_check is not None
    pair = PairState(AskedPair(*PAIR.prompts, *PAIR.descriptions, 1, 7, "clip", model, bundle))
    *_, compared = generate_and_compare(pair, ContentStore(tmp_path))
    assert compared.score is not None  # CLIP answers whatever the images show
