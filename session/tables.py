"""Rows of CSV files and objects of JSON lines, their columns checked; cells that are no formula."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from session.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

FIRST_ROW = 2
"""The number of the row below the header, as spreadsheets count."""


def rows(file: Path, *columns: str) -> list[dict[str, str]]:
    """The rows of a CSV file by column.

    Raises:
        DataError: there is no such file, it is not UTF-8, has no such column, or a row ends before
            one.
    """
    table = csv.DictReader(io.StringIO(_text(file), newline=""))
    check_columns(file.name, columns, table.fieldnames or ())
    found = [*table]
    for number, row in enumerate(found, start=FIRST_ROW):
        check_cells(f"{file.name}, row {number}", row, columns)
    return found


def objects(file: Path, *names: str) -> list[dict[str, Any]]:
    """The objects of a file with a line of JSON for each.

    Raises:
        DataError: there is no such file, or a line of it is no object with these names.
    """
    lines = io.StringIO(_text(file))  # split at line feeds alone
    return [_object(f"{file.name}, line {at}", line, names) for at, line in enumerate(lines, 1)]


def _object(where: str, line: str, names: Collection[str]) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise DataError(f"{where} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise DataError(f"{where} is no JSON object")
    check_columns(where, names, found)
    return found


def read_table(file: Path, dtype: type | None = None) -> pd.DataFrame:
    """A CSV file.

    Args:
        file: with a header.
        dtype: of all cells; what each column looks like when None.

    Raises:
        DataError: there is no such file, or it is no table.
    """
    import pandas as pd

    try:
        empty = {"keep_default_na": False, "na_values": [""]}  # somebody may be called "NA"
        table = pd.read_csv(_existing(file), dtype=dtype, **empty)
    except pd.errors.EmptyDataError as error:
        raise DataError(f"{file.name} is empty; give a CSV file with a header") from error
    except (pd.errors.ParserError, UnicodeDecodeError) as error:
        raise DataError(f"{file.name} is no CSV file in UTF-8: {str(error).strip()}") from error
    if not isinstance(table.index, pd.RangeIndex):  # the first cells were taken for names
        raise DataError(f"{file.name}, row {FIRST_ROW} has more cells than the header")
    return table


def check_columns(name: str, wanted: Collection[str], given: Collection[str]) -> None:
    """Refuse what lacks a column."""
    missing = [each for each in wanted if each not in given]
    if missing:
        raise DataError(f"{name} has no {', '.join(missing)}; it has {', '.join(given)}")


def check_cells(where: str, row: Mapping[str, Any], columns: Sequence[str]) -> None:
    """Refuse a row of texts in which a cell is missing."""
    missing = [column for column in columns if not isinstance(row[column], str)]
    if missing:
        said = f"{where} has no {', '.join(missing)}"
        raise DataError(f"{said}; give {', '.join(columns)} in every row")


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise DataError(f"there is no file {file}")
    return file


def _text(file: Path) -> str:
    """The text of a file, its line ends as they are."""
    try:
        return _existing(file).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{file.name} is not UTF-8: {error}; save it as UTF-8") from error


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a text that begins so for a formula."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    r"""Rows as CSV, whose texts no spreadsheet takes for formulas.

    >>> csv_text([["image", "score"], ["=1+1.png", -0.5]])
    "image,score\n'=1+1.png,-0.5\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([_harmless(each) for each in row])
    return text.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
