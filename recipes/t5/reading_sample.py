"""Questions that survive the round trip and the checks, to be read, and what a reader found.

Half of the prompts are captions of held-out scenes, half are as people type them. The faults that
one reader (a language model) found among the first 200 are in `faulty_questions.csv`; questions of
other weights must be read anew.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

from alignment.evaluation import read_prompt
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.statistics.intervals import measured_mean

BENCHMARKS = Path("assets/benchmarks")
FAULTS = Path(__file__).with_name("faulty_questions.csv")

Asked = tuple[str, str, str]
"""A prompt, a question of it, and the answer that the prompt gives."""


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
    """Print numbered questions, each with the answer its prompt gives, and what a reader found."""
    models = Models(find_bundle("embedded"))
    asked = (
        (text, pair.question, pair.answer.text)
        for text in prompts()
        for pair in read_prompt(text, models)
    )
    shown = [*islice(asked, count)]
    for number, (text, question, answer) in enumerate(shown, start=1):
        print(f"{number:3}  {text}  |  {question}  {answer}")
    with FAULTS.open(encoding="utf-8", newline="") as lines:
        faulty = {(row["prompt"], row["question"], row["answer"]) for row in csv.DictReader(lines)}
    print(found_sound(shown, faulty))


def found_sound(asked: Sequence[Asked], faulty: Collection[Asked]) -> str:
    """How many questions a reader had nothing against.

    >>> asked = [(prompt, "what is there?", prompt) for prompt in ("owl", "cat", "a dog", "2 dogs")]
    >>> found_sound(asked, [asked[1]]).partition(" (95 %, prompts drawn: ")[0]
    '3 of 4 questions are grammatical, answerable and rightly answered: 75.0%'
    """
    sound = [float(each not in faulty) for each in asked]
    prompts_of = [text for text, _, _ in asked]
    share = measured_mean(sound, np.random.default_rng(7), prompts_of)
    return (
        f"{sum(sound):.0f} of {len(asked)} questions are grammatical, answerable and rightly "
        f"answered: {share.value:.1%} (95 %, prompts drawn: {share.low:.1%} .. {share.high:.1%}, "
        f"{share.n} prompts)"
    )
