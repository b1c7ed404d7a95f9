"""Tiny real models, and every stage of one job they did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from generation import GridCell
from session.jobs import paint_and_judge
from session.state import Board
from tests.tiny_models import PROMPT, tiny_models

ASKED = Board(PROMPT, rows=2, columns=2, seed=7, model="tiny", bundle="tiny")


@pytest.fixture(scope="package")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """While it lasts there are painters "tiny" and "slow", and judges "tiny"."""
    with tiny_models(tmp_path_factory.mktemp("models")):
        yield


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture(scope="package")
def boards(models: None, folder: Path) -> list[Board]:
    """Every stage of one job."""

    def keep(cell: GridCell) -> str:
        file = folder / f"{cell.seed}.png"
        cell.image.save(file)
        return str(file)

    return list(paint_and_judge(ASKED, keep))


@pytest.fixture(scope="package")
def board(boards: list[Board]) -> Board:
    """The last of them."""
    return boards[-1]
