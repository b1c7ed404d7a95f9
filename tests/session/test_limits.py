"""Runs share the models: who is admitted, whose turn it is, and when one ends."""

import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.limits import BETWEEN, HALF_LIFE, Limits, Runs
from session.run import SERVER, Run, RunEnded


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("limits", "session", "address", "says"),
    [
        (Limits(runs_per_session=1), "a", "2", "1 of your runs are under way"),
        (Limits(runs_per_address=1), "b", "1", "1 runs from your address"),
        (Limits(runs=1), "b", "2", "1 runs are under way here; try again"),
    ],
)
def test_one_run_too_many_is_refused_with_its_reason(
    limits: Limits, session: str, address: str, says: str
):
    runs = Runs(limits)
    with runs.admit("a", "1"):
        with pytest.raises(RunEnded, match=says), runs.admit(session, address):
            pass
        assert len(runs.admitted) == 1
    with runs.admit(session, address):
        pass


def test_a_run_that_no_event_started_outlives_the_cancelling_of_none():
    """The warm-up of a server, and whatever is called from Python, have no event to be named by."""
    runs = Runs()
    with runs.admit(SERVER, SERVER) as warm_up, runs.admit("", "") as called_from_python:
        runs.cancel({""})
        warm_up.check()
        called_from_python.check()


@contextmanager
def another_waits(runs: Runs) -> Iterator[tuple[Run, Future[None]]]:
    """A run has the models, and another waits for its turn."""

    def wait() -> None:
        with runs.admit("b", "2", "second") as run, run.turn():
            pass

    with ThreadPoolExecutor(1) as pool, runs.admit("a", "1", "first") as first, first.turn():
        other = pool.submit(wait)
        while not runs.models.waiting:
            time.sleep(0.01)
        yield first, other


def test_a_cancelled_run_waits_for_its_turn_no_longer():
    told = list[Mapping[str, Any]]()
    runs = Runs(clock=(clock := Clock()), report=told.append)
    with another_waits(runs) as (first, other):
        clock.now = 20.0
        runs.cancel({"second"})
        with pytest.raises(RunEnded, match="this run was stopped"):
            other.result(5)
        assert runs.admitted == [first]
        assert [(each["seconds"], each["queue_seconds"]) for each in told] == [(20.0, 20.0)]
        first.check()


def test_the_servers_own_run_takes_no_visitors_place():
    runs = Runs(Limits(runs=1))
    with runs.admit(SERVER, SERVER), runs.admit("a", "1"):
        assert len(runs.admitted) == 2


def test_the_servers_own_run_is_admitted_however_many_visitors_there_are():
    runs = Runs(Limits(runs=1))
    with runs.admit("a", "1"), runs.admit(SERVER, SERVER):
        assert len(runs.admitted) == 2


def test_callers_that_name_no_session_are_told_apart_by_their_addresses():
    runs = Runs(Limits(runs_per_session=1))
    with runs.admit("", "1"), runs.admit("", "2"):
        assert len(runs.admitted) == 2


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=60))
def test_no_crowd_ever_has_more_runs_than_the_limits_say(crowd: list[tuple[int, int]]):
    limits = Limits(runs=8, runs_per_session=2, runs_per_address=4)
    runs, admitted, ends = Runs(limits), 0, set[str]()
    with ExitStack() as stack:
        for session, address in crowd:
            try:
                stack.enter_context(runs.admit(str(session), str(address)))
                admitted += 1
            except RunEnded as ended:
                ends.add(ended.outcome)
            assert len(runs.admitted) == admitted <= 8
            for value, most in (("session", 2), ("address", 4)):
                held = [getattr(run, value) for run in runs.admitted]
                assert max(map(held.count, held), default=0) <= most
    assert not runs.admitted
    assert ends <= {"refused"}


def test_runs_of_four_addresses_never_shut_out_a_fifth():
    runs = Runs(Limits())
    with ExitStack() as stack:
        for number in range(100):
            with suppress(RunEnded):
                stack.enter_context(runs.admit(str(number), str(number % 4)))
        assert len(runs.admitted) > Limits().runs // 2
        with runs.admit("fresh", "fifth") as fifth, fifth.turn():
            pass


def test_files_are_read_while_another_run_has_the_models():
    runs = Runs()
    with runs.admit("a", "1") as first, runs.admit("b", "2") as second:
        with first.turn(), second.reading():
            assert (runs.models.holder, runs.reader.holder) == (first, second)
        assert second.worked > 0, "reading counts, so that who reads much goes later"


def take_a_turn(run: Run) -> None:
    with suppress(RunEnded), run.turn():
        pass


def test_a_newcomer_is_told_who_shares_the_models_and_when_it_begins():
    clock = Clock()
    runs = Runs(clock=clock)
    assert runs.ahead("c") == (0, 0)
    with runs.admit(SERVER, SERVER), runs.admit("a", "1") as first, runs.admit("b", "2") as second:
        for run, seconds in ((first, 2.0), (second, 4.0)):
            with run.turn():
                clock.now += seconds
        assert runs.ahead("c") == (2, 0), "nobody has the models just now"
        with runs.admit("d", "4") as new, first.turn():
            assert runs.ahead("c") == (3, 3.0), "one turn of the usual length"
            assert runs.ahead("b") == (2, 3.0)
            waiting = threading.Thread(target=take_a_turn, args=[new])
            waiting.start()
            while runs.ahead("c") != (3, 6.0):
                time.sleep(0.01)
        waiting.join(5)


