"""The best of n generated images, by a detector, beside what the scores promise of it."""

import numpy as np
import pytest

from alignment.calibration import Calibration, calibrations_of, relevance_of
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.settings import RECOMMENDED
from benchmarks.best_of_n import promised, ranked, right_by_n
from tests.benchmarks.command import numbers


@pytest.fixture
def known() -> dict[str, Calibration]:
    return calibrations_of(Models(find_bundle("embedded")), RECOMMENDED)


def test_a_score_that_prefers_a_wrong_image_promises_more_the_more_it_chooses_from(
    known: dict[str, Calibration],
) -> None:
    values = {"vnli": (0.1, 0.2, 0.99)}
    grid = ranked((True, True, False), values, relevance_of(values, known))
    rng = np.random.default_rng(7)
    right = [number.value for number in right_by_n([grid], rng, ["vnli"], {})][2:5]
    assert right == pytest.approx([2 / 3, 1 / 3, 0])
    gaps = [number.value for number in promised([grid], rng, ["vnli"], {})]
    assert gaps == sorted(gaps)
    assert gaps[-1] == pytest.approx(known["vnli"].chance(0.99))


def test_what_a_method_could_not_judge_is_chosen_last_and_promises_nothing(
    known: dict[str, Calibration],
) -> None:
    values = {"vnli": (None, 0.0)}
    grid = ranked((True, False), values, relevance_of(values, known))
    rng = np.random.default_rng(7)
    assert [each.value for each in right_by_n([grid], rng, ["vnli"], {})][2:4] == [0.5, 0.0]
    assert [*promised([grid], rng, ["vnli"], {})] == []


def test_the_command_gives_every_n_for_every_method(capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "best_of_n", "--limit", 1, "--methods", "clip")
    about = "model:icons|bundle:embedded|right:detector|n:2"
    for method in ("clip", "at best"):
        curve = [found[f"P@1|method:{method}|best_of:{n}|{about}"]["value"] for n in range(1, 10)]
        assert all(0 <= value <= 1 for value in curve)
        assert curve[0] == pytest.approx(found[f"P@1|method:random|{about}"]["value"])
    best = [found[f"P@1|method:at best|best_of:{n}|{about}"]["value"] for n in range(1, 10)]
    assert best == sorted(best)
