"""Prompt pairs in the format of Commonsense-T2I, from a JSON file.

Each row has prompt1, prompt2, description1 and description2, and may have a category.

Source: Fu et al., "Commonsense-T2I Challenge", 2024.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from alignment.errors import UnreadablePairsError
from alignment.prompt_pairs.records import PromptPair

NEEDED = ("prompt1", "prompt2", "description1", "description2")


def read_pairs(file: Path) -> tuple[PromptPair, ...]:
    """The pairs of a JSON file.

    Raises:
        UnreadablePairsError: there is no such file, it holds no list of rows, or a row lacks a
            prompt or a description.
    """
    if not file.is_file():
        raise UnreadablePairsError(f"there is no file {file}; give a JSON file of prompt pairs")
    return tuple(_pair(number, row) for number, row in enumerate(_rows(file), start=1))


def _rows(file: Path) -> list[dict[str, str]]:
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnreadablePairsError(f"{file.name} is no JSON: {error}") from error
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UnreadablePairsError(
            f"{file.name} holds no pairs; give a list of objects with {', '.join(NEEDED)}"
        )
    return rows


def _pair(number: int, row: Mapping[str, str]) -> PromptPair:
    missing = [name for name in NEEDED if not str(row.get(name, "")).strip()]
    if missing:
        raise UnreadablePairsError(
            f"pair {number} has no {', '.join(missing)}; found {', '.join(row)}"
        )
    first, second, one, other = (row[name].replace("\n", ", ") for name in NEEDED)
    return PromptPair((first, second), (one, other), row.get("category", ""))