def test_a_newcomer_starts_within_one_batch_of_somebody_elses_run():
    """However long the other has worked, and however many others wait."""
    runs = Runs(clock=lambda: 50 * time.monotonic())  # a turn of a race takes a second
    order = race(runs, {"six by six": 9, "another": 9, "third": 9}, {"two by two": 1})
    assert order.index("two by two") <= 1, order


def test_nobody_waits_for_ever_behind_newcomers():
    runs = Runs(Limits(patience=5.0), clock=(clock := Clock()))
    with runs.admit("big", "1") as big, runs.admit("new", "2") as new:
        big.worked = 100.0
        runs.models.waiting = [big, new]
        assert runs.first_waiting(runs.models) is new
        big.since, clock.now = 0.0, 6.0
        new.wait()
        assert runs.first_waiting(runs.models) is big


def test_ever_new_runs_of_one_address_never_go_before_another_that_has_had_less():
    runs = Runs(clock=(clock := Clock()))
    with ExitStack() as stack:
        polite = stack.enter_context(runs.admit("polite", "1"))
        for run, seconds in ((polite, 1.0), (stack.enter_context(runs.admit("a", "2")), 3.0)):
            with run.turn():
                clock.now += seconds
        flood = [stack.enter_context(runs.admit(str(number), "2")) for number in range(5)]
        runs.models.waiting = [*flood, polite]
        assert runs.first_waiting(runs.models) is polite
        assert runs.shares.of("2", clock.now + HALF_LIFE) == pytest.approx(1.5)


def test_small_runs_end_one_after_the_other_and_nobody_comes_between_their_steps():
    order = race(Runs(), {}, {"first": 4, "second": 4, "third": 4})
    assert [*dict.fromkeys(order)] == order[::4], order


def test_the_models_are_kept_for_the_next_step_for_a_moment_only():
    runs = Runs(clock=(clock := Clock()))
    with runs.admit("a", "1") as first, runs.admit("b", "2") as second:
        with first.turn():
            clock.now = 0.5
        runs.models.waiting = [second]
        assert runs.first_waiting(runs.models) is first, "it came first, and goes on at once"
        clock.now += BETWEEN
        assert runs.first_waiting(runs.models) is second


def test_a_run_that_nobody_listens_to_has_no_turn_until_somebody_does():
    heard: set[str] = set()
    runs, had = Runs(listening=heard.__contains__), threading.Event()

    def work() -> None:
        with runs.admit("a", "1") as run, run.turn():
            had.set()

    thread = threaded(work)
    thread.start()
    while not runs.models.waiting:
        time.sleep(0.01)
    assert not had.wait(0.1)
    heard.add("a")
    runs.somebody_listens()
    assert had.wait(5)
    thread.join(5)


def race(runs: Runs, first: dict[str, int], then: dict[str, int]) -> list[str]:
    """Who had the models, turn by turn, after the later ones came; never two at once."""
    order: list[str] = []
    inside: list[str] = []
    most: list[int] = []
    started = threading.Barrier(len(first) + 1)

    def work(name: str, turns: int, *, early: bool) -> None:
        with runs.admit(name, name) as run:
            for turn in range(turns):
                with run.turn():
                    inside.append(name)
                    time.sleep(0.02)
                    most.append(len(inside))
                    inside.remove(name)
                    order.append(name)
                if early and turn == 1:
                    started.wait()

    early = [threaded(work, *each, early=True) for each in first.items()]
    late = [threaded(work, *each, early=False) for each in then.items()]
    for thread in early:
        thread.start()
    started.wait()
    order.clear()
    for thread in late:
        thread.start()
    for thread in (*early, *late):
        thread.join(10)
    assert max(most) == 1
    return order


def threaded(work: Callable[..., None], *given: Any, **named: Any) -> threading.Thread:
    return threading.Thread(target=work, args=given, kwargs=named)


def test_a_run_that_nobody_listens_to_ends_after_a_while():
    heard = {"a"}
    runs = Runs(Limits(silence=10.0), heard.__contains__, clock := Clock())
    with runs.admit("a", "1") as run:
        clock.now = 60.0
        run.check()
        heard.clear()
        clock.now = 69.0
        run.check()
        clock.now = 71.0
        with pytest.raises(RunEnded, match="nobody listens to this run any more"):
            run.check()


def test_a_run_ends_when_its_time_is_up_even_within_a_turn():
    runs = Runs(Limits(seconds_per_run=30.0), clock=(clock := Clock()))
    with runs.admit("a", "1") as run:
        with run.turn():
            clock.now = 20.0
        clock.now = 1000.0
        run.check()
        with run.turn():
            clock.now = 1011.0
            with pytest.raises(RunEnded, match="had the models for 30 s"):
                run.check()
    assert (run.worked, run.waited) == (31.0, 0.0)


def test_a_stopping_server_ends_runs_that_wait_and_admits_none():
    runs = Runs()
    with another_waits(runs) as (first, other):
        runs.stop()
        with pytest.raises(RunEnded, match="the server is stopping"):
            other.result(5)
        with pytest.raises(RunEnded, match="stopping; what was done stays"):
            first.check()
    with pytest.raises(RunEnded, match="the server is stopping"), runs.admit("c", "3"):
        pass


def test_the_job_of_a_run_that_may_not_go_on_is_closed_though_its_failure_is_still_held():
    closed = []

    def job() -> Generator[int]:
        try:
            yield from count()
        finally:
            closed.append(True)

    with Runs().admit("a", "1") as run:
        steps = run.checked(job())
        next(steps)
        run.cancelled = True
        with pytest.raises(RunEnded, match="stopped") as held:
            next(steps)
        assert closed
        assert held.value.__traceback__  # whose frames hold the job
