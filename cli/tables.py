"""Tables in Markdown, for a terminal and for documents alike."""

from __future__ import annotations

from collections.abc import Sequence


def markdown(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ["---"] * len(titles)
    return "\n".join(f"| {' | '.join(line)} |" for line in (titles, rule, *lines))
