"""A worked prompt pair on disk: `pair.json`, its prompts as they are and enriched, and the images.

FOLDER/pair.json      both states, with what each image fits
FOLDER/0-1-2.webp     state 0, prompt 1, generation 2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from PIL import Image
from pydantic import TypeAdapter

from session.pair_state import Files, PairState
from session.storage import load_image

STATES = TypeAdapter(tuple[PairState, ...])
"""As JSON."""


def save_pair_example(states: Sequence[PairState], folder: Path) -> None:
    """Write finished states and their images.

    Args:
        states: of one pair, with every image.
        folder: made where it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, state in enumerate(states):
        names = _named(state, number)
        for file, name in zip(chain(*state.files), chain(*names), strict=True):
            load_image(str(file)).save(folder / str(name), "webp", quality=90)
        written.append(replace(state, files=names))
    (folder / "pair.json").write_bytes(STATES.dump_json(tuple(written), indent=1) + b"\n")


def load_pair_example(folder: Path, store: Callable[[Image.Image], str]) -> tuple[PairState, ...]:
    """The states that were saved.

    Args:
        folder: of `save_pair_example`.
        store: keeps an image and returns its file.
    """
    states = STATES.validate_json((folder / "pair.json").read_bytes())
    return tuple(replace(state, files=_stored(state, folder, store)) for state in states)


def _named(state: PairState, number: int) -> Files:
    """What the files of a state are called in the folder."""
    first, second = (
        tuple(f"{number}-{prompt}-{k}.webp" for k in range(state.generations)) for prompt in (0, 1)
    )
    return first, second


def _stored(state: PairState, folder: Path, store: Callable[[Image.Image], str]) -> Files:
    first, second = (
        tuple(store(load_image(str(folder / str(name)))) for name in row) for row in state.files
    )
    return first, second
