"""The published table: which measures prefer what people prefer, by data set and pair of systems.

FID is one number for all images of a system, so that it prefers the same system of a pair on every
prompt; where people prefer the other, it is against them.

Source: N. Arabzadeh, F. Diaz, J. He, "Offline Evaluation of Set-Based Text-to-Image Generation".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from alignment.arrays import Floats
from alignment.statistics.preferences import PreferenceAgreement, preference_agreement
from benchmarks.preference.people import Judgement, Pair
from benchmarks.statistics.frechet import frechet_distance
from benchmarks.statistics.holm import holm
from session.errors import DataError
from session.systems.grids import ScoredGrid
from session.systems.measures import Measure, Score

FID = "FID"
ALL = "all"
"""The column of all judgements, where there are several columns."""
ENOUGH = 2
"""Images that a Frechet distance needs of each set."""
Features = Callable[[Sequence[str]], Floats]
"""From image files to their features, shape (images, width)."""


@dataclass(frozen=True)
class PeopleColumn:
    """What people said of two systems on a data set, and which measures go with it."""

    answers: Mapping[float, int]
    """Preference, above 0 for the first system -> judgements, the highest first."""
    agreements: Mapping[str, PreferenceAgreement]
    """By measure; none where all judgements are ties."""
    corrected: Mapping[str, float]
    """p-value of each agreement after Holm's correction over the whole table."""

    @property
    def ties(self) -> int:
        """Judgements without a preference."""
        return self.answers.get(0, 0)


def with_people(
    judged: Sequence[Judgement],
    said: Mapping[str, Measure],
    distances: Mapping[Pair, tuple[float, float]],
    seed: int,
) -> dict[str, PeopleColumn]:
    """The columns of the published table by name, such as "coco: A - B".

    Args:
        said: measures of grids by name, in the order of the rows.
        distances: see `frechet_by_pair`; FID has no row where there are none.
    """
    apart = {name: differences(each.score, judged) for name, each in said.items()}
    if distances:
        nearer = {pair: second - first for pair, (first, second) in distances.items()}
        apart[FID] = [nearer[each.about] for each in judged]
    return published_table(judged, apart, seed)


def published_table(
    judged: Sequence[Judgement], apart: Mapping[str, Sequence[float]], seed: int
) -> dict[str, PeopleColumn]:
    """The columns by name; ALL is one more where there are several.

    Args:
        apart: by measure, what it says of the first grid minus what it says of the second,
            for each of the preferences.
    """
    columns = _columns(judged)
    agreements = {
        (column, measure): _agreement([(judged[k], values[k]) for k in places], seed)
        for column, places in columns.items()
        for measure, values in apart.items()
        if any(judged[k].preference for k in places)
    }
    corrected = holm([each.p_value for each in agreements.values()])
    by_cell = dict(zip(agreements, corrected, strict=True))
    return {
        column: PeopleColumn(
            answers=dict(sorted(Counter(judged[k].preference for k in places).items())[::-1]),
            agreements={of: each for (name, of), each in agreements.items() if name == column},
            corrected={of: each for (name, of), each in by_cell.items() if name == column},
        )
        for column, places in columns.items()
    }


def _columns(judged: Sequence[Judgement]) -> dict[str, list[int]]:
    """Name of a column -> the places of its judgements."""
    found: dict[str, list[int]] = {}
    for place, each in enumerate(judged):
        found.setdefault(name_of(each.about), []).append(place)
    found = dict(sorted(found.items()))
    return found if len(found) == 1 else {**found, ALL: [*range(len(judged))]}


def name_of(about: Pair) -> str:
    """What a column is called.

    >>> name_of(Pair("coco", "A", "B")), name_of(Pair("", "A", "B"))
    ('coco: A - B', 'A - B')
    """
    pair = f"{about.first} - {about.second}"
    return f"{about.dataset}: {pair}" if about.dataset else pair


def _agreement(said: Sequence[tuple[Judgement, float]], seed: int) -> PreferenceAgreement:
    return preference_agreement(
        [judgement.preference for judgement, _ in said],
        [difference for _, difference in said],
        [judgement.prompt for judgement, _ in said],
        np.random.default_rng(seed),
    )


def differences(score: Score, judged: Sequence[Judgement]) -> list[float]:
    """A measure of the first grid minus that of the second; of several grids, of their means."""
    grids = [*dict.fromkeys(grid for each in judged for grid in (*each.first, *each.second))]
    worth = dict(zip(grids, score(grids).tolist(), strict=True))

    def mean(of: Iterable[ScoredGrid]) -> float:
        return fmean(worth[grid] for grid in of)

    return [mean(each.first) - mean(each.second) for each in judged]


def frechet_by_pair(
    judged: Sequence[Judgement], real: Mapping[str, Sequence[Path]], features: Features
) -> dict[Pair, tuple[float, float]]:
    """The Frechet distance of the two systems' images from real ones, of each pair.

    The images are those of all grids that were judged.

    Args:
        real: data set -> image files; under "" those of data sets that are not named.

    Raises:
        DataError: there are fewer than two images of a system, or of a data set.
    """
    known = {dataset: features([*map(str, files)]) for dataset, files in real.items()}
    found = {}
    for pair in dict.fromkeys(each.about for each in judged):
        if (wanted := known.get(pair.dataset, known.get(""))) is None:
            raise DataError(f"there are no real images of {pair.dataset}; known: {', '.join(real)}")
        shown = _images(judged, pair)
        sides = (features(files) if files else np.empty((0, 0)) for files in shown)
        first, second = (_distance(side, wanted, name_of(pair)) for side in sides)
        found[pair] = (first, second)
    return found


def _images(judged: Sequence[Judgement], pair: Pair) -> Iterator[list[str]]:
    """The images of either system, each once."""
    about = [each for each in judged if each.about == pair]
    for grids in ([each.first for each in about], [each.second for each in about]):
        yield [*dict.fromkeys(file for each in grids for grid in each for file in grid.images)]


def _distance(images: Floats, real: Floats, where: str) -> float:
    if min(len(images), len(real)) < ENOUGH:
        raise DataError(
            f"FID of {where}: {len(images)} images and {len(real)} real ones; it needs {ENOUGH}"
        )
    return frechet_distance(images, real)
