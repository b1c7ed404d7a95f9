"""The score of every pair of an image and a text by several methods, kept on disk.

One record for each method with its models, and pair: a run that was stopped goes on where it was, a
further method or data set is added to what is there, and every benchmark of the same pairs shares
it. Scores of other models, checkpoints, settings or versions of the questions are told apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from PIL.Image import Image

from alignment.calibration import asks_questions
from alignment.evaluation import scores_of
from alignment.models.loading import Models
from alignment.models.vlm import EncodedImages
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.ranking import parts_of
from alignment.scorers import models_of
from alignment.scorers.mean import mean
from alignment.signature import VERSION
from session.batch.ledger import Record, open_ledger, recorded

Pair: TypeAlias = tuple[str, str]
"""The name of an image, and a text."""
Values: TypeAlias = Mapping[str, float | None]
"""Method -> score; None where it could not score."""

AT_ONCE = 32
"""Images in memory."""


@dataclass
class ScoreCache:
    """Scores by id, in memory, and on disk when there is a folder to write to."""

    values: dict[str, float | None] = field(default_factory=dict)
    write: Callable[[Record], None] | None = None

    def add(self, key: str, value: float | None) -> None:
        """Keep one score."""
        self.values[key] = value
        if self.write:
            self.write({"id": key, "value": value})


@contextmanager
def scores_in(folder: Path | None) -> Iterator[ScoreCache]:
    """The scores in a folder, open for more; without a folder they last as long as the run."""
    if folder is None:
        yield ScoreCache()
        return
    with open_ledger(folder, "scores") as write:
        lines = recorded(folder)
        yield ScoreCache({key: json.loads(line)["value"] for key, line in lines.items()}, write)


@dataclass(frozen=True)
class PairScorer:
    """Scores pairs of an image and a text, those alone that are not known."""

    models: Models
    image: Callable[[str], Image]
    """Opens one by its name."""
    cache: ScoreCache
    settings: Vq2Settings = AS_PUBLISHED

    def score(self, pairs: Sequence[Pair], methods: Sequence[str]) -> Iterator[Values]:
        """The scores of each pair, in order; texts that follow one another are read once.

        Args:
            pairs: images of one text next to each other.
            methods: in `SCORERS`.
        """
        needed = [*dict.fromkeys(part for method in methods for part in parts_of(method))]
        for text, names in by_text(pairs):
            self._score_unknown(text, names, needed)
            for name in names:
                known = {each: self.cache.values[self.key(each, name, text)] for each in needed}
                yield {
                    method: mean([known[part] for part in parts_of(method)]) for method in methods
                }

    def key(self, method: str, name: str, text: str) -> str:
        """What a score is kept by: the method, its models as signatures name them, and the pair.

        A model that is not on this machine has no revision yet; it has when a score is kept.
        """
        about = [method, models_of(method, self.models, self.settings)]
        if asks_questions(method):
            about += [str(self.settings.signature), VERSION]
        return json.dumps([*about, name, text], ensure_ascii=False)

    def _score_unknown(self, text: str, names: Sequence[str], methods: Sequence[str]) -> None:
        """Each score is kept as soon as it is known."""
        unknown = {
            (method, name)
            for method in methods
            for name in names
            if self.key(method, name, text) not in self.cache.values
        }
        wanted = [name for name in names if any((method, name) in unknown for method in methods)]
        if not wanted:
            return
        images = EncodedImages([self.image(name) for name in wanted])
        left = [each for each in methods if any((each, name) in unknown for name in wanted)]
        for method, scores in scores_of(text, images, left, self.models, self.settings):
            for name, score in zip(wanted, scores, strict=True):
                if (method, name) in unknown:
                    self.cache.add(self.key(method, name, text), score.value)


def by_text(pairs: Sequence[Pair], at_once: int = AT_ONCE) -> Iterator[tuple[str, list[str]]]:
    """Runs of images of one text, each at most so long.

    >>> list(by_text([("1.png", "owl"), ("2.png", "owl"), ("3.png", "fox")]))
    [('owl', ['1.png', '2.png']), ('fox', ['3.png'])]
    """
    run: list[str] = []
    for index, (name, text) in enumerate(pairs):
        run.append(name)
        if len(run) == at_once or index + 1 == len(pairs) or pairs[index + 1][1] != text:
            yield text, run
            run = []
