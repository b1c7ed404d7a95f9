"""What a command sets up before it starts."""

from __future__ import annotations

import gc
import os
from functools import partial

import pytest

from app import program


def test_a_hub_out_of_reach_at_the_start_may_be_within_reach_later(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("HF_HUB_OFFLINE", "")
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
    with pytest.raises(SystemExit):
        program(["generate", ""])
    assert not os.environ["HF_HUB_OFFLINE"]


def test_a_command_does_not_look_through_its_libraries_again_and_again(
    request: pytest.FixtureRequest,
):
    request.addfinalizer(partial(gc.set_threshold, *gc.get_threshold()))
    gc.set_threshold(700)
    with pytest.raises(SystemExit):
        program([""], standalone_mode=False)
    before = gc.get_stats()[0]["collections"]
    libraries = [[] for _ in range(50_000)]
    assert gc.get_stats()[0]["collections"] == before
    assert len(libraries) == 50_000
