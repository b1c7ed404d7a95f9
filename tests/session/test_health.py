"""The health of a server: what its models answered when they were last asked."""

import pytest

from session.health import PAUSE, watch
from session.limits import Runs


def test_a_server_is_healthy_once_its_models_have_answered_and_while_they_do():
    runs, seen, failing = Runs(), [], [False, True, True, False]
    runs.health = "starting"

    def ask(turn: object) -> None:
        seen.append(f"asked while {runs.health}")
        if failing.pop(0):
            raise ImportError("cannot import name 'nn' from partially initialized module 'torch'")

    def sleep(seconds: float) -> None:
        assert seconds == PAUSE
        seen.append(runs.health)
        if not failing:
            runs.stop()
        elif runs.health == "ok":
            with pytest.raises(ImportError), runs.admit("visitor", "10.0.0.1"):
                raise ImportError

    watch(runs, ask, sleep)
    assert seen == [
        "asked while starting",
        "ok",
        "asked while ok",
        "failing",
        "asked while failing",
        "failing",
        "asked while failing",
        "ok",
    ]


def test_models_that_answer_are_not_asked_again_for_nothing():
    runs, asked = Runs(), []
    naps = iter([None] * 3)

    def sleep(seconds: float) -> None:
        if next(naps, runs) is runs:
            runs.stop()

    watch(runs, lambda _: asked.append(True), sleep)
    assert asked == []
