"""What `batch --until-right` prints: how many prompts have a right image, and what it cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class SearchCost:
    """What the searches of a system found and cost."""

    prompts: int
    right: int
    """Of them, with an image that VQ2 holds to be right."""
    attempts: int
    evaluations: int
    questions: int
    seconds: float
    judging: float
    """Of the seconds."""


def show_searches(results: Path) -> None:
    """Print the table, then the line."""
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    named: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        named.setdefault(line.get("system") or line["model"], []).append(line)
    found = {name: _cost(each) for name, each in named.items()}
    table = Table("system", "right by VQ2", "attempts", "evaluations", "questions", "seconds")
    for name, each in found.items():
        right, share = f"{each.right} of {each.prompts}", each.judging / (each.seconds or 1)
        seconds = f"{each.seconds:.0f}, judging {share:.0%}"
        numbers = (each.attempts, each.evaluations, each.questions)
        table.add_row(name, right, *map(str, numbers), seconds)
    Console().print(table)
    said = {name: asdict(each) for name, each in found.items()}
    print(json.dumps({"results": str(results), "searches": said}))


def _cost(lines: Sequence[dict[str, Any]]) -> SearchCost:
    attempts = [attempt for line in lines for attempt in line["attempts"]]

    def total(name: str) -> Any:
        return sum(attempt[name] for attempt in attempts)

    return SearchCost(
        len(lines),
        sum(bool(line["right"]) for line in lines),
        len(attempts),
        total("evaluations"),
        total("questions"),
        round(total("seconds"), 1),
        round(total("judging"), 1),
    )
