"""A model is loaded once, and nobody waits for one that is there."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

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


def test_a_loading_that_failed_is_tried_again() -> None:
    tries: list[str] = []

    @cached_loader
    def load(name: str) -> str:
        tries.append(name)
        if len(tries) == 1:
            raise OSError(name)
        return name

    try:
        load("text-to-image model")
    except OSError:
        assert load("text-to-image model") == "text-to-image model"
    assert len(tries) == 2
