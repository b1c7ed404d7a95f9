"""Settings of VQ2 and the saliency model, from the command line to the scores."""

from __future__ import annotations

import pytest

from alignment.questions.settings import AS_PUBLISHED, RECOMMENDED
from app import program
from cli import generate
from session.state import GridState


@pytest.fixture
def requested(monkeypatch: pytest.MonkeyPatch) -> list[GridState]:
    """What `generate` asks for; nothing is generated."""
    asked: list[GridState] = []

    def keep(state: GridState, _: object) -> GridState:
        asked.append(state)
        return state

    monkeypatch.setattr(generate, "write_report", keep)
    return asked


def test_every_setting_of_vq2_and_the_saliency_model_can_be_given(requested: list[GridState]):
    options = "--assessment B --spans simple --filter 0.3 --questions-per-span 2 --question-seed 5 "
    options += "--dependencies on --aggregation weakest --negation off --saliency deepgaze"
    program(["a red apple", *options.split()], standalone_mode=False)
    (state,) = requested
    assert state.request.saliency == "deepgaze"
    assert str(state.request.vq2.signature) == (
        "VQ2|assessment:B|spans:simple|filter:0.3|questions:2|decoding:sampled,seed 5|"
        "aggregation:weakest|dependencies:on|negation:off|existence:on"
    )


def test_what_is_not_given_is_as_the_bundle_has_it(requested: list[GridState]):
    for bundle in ("paper", "embedded"):
        program(["a red apple", "--bundle", bundle], standalone_mode=False)
    assert [state.request.vq2 for state in requested] == [AS_PUBLISHED, RECOMMENDED]
