from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.data.scores import scores_in
from benchmarks.winoground import CaptionPair, measure, read_examples
from session.errors import DataError
from tests.benchmarks.command import run
from tests.benchmarks.small_seetrue import scorer

LINES = [
    {"id": 0, "image_0": "ex_0_img_0", "image_1": "ex_0_img_1", "collapsed_tag": "Object",
     "caption_0": "an owl on a fox", "caption_1": "a fox on an owl"},
    {"id": 1, "image_0": "ex_1_img_0", "image_1": "ex_1_img_1", "collapsed_tag": "Relation",
     "caption_0": "plants around a lightbulb", "caption_1": "a lightbulb around plants"},
]  # fmt: skip
SCORES = [[0.9, 0.2, 0.3, 0.8], [0.9, 0.8, 0.3, None]]


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    """The published format, and kept scores of each caption's two pictures."""
    file, images, scores = tmp_path / "examples.jsonl", tmp_path / "images", tmp_path / "scores"
    images.mkdir()
    file.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    with scores_in(scores) as cache:
        for example, values in zip(read_examples(file), SCORES, strict=True):
            for pair, value in zip(example.pairs, values, strict=True):
                cache.add(scorer().key("vnli", *pair), value)
    return ["--examples", str(file), "--images", str(images), "--scores", str(scores)]


def test_examples_name_their_pictures_without_an_ending(options: list[str]) -> None:
    assert read_examples(Path(options[1]))[0] == CaptionPair(
        ("an owl on a fox", "a fox on an owl"), ("ex_0_img_0.png", "ex_0_img_1.png"), "Object"
    )


def test_an_example_that_could_not_be_judged_is_wrong(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    line = run(capsys, "winoground", *options, "--methods", "vnli")
    found = {each["signature"]: each["value"] for each in line["numbers"]}
    everything = "tag:all|method:vnli|bundle:embedded|n:2|unjudged:1"
    relation = "tag:Relation|method:vnli|bundle:embedded|n:1|unjudged:1"
    assert [found[f"{name}|{everything}"] for name in ("text", "image", "group", "AUC")] == [
        0.5,
        0.5,
        0.5,
        1.0,
    ]
    assert [found[f"{name}|{relation}"] for name in ("text", "image", "group", "AUC")] == [
        0.0,
        0.0,
        0.0,
        None,
    ]


def test_true_pairs_of_all_examples_are_held_against_all_false_ones() -> None:
    """True .9 .4 .6 .6 against false .5 .1 .7 .3: 12 of 16 in order."""
    scores = np.array([[[0.9, 0.5], [0.1, 0.4]], [[0.6, 0.7], [0.3, 0.6]]])
    *three, auc = measure(scores, "all", "vnli", "tiny", np.random.default_rng(7))
    assert auc.value == pytest.approx(12 / 16)
    assert [number.value for number in three] == [0.0, 0.5, 0.0]


def test_a_field_that_is_missing_is_named(tmp_path: Path) -> None:
    file = tmp_path / "examples.jsonl"
    file.write_text('{"caption_0": "an owl"}\n')
    with pytest.raises(
        DataError, match="examples.jsonl, line 1 has no caption_1, image_0, image_1"
    ):
        read_examples(file)
