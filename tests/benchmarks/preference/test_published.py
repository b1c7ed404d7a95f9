"""The published table: columns of data sets and pairs, ties, and FID against people."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from benchmarks.preference.people import Judgement, Pair
from benchmarks.preference.published import (
    FID,
    PeopleColumn,
    frechet_by_pair,
    published_table,
    with_people,
)
from benchmarks.preference.published_table import frechet_sentence, show_people
from benchmarks.statistics.frechet import frechet_distance
from session.errors import DataError
from session.systems.grids import ScoredGrid

COCO, SPOKEN = Pair("coco", "A", "B"), Pair("spoken", "A", "B")
REAL = {"coco": [Path("real 0"), Path("real 1")], "": [Path("far 8"), Path("far 9")]}


def grid(system: str, prompt: int, at: float) -> tuple[ScoredGrid, ...]:
    """One image, whose only feature is `at`."""
    return (ScoredGrid((at / 10,), (1.0,), images=(f"{system}{prompt} {at}",)),)


def judgement(about: Pair, prompt: int, preference: float) -> Judgement:
    """A's images are near 0, those of B near 5."""
    sides = grid("A", prompt, prompt / 10), grid("B", prompt, 5 + prompt / 10)
    return Judgement(preference, about, f"prompt {prompt}", *sides)


def features(files: object) -> object:
    return np.array([[float(file.split()[-1])] for file in files])  # type: ignore[attr-defined]


JUDGED = [
    *(judgement(COCO, prompt, preference) for prompt, preference in enumerate([-2, -1, -1, 0, -1])),
    *(judgement(SPOKEN, prompt, 0) for prompt in range(3)),
]


def columns() -> tuple[dict[str, PeopleColumn], dict[Pair, tuple[float, float]]]:
    distances = frechet_by_pair(JUDGED, REAL, features)  # type: ignore[arg-type]
    return with_people(JUDGED, {}, distances, 7), distances


def test_the_columns_are_data_sets_and_pairs_and_all_of_them_together():
    found, _ = columns()
    assert [*found] == ["coco: A - B", "spoken: A - B", "all"]
    assert found["coco: A - B"].answers == {0: 1, -1: 3, -2: 1}
    assert (found["coco: A - B"].ties, found["all"].ties) == (1, 4)
    assert found["spoken: A - B"].agreements == {}


def test_a_lower_fid_that_people_do_not_prefer_is_said_to_be_against_them():
    """Real images of coco are near A's; four of four people's preferences are for B."""
    found, distances = columns()
    first, second = distances[COCO]
    assert first < second
    agreed = found["coco: A - B"].agreements[FID]
    assert (agreed.rate.value, agreed.n, agreed.metric_ties) == (0, 4, 0)
    said = frechet_sentence(COCO, distances[COCO], found)
    assert "against people, who prefer A, the nearer one, in 0.0%" in said


def test_fid_of_a_data_set_without_images_of_its_own_is_of_those_for_all():
    """Those are at 8 and 9, so that B is the nearer one."""
    _, distances = columns()
    assert distances[SPOKEN][0] > distances[SPOKEN][1]


def test_fid_without_images_says_what_is_missing():
    bare = Judgement(1, COCO, "owl", (ScoredGrid((0.5,), (1.0,)),), (ScoredGrid((0.1,), (1.0,)),))
    with pytest.raises(DataError, match="FID of coco: A - B: 0 images and 2 real ones"):
        frechet_by_pair([bare], REAL, features)  # type: ignore[arg-type]


def test_the_distance_of_two_normal_distributions_is_that_of_means_and_spreads():
    """In one dimension it is (m1 - m2)^2 + (s1 - s2)^2."""
    one, other = np.array([[0.0], [2.0], [4.0]]), np.array([[1.0], [5.0], [9.0]])
    assert frechet_distance(one, other) == pytest.approx((5 - 2) ** 2 + (4 - 2) ** 2)


def test_a_star_marks_what_is_no_chance_and_ties_and_answers_have_rows():
    judged = [judgement(COCO, prompt, 2 if prompt < 9 else -1) for prompt in range(10)]
    found = published_table(judged, {FID: [1.0] * 10, "diversity": [0.0] * 10}, 7)
    printed = StringIO()
    show_people(found, {}, Console(file=printed, width=100))
    lines = [" ".join(line.replace("│", " ").split()) for line in printed.getvalue().splitlines()]
    assert "FID 90.0%* (59.6% .. 98.2%)" in lines
    assert "diversity 0.0% (0.0% .. 27.8%)" in lines
    assert {"never decides", "ties 0", "people: preferences 10 on 10 prompts"} <= {*lines}
    assert "2 / 1 / 0 / -1 / -2 9 / 0 / 0 / 1 / 0" in lines
