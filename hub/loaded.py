"""The models in memory: each is loaded once, and the least recently used one makes room.

A pipeline on an accelerator first moves to the CPU's memory, from where it is back within seconds;
where that is full too, it is let go of and loaded again when somebody asks.
"""

from __future__ import annotations

import gc
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from hub.errors import MemoryShortError
from hub.hardware import free_memory, readable_size

Name = TypeVar("Name", bound=Hashable)
Value = TypeVar("Value")

Key = tuple[Callable[..., Any], Hashable]


@dataclass(eq=False)
class _Loaded:
    """A model in memory."""

    value: Any
    size: int
    """Bytes it takes, 0 for one too small to make room."""
    home: Any = None
    """The accelerator it came from, while it waits in the CPU's memory."""


_building = threading.RLock()
"""Held while a model is built: the libraries change parts of torch for the whole process then."""
_loaded: OrderedDict[Key, _Loaded] = OrderedDict()
"""Every model in memory, the least recently used first."""
_busy: Counter[int] = Counter()
"""How many are using a model, by its `id`."""


def cached_loader(
    loader: Callable[..., Value],
    size: Callable[[Name], int] = lambda _: 0,
    files: Callable[[Name], Path] | None = None,
) -> Callable[[Name], Value]:
    """The same loader, run once for each name; what is loaded is given out without waiting.

    Args:
        loader: from a name, and its files where `files` gives them, to a model; it calls
            `make_room` or `require_memory` before it fills memory.
        size: bytes that the model of a name takes; one of 0 bytes is never let go of.
        files: fetches the files of a name. Other models are loaded meanwhile.

    >>> double = cached_loader(lambda word: [word, word])
    >>> double("a") is double("a")
    True
    """

    @wraps(loader)
    def load(name: Name) -> Value:
        for ready in (_find, _bring_back):
            if (value := ready(loader, name)) is not None:
                return value
        fetched = () if files is None else (files(name),)
        return _build(loader, name, size(name), fetched)

    return load


def is_loaded(name: Hashable) -> bool:
    """Whether a model of that name is in memory.

    >>> length = cached_loader(lambda word: [len(word)])
    >>> is_loaded("no model"), length("no model"), is_loaded("no model")
    (False, [8], True)
    """
    return any(known == name for _, known in [*_loaded])


def _find(loader: Callable[..., Value], name: Name) -> Value | None:
    """The model of a name, where it is ready."""
    found = _loaded.get((loader, name))
    if found is None or found.home:
        return None
    with suppress(KeyError):  # it was let go of at this moment, and stays with who has it
        _loaded.move_to_end((loader, name))
    value: Value = found.value
    return value


def _bring_back(loader: Callable[..., Value], name: Name) -> Value | None:
    """The model of a name, back on its accelerator; None where it was let go of."""
    if (loader, name) not in _loaded:  # another one may be loaded for minutes
        return None
    with _building:
        found = _loaded.get((loader, name))
        if found is None:
            return None
        _return_home(found)
        _loaded.move_to_end((loader, name))
        value: Value = found.value
        return value


def _build(loader: Callable[..., Value], name: Name, size: int, fetched: tuple[Path, ...]) -> Value:
    """Load the model of a name from its files, unless somebody else just did."""
    with _building:
        value = _bring_back(loader, name)
        if value is None:
            value = loader(name, *fetched)
            _loaded[loader, name] = _Loaded(value, size)
        return value


@contextmanager
def in_use(value: Any) -> Iterator[None]:
    """While it lasts a model is neither moved nor let go of; one that waits comes back first."""
    _busy[id(value)] += 1
    try:
        away = next(
            (each for each in [*_loaded.values()] if each.home and each.value is value), None
        )
        if away:
            with _building:
                _return_home(away)
        yield
    finally:
        _busy[id(value)] -= 1


def make_room(need: int, device: str) -> int:
    """Let go of models, the least recently used first, until `need` bytes are free on a device.

    Returns:
        The bytes that are free now, fewer than `need` where everything that can go is gone.
    """
    with _building:
        for key in list(_loaded):
            if free_memory(device) >= need:
                break
            if _can_go(_loaded[key], device):
                _let_go(key, device)
        return free_memory(device)


def require_memory(name: str, need: int, device: str) -> None:
    """Make room for a model.

    Raises:
        MemoryShortError: it does not fit even so; the message has both numbers.
    """
    free = make_room(need, device)
    if free < need:
        raise MemoryShortError(
            f"{name} needs {readable_size(need)} of memory on {device}, and {readable_size(free)} "
            "are free; choose a smaller model, or close what else uses the memory"
        )


def _can_go(each: _Loaded, device: str) -> bool:
    """Whether a model is idle and takes memory of a device, as far as it says where it is."""
    if not each.size or _busy[id(each.value)]:
        return False
    if device == "cpu":
        return bool(each.home) or str(getattr(each.value, "device", "cpu")).startswith("cpu")
    return not each.home


def _let_go(key: Key, device: str) -> None:
    each = _loaded[key]
    if _stands_on(each.value, device) and free_memory("cpu") > each.size:
        each.home = device
        each.value.to("cpu")
    else:
        del _loaded[key], each
    gc.collect()
    if device != "cpu":
        _empty_cache(device)


def _empty_cache(device: str) -> None:
    """Give the accelerator back what torch keeps of it for later."""
    import torch

    getattr(torch, device).empty_cache()


def _stands_on(value: Any, device: str) -> bool:
    """True for what can be moved from an accelerator and back as a whole."""
    return device != "cpu" and hasattr(value, "to") and str(value.device).startswith(device)


def _return_home(each: _Loaded) -> None:
    """Bring a model back to its accelerator."""
    if each.home:
        make_room(each.size, each.home)
        each.value.to(each.home)
        each.home = None
