"""What a command sets up before it starts."""

import os

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
