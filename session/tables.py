"""Rows of CSV files and objects of JSON lines, with their columns checked."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from session.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


def rows(file: Path, *columns: str) -> list[dict[str, str]]:
    """The rows of a CSV file by column.

    Raises:
        DataError: there is no such file, or no such column in it.
    """
    with _existing(file).open(encoding="utf-8", newline="") as lines:
        table = csv.DictReader(lines)
        _check(file.name, columns, table.fieldnames or ())
        return [*table]


def objects(file: Path, *names: str) -> list[dict[str, Any]]:
    """The objects of a file with a line of JSON for each.

    Raises:
        DataError: there is no such file, or an object without one of the names.
    """
    found = [json.loads(line) for line in _existing(file).read_text(encoding="utf-8").splitlines()]
    for each in found:
        _check(file.name, names, each)
    return found


def read_table(file: Path) -> pd.DataFrame:
    """A CSV file.

    Raises:
        DataError: there is no such file.
    """
    import pandas as pd

    return pd.read_csv(_existing(file))


def check_columns(table: pd.DataFrame, name: str, *columns: str) -> None:
    """Refuse a table that lacks a column.

    Raises:
        DataError: it does.
    """
    missing = [column for column in columns if column not in table]
    if missing:
        raise DataError(f"{name}: no column {', '.join(missing)}; found {', '.join(table)}")


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise DataError(f"there is no file {file}")
    return file


def _check(name: str, wanted: Collection[str], given: Collection[str]) -> None:
    missing = [each for each in wanted if each not in given]
    if missing:
        raise DataError(f"{name} has no {', '.join(missing)}; it has {', '.join(given)}")
