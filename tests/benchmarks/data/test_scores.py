from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.evaluation import read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.scorers import SCORERS, ScoringInput
from benchmarks.data.scores import Kept, by_text, judge, kept_in
from tests.alignment.tiny_evaluators import TEXT

COLOURS = ("navy", "white", "green")
PAIRS = [*((colour, TEXT) for colour in COLOURS), ("navy", "??")]
METHODS = ("vnli", "vq2", "mean", "clip")


class Folder:
    """Pictures of one colour, and which of them were looked at."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def __call__(self, name: str) -> Image:
        self.opened.append(name)
        return PillowImage.new("RGB", (48, 48), name)


def test_each_pair_scores_what_the_scorers_say(models: Models) -> None:
    judged = [*judge(PAIRS, METHODS, models, Folder(), Kept())]
    asked = ScoringInput(TEXT, read_prompt(TEXT, models))
    pictures = Pictures([Folder()(colour) for colour in COLOURS])
    for method in ("vq2", "vnli", "clip"):
        alone = [score.value for score in SCORERS[method](models).score(asked, pictures)]
        assert [each[method] for each in judged[:3]] == pytest.approx(alone)
    assert all(list(each) == [*METHODS] for each in judged)
    assert judged[0]["mean"] == pytest.approx((judged[0]["vq2"] + judged[0]["vnli"]) / 2)


def test_a_text_without_questions_has_no_score_by_vq2_nor_by_the_mean(models: Models) -> None:
    (judged,) = judge(PAIRS[3:], METHODS, models, Folder(), Kept())
    assert (judged["vq2"], judged["mean"]) == (None, None)
    assert judged["vnli"] is not None


def test_what_is_kept_is_not_judged_again(models: Models, tmp_path: Path) -> None:
    with kept_in(tmp_path) as kept:
        first = [*judge(PAIRS, METHODS, models, Folder(), kept)]
    again = Folder()
    with kept_in(tmp_path) as kept:
        assert [*judge(PAIRS, METHODS, models, again, kept)] == first
    assert again.opened == []


def test_a_run_that_stopped_goes_on_with_what_is_left(models: Models, tmp_path: Path) -> None:
    with kept_in(tmp_path) as kept:
        whole = [*judge(PAIRS, ["clip"], models, Folder(), Kept())]
        next(judge(PAIRS[:2], ["clip"], models, Folder(), kept))
    rest = Folder()
    with kept_in(tmp_path) as kept:
        judged = [*judge(PAIRS, ["clip"], models, rest, kept)]
    assert [each["clip"] for each in judged] == pytest.approx([each["clip"] for each in whole])
    assert rest.opened == ["green", "navy"]


def test_a_further_method_is_added_to_what_is_kept(models: Models, tmp_path: Path) -> None:
    with kept_in(tmp_path) as kept:
        [*judge(PAIRS, ["clip"], models, Folder(), kept)]
        size = len(kept.values)
        [*judge(PAIRS, ["clip", "vnli"], models, Folder(), kept)]
        assert len(kept.values) == 2 * size == 8


def test_a_picture_is_opened_once_for_all_methods(models: Models) -> None:
    folder = Folder()
    [*judge(PAIRS[:3], METHODS, models, folder, Kept())]
    assert folder.opened == [*COLOURS]


def test_pictures_of_one_text_are_read_together_up_to_a_limit() -> None:
    pairs = [("1", "owl"), ("2", "owl"), ("3", "owl"), ("4", "fox"), ("5", "owl")]
    assert [*by_text(pairs, at_once=2)] == [
        ("owl", ["1", "2"]),
        ("owl", ["3"]),
        ("fox", ["4"]),
        ("owl", ["5"]),
    ]
