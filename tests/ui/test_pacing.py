"""Which states of a job the page draws, and what becomes of the job."""

import threading
import time
from collections.abc import Generator
from contextvars import ContextVar

import pytest

from ui.run_controls import newest


def counting(seconds: float, end: int, closed: threading.Event | None = None) -> Generator[int]:
    """A job whose states are 0 to `end` - 1."""
    try:
        for state in range(end):
            time.sleep(seconds)
            yield state
    finally:
        if closed:
            closed.set()


def test_of_quick_states_some_are_drawn_and_the_last_always():
    drawn = [*newest(counting(0.002, 100), pace=0.04)]
    assert drawn == sorted(set(drawn))
    assert drawn[-1] == 99
    assert len(drawn) < 20


def test_of_slow_states_all_are_drawn():
    assert [*newest(counting(0.03, 5), pace=0.001)] == [0, 1, 2, 3, 4]


def test_the_last_state_does_not_wait_for_the_pace():
    start = time.monotonic()
    assert [*newest(counting(0.0, 3), pace=60)][-1] == 2
    assert time.monotonic() - start < 10


def test_the_job_goes_on_while_its_states_are_drawn():
    job, at = newest(counting(0.001, 20), pace=0.001), []
    for state in job:
        at.append(state)
        time.sleep(0.1)  # as long as the whole job, and longer
    assert len(at) < 5


def test_a_failure_comes_after_the_newest_state():
    def failing() -> Generator[int]:
        yield from counting(0.0, 3)
        raise ValueError("no memory")

    drawn: list[int] = []
    with pytest.raises(ValueError, match="no memory"):
        drawn.extend(newest(failing(), pace=0.01))
    assert drawn[-1] == 2


def test_a_job_whose_states_nobody_draws_any_more_is_closed_after_its_step_without_a_wait():
    closed = threading.Event()
    job = newest(counting(0.5, 1000, closed), pace=0.001)
    next(job)
    start = time.monotonic()
    job.close()  # type: ignore[attr-defined]
    assert time.monotonic() - start < 0.2
    assert closed.wait(10)


def test_the_job_runs_in_the_context_of_whoever_asks():
    visitor: ContextVar[str] = ContextVar("visitor")

    def asking() -> Generator[str]:
        yield visitor.get()

    visitor.set("the one at the page")
    assert [*newest(asking())] == ["the one at the page"]
