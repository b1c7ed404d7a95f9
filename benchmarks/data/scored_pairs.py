"""Labelled pairs of image and text with the scores of each method."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from alignment.models.loading import Models
from benchmarks.data.images import ImageStore, fetch
from benchmarks.data.scores import Pair, PairScorer, Values, scores_in
from benchmarks.data.seetrue import Labelled, read_labelled
from benchmarks.options import Evaluators, PairSource
from benchmarks.progress import watched
from session.errors import DataError

TABLE, ARCHIVE = "SeeTRUE.csv", "images.zip"
"""What a data set of the hub is made of."""


@dataclass(frozen=True)
class LabelledScores:
    """A labelled pair and its scores."""

    pair: Labelled
    scores: Values


@dataclass(frozen=True)
class Column:
    """Some pairs by one method, as arrays of shape (pairs,)."""

    labels: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.float64]
    texts: npt.NDArray[np.str_]


def read_scored(
    source: PairSource,
    evaluators: Evaluators,
    wanted: Callable[[Labelled], object] = bool,
) -> list[LabelledScores]:
    """The scores of the pairs that are wanted, data set by data set and text by text.

    Raises:
        DataError: no pairs are given, none is wanted, or a file is missing.
    """
    tables, images = _files(source)
    labelled = [pair for table in tables for pair in read_labelled(table)]
    pairs = first_prompts([*filter(wanted, labelled)], source.limit)
    if not pairs:
        names = ", ".join(table.name for table in tables)
        raise DataError(f"{names} has no pairs that this benchmark is about")
    scores = score_pairs([(pair.image, pair.text) for pair in pairs], evaluators, images)
    return [LabelledScores(*each) for each in zip(pairs, scores, strict=True)]


def _files(source: PairSource) -> tuple[Sequence[Path], Sequence[Path]]:
    if source.hub:
        table, archive = fetch(source.hub, TABLE, ARCHIVE)
        return (table,), (archive,)
    if source.table and source.images:
        return source.table, source.images
    raise DataError("give --table and --images, or --hub")


def score_pairs(
    pairs: Sequence[Pair], evaluators: Evaluators, images: Iterable[Path]
) -> list[Values]:
    """The scores of pairs, with a bar meanwhile."""
    with scores_in(evaluators.scores) as cache:
        scorer = PairScorer(
            Models(evaluators.bundle), ImageStore(*images).open, cache, evaluators.settings
        )
        scores = scorer.score(pairs, evaluators.methods)
        return [*watched(scores, "pairs scored", len(pairs))]


def first_prompts(pairs: Collection[Labelled], limit: int | None = None) -> list[Labelled]:
    """The pairs of the first texts of each data set, those of one text next to each other."""
    places: dict[str, dict[str, int]] = {}
    for pair in pairs:
        texts = places.setdefault(pair.data_set, {})
        texts.setdefault(pair.text, len(texts))
    ordered = sorted(pairs, key=lambda pair: (pair.data_set, places[pair.data_set][pair.text]))
    within = len(ordered) if limit is None else limit
    return [pair for pair in ordered if places[pair.data_set][pair.text] < within]


def column(scored: Iterable[LabelledScores], method: str) -> Column:
    """The pairs that the method could score."""
    known = [
        (each.pair.holds, value, each.pair.text)
        for each in scored
        if (value := each.scores[method]) is not None
    ]
    labels, scores, texts = zip(*known, strict=True) if known else ((), (), ())
    return Column(np.array(labels, bool), np.array(scores, float), np.array(texts, str))


def scored_by_all(scored: Iterable[LabelledScores]) -> list[LabelledScores]:
    """The pairs that every method could score, so that methods are compared on the same ones."""
    return [each for each in scored if None not in each.scores.values()]


def by(
    scored: Iterable[LabelledScores], name: Callable[[Labelled], str]
) -> dict[str, list[LabelledScores]]:
    """The pairs by something of theirs, in the order of first appearance; "" is left out.

    >>> owl = LabelledScores(Labelled("1.png", "owl", True, "coco_t2i"), {})
    >>> by([owl], lambda pair: pair.text).keys()
    dict_keys(['owl'])
    """
    parts: dict[str, list[LabelledScores]] = {}
    for each in scored:
        if part := name(each.pair):
            parts.setdefault(part, []).append(each)
    return parts
