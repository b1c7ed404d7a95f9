"""Prompts of the benchmark `search`, and what was read in their images."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.read_by_eye import FOLDER
from search import Attempt
from session.errors import DataError

READ = FOLDER / "read_by_eye_search.jsonl"


@dataclass(frozen=True)
class SearchedPrompt:
    """A prompt and what readers saw in its images, as letters of `read_by_eye.KINDS`."""

    prompt: str
    seed: int
    """Of the first image."""
    read: str
    """Of each image, by the reader who counts."""
    read_again: str
    """By another."""
    ends: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Strategy that ends with none of these -> the number of its attempt, and its letter."""

    def letter(self, strategy: str, best: Attempt, pool: Sequence[Attempt]) -> str:
        """What was read in the image that a strategy ends with.

        Raises:
            DataError: nobody read it; evaluators or weights are not those of that time.
        """
        pixels = best.image.tobytes()
        for each, letter in zip(pool, self.read, strict=True):
            if each.image.tobytes() == pixels:
                return letter
        number, letter = self.ends.get(strategy, (None, ""))
        if number != best.number:
            raise DataError(
                f'nobody has read the image that {strategy} ends with for "{self.prompt}", '
                f"attempt {best.number + 1}: write it with --images, and its letter into {READ}"
            )
        return letter


def read_prompts() -> list[SearchedPrompt]:
    """The prompts, and what was seen in their images."""
    return [SearchedPrompt(**json.loads(line)) for line in READ.read_text("utf-8").splitlines()]
