"""A model is loaded once, nobody waits for one that is there, and the least used makes room."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hub
import hub.loaded
from hub import cached_loader


def test_threads_that_ask_at_the_same_time_share_one_loading() -> None:
    loaded: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    @cached_loader
    def load(name: str) -> object:
        begun.set()
        go_on.wait(5)
        loaded.append(name)
        return object()

    with ThreadPoolExecutor(4) as visitors:
        asked = [visitors.submit(load, "text-to-image model") for _ in range(4)]
        begun.wait(5)
        go_on.set()
        found = {each.result(5) for each in asked}
    assert len(found) == 1
    assert loaded == ["text-to-image model"]


def test_what_is_loaded_is_given_out_while_another_is_on_its_way() -> None:
    slow = threading.Event()

    @cached_loader
    def load(name: str) -> str:
        if name == "large":
            slow.wait(5)
        return name.upper()

    load("small")
    with ThreadPoolExecutor(2) as visitors:
        large = visitors.submit(load, "large")
        assert visitors.submit(load, "small").result(1) == "SMALL"
        assert not large.done()
        slow.set()
        assert large.result(5) == "LARGE"


def test_a_model_that_is_let_go_of_while_somebody_waits_for_it_is_loaded_from_its_files_again(
    tmp_path: Path,
) -> None:
    fetched: list[str] = []

    def made(name: str, file: Path) -> tuple[str, str]:
        return name, file.name

    def files(name: str) -> Path:
        fetched.append(name)
        return tmp_path / name

    load = cached_loader(made, files=files)
    load("large")
    hub.loaded._loaded[made, "large"].home = "an accelerator"
    with ThreadPoolExecutor(1) as visitors:
        with hub.loaded._building:
            waiting = visitors.submit(load, "large")
            time.sleep(0.1)
            del hub.loaded._loaded[made, "large"]
        assert waiting.result(5) == ("large", "large")
    assert fetched == ["large", "large"]


def test_a_loading_that_failed_is_tried_again() -> None:
    tries: list[str] = []

    @cached_loader
    def load(name: str) -> str:
        tries.append(name)
        if len(tries) == 1:
            raise OSError(name)
        return name

    with pytest.raises(OSError, match="text-to-image model"):
        load("text-to-image model")
    assert load("text-to-image model") == "text-to-image model"
    assert len(tries) == 2


class Model:
    """Something with a size and a place, such as a pipeline."""

    def __init__(self, memory: Memory, device: str, size: int) -> None:
        self.memory, self.device, self.size = memory, device, size
        memory.taken[device] += size

    def to(self, device: str) -> None:
        self.memory.taken[self.device] -= self.size
        self.memory.taken[device] += self.size
        self.device = device

    def __del__(self) -> None:
        self.memory.taken[self.device] -= self.size


class Memory:
    """A machine with an accelerator of 100 bytes and as many of the CPU's as is said."""

    def __init__(self, ram: int) -> None:
        self.size = {"cpu": ram, "xla": 100}
        self.taken = {"cpu": 0, "xla": 0}

    def free(self, device: str) -> int:
        return self.size[device] - self.taken[device]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Memory]:
    def of(ram: int) -> Memory:
        memory = Memory(ram)
        monkeypatch.setattr(hub.loaded, "free_memory", memory.free)
        monkeypatch.setattr(hub.loaded, "_empty_cache", lambda _: None)
        monkeypatch.setattr(hub.loaded, "_loaded", OrderedDict())
        return memory

    return of


def loader(memory: Memory, device: str) -> Callable[[str], Model]:
    """Models named "a40", "b70", ... by the bytes they take."""

    def size(name: str) -> int:
        return int(name[1:])

    def load(name: str) -> Model:
        hub.require_memory(name, size(name), device)
        return Model(memory, device, size(name))

    return cached_loader(load, size)


def test_the_least_recently_used_model_makes_room(machine: Callable[[int], Memory]) -> None:
    memory = machine(100)
    load = loader(memory, "cpu")
    for name in ("a40", "b40", "a40", "c50"):
        load(name)
    assert memory.taken["cpu"] == 90
    kept = {name for _, name in hub.loaded._loaded}
    assert kept == {"a40", "c50"}


def test_a_model_that_fits_nowhere_is_refused_with_both_numbers(
    machine: Callable[[int], Memory],
) -> None:
    load = loader(machine(2_000_000_000), "cpu")
    load("a1000000000")
    with pytest.raises(hub.MemoryShortError, match=r"needs 3\.0 GB of memory on cpu, and 2\.0 GB"):
        load("b3000000000")


def test_a_model_moves_to_the_cpu_and_comes_back(machine: Callable[[int], Memory]) -> None:
    memory = machine(200)
    load = loader(memory, "xla")
    pipeline = load("a70")
    load("b60")
    assert (pipeline.device, memory.taken) == ("cpu", {"cpu": 70, "xla": 60})
    assert load("a70") is pipeline
    assert (pipeline.device, memory.taken) == ("xla", {"cpu": 60, "xla": 70})
    assert [name for _, name in hub.loaded._loaded] == ["b60", "a70"]


def test_room_in_the_cpu_is_made_by_what_waits_there(machine: Callable[[int], Memory]) -> None:
    memory = machine(200)
    load = loader(memory, "xla")
    load("a70")
    load("b60")
    assert hub.loaded.make_room(180, "cpu") == 200
    assert memory.taken == {"cpu": 0, "xla": 60}


def test_where_the_cpu_has_no_memory_either_it_is_let_go_of(
    machine: Callable[[int], Memory],
) -> None:
    memory = machine(50)
    load = loader(memory, "xla")
    load("a70")
    load("b60")
    assert memory.taken == {"cpu": 0, "xla": 60}


def test_a_model_in_use_stays_where_it_is(machine: Callable[[int], Memory]) -> None:
    memory = machine(200)
    load = loader(memory, "xla")
    pipeline = load("a70")
    with hub.in_use(pipeline), pytest.raises(hub.MemoryShortError):
        load("b60")
    assert pipeline.device == "xla"
    load("b60")
    assert pipeline.device == "cpu"


def test_a_model_that_was_moved_between_two_uses_is_back_for_the_second(
    machine: Callable[[int], Memory],
) -> None:
    memory = machine(200)
    load = loader(memory, "xla")
    pipeline = load("a70")
    load("b60")
    with hub.in_use(pipeline):
        assert (pipeline.device, memory.taken) == ("xla", {"cpu": 60, "xla": 70})
