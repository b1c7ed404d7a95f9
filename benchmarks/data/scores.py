"""Pairs of a picture and a text come in; what each method scores them goes out, and is kept.

One record for each bundle, method and pair: a run that was stopped goes on where it was, a further
method or data set is added to what is there, and every benchmark of the same pairs shares it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from PIL.Image import Image

from alignment.evaluation import read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.ranking import MEAN_OF, mean
from alignment.scorers import SCORERS, ScoringInput
from session.batch.ledger import Record, open_ledger, recorded

Pair: TypeAlias = tuple[str, str]
"""The name of a picture, and a text."""
Values: TypeAlias = Mapping[str, float | None]
"""Method -> score; None where it could not judge."""

AT_ONCE = 32
"""Pictures in memory."""


@dataclass
class Kept:
    """Scores by id, in memory, and on disk when there is a folder to write to."""

    values: dict[str, float | None] = field(default_factory=dict)
    write: Callable[[Record], None] | None = None

    def add(self, key: str, value: float | None) -> None:
        """Keep one score."""
        self.values[key] = value
        if self.write:
            self.write({"id": key, "value": value})


@contextmanager
def kept_in(folder: Path | None) -> Iterator[Kept]:
    """The scores in a folder, open for more; without a folder they last as long as the run."""
    if folder is None:
        yield Kept()
        return
    with open_ledger(folder, "scores") as write:
        lines = recorded(folder)
        yield Kept({key: json.loads(line)["value"] for key, line in lines.items()}, write)


def judge(
    pairs: Sequence[Pair],
    methods: Sequence[str],
    models: Models,
    picture: Callable[[str], Image],
    kept: Kept,
) -> Iterator[Values]:
    """The scores of each pair, in order; texts that follow one another are read once.

    Args:
        pairs: what to judge; pictures of one text next to each other.
        methods: in `SCORERS`, or "mean".
        models: who judges, where a score is not kept.
        picture: opens one by its name.
        kept: known scores; new ones are added.
    """
    asked = dict.fromkeys(part for method in methods for part in parts(method))
    for text, names in by_text(pairs):
        for new, value in _unknown(text, names, [*asked], models, picture, kept):
            kept.add(new, value)
        for name in names:
            known = {each: kept.values[key(models, each, name, text)] for each in asked}
            yield {method: mean([known[part] for part in parts(method)]) for method in methods}


def parts(method: str) -> tuple[str, ...]:
    """The methods whose mean a method is.

    >>> parts("mean"), parts("clip")
    (('vq2', 'vnli'), ('clip',))
    """
    return MEAN_OF if method == "mean" else (method,)


def by_text(pairs: Sequence[Pair], at_once: int = AT_ONCE) -> Iterator[tuple[str, list[str]]]:
    """Runs of pictures of one text, each at most so long.

    >>> list(by_text([("1.png", "owl"), ("2.png", "owl"), ("3.png", "fox")]))
    [('owl', ['1.png', '2.png']), ('fox', ['3.png'])]
    """
    run: list[str] = []
    for index, (name, text) in enumerate(pairs):
        run.append(name)
        if len(run) == at_once or index + 1 == len(pairs) or pairs[index + 1][1] != text:
            yield text, run
            run = []


def _unknown(
    text: str,
    names: Sequence[str],
    methods: Sequence[str],
    models: Models,
    picture: Callable[[str], Image],
    kept: Kept,
) -> Iterator[tuple[str, float | None]]:
    """The scores that are not kept, each as soon as it is known."""
    new = {
        (method, name)
        for method in methods
        for name in names
        if key(models, method, name, text) not in kept.values
    }
    wanting = [name for name in names if any((method, name) in new for method in methods)]
    if not wanting:
        return
    asked = ScoringInput(text, read_prompt(text, models))
    pictures = Pictures([picture(name) for name in wanting])
    for method in [each for each in methods if any((each, name) in new for name in wanting)]:
        scores = SCORERS[method](models).score(asked, pictures)
        for name, score in zip(wanting, scores, strict=True):
            if (method, name) in new:
                yield key(models, method, name, text), score.value


def key(models: Models, method: str, name: str, text: str) -> str:
    """What a score is kept by."""
    return json.dumps([models.bundle.name, method, name, text], ensure_ascii=False)
