"""Questions that survive the round trip, for a person to read.

Half of the prompts are captions of held-out scenes, half are as people type them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from alignment.evaluation import read_prompt
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models

BENCHMARKS = Path("assets/benchmarks")


def prompts() -> Iterator[str]:
    """Captions and typed prompts in turn, each kind shuffled."""
    captions = _column(BENCHMARKS / "stickers/scenes.jsonl", "caption")
    typed = _column(BENCHMARKS / "prompts/prompts.jsonl", "prompt")
    random.Random(1).shuffle(captions)
    random.Random(2).shuffle(typed)
    return chain.from_iterable(zip(captions, typed, strict=False))


def _column(file: Path, name: str) -> list[str]:
    return [json.loads(line)[name] for line in file.read_text(encoding="utf-8").splitlines()]


def print_questions(count: int) -> None:
    """Print numbered questions, each with the answer its prompt gives."""
    models = Models(find_bundle("embedded"))
    asked = ((text, pair) for text in prompts() for pair in read_prompt(text, models))
    for number, (text, pair) in enumerate(islice(asked, count), start=1):
        print(f"{number:3}  {text}  |  {pair.question}  {pair.answer.text}")
