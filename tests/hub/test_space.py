"""On ZeroGPU a job runs in another process; everywhere else nothing happens to it."""

import multiprocessing
import pickle
from collections.abc import Iterator

import pytest

import hub
from hub import MemoryShortError
from hub.space import raised_here, telling


def job(count: int) -> Iterator[int]:
    """Counts, and fails after three."""
    for number in range(count):
        if number == 3:
            raise MemoryShortError("three is too many")
        yield number


def elsewhere(count: int) -> Iterator[object]:
    """The job in a process of its own; what comes out of it is pickled."""
    receiving, sending = multiprocessing.get_context("fork").Pipe(duplex=False)

    def work() -> None:
        for item in telling(job)(count):
            sending.send_bytes(pickle.dumps(item))
        sending.send_bytes(pickle.dumps(StopIteration))

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    while (item := pickle.loads(receiving.recv_bytes())) is not StopIteration:
        yield item
    process.join()


def test_without_zero_gpu_a_job_is_left_as_it_is():
    assert not hub.zero_gpu()
    assert hub.on_gpu(lambda count: count)(job) is job


@pytest.mark.parametrize(
    ("device", "lent", "place"),
    [("cuda", False, "cuda"), ("cuda", True, None), ("cpu", False, None)],
)
def test_weights_are_loaded_straight_to_a_gpu_that_is_there_all_the_time(
    device: str, lent: bool, place: str | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("hub.space.zero_gpu", lambda: lent)
    assert hub.straight_to(device) == place


def test_what_goes_wrong_elsewhere_is_raised_here_with_its_class_and_message():
    items = raised_here(job, elsewhere)(5)  # type: ignore[arg-type]
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(MemoryShortError, match="three is too many"):
        next(items)
