"""Reranking against people's ratings, on a small folder of our own in the published format."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.set_metrics.metrics import ERR, RBP
from benchmarks.data.rated_grids import CELLS, image_opener, read_grids
from benchmarks.data.scores import PairScorer, ScoreCache, scores_in
from tests.benchmarks.command import numbers, refusal
from tests.benchmarks.small_seetrue import unopened

RATINGS = {
    "an owl": [[1, 1, 1], [5, 5, 4], [3, 3, 3], [2, 2, 2], [1, 1, 2], *[[1, 1, 1]] * 4],
    "a fox": [[5, 5, 5], [5, 5, 5], [4, 4, 4], *[[1, 2, 3]] * 6],
}
SCORES: dict[str, list[float | None]] = {
    "an owl": [0.1, 0.7, 0.9, 0.3, 0.2, 0.1, 0.1, 0.1, None],
    "a fox": [0.8, 0.8, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two prompts by one model, scored already; the images are in an archive, as published."""
    plain = {
        str(number): {
            "id": str(number),
            "prompt": prompt,
            "models": {"SDXL_Base": {str(k): each for k, each in enumerate(ratings, 1)}},
        }
        for number, (prompt, ratings) in enumerate(RATINGS.items())
    }
    (tmp_path / "human_rating.json").write_text(json.dumps(plain))
    scorer = PairScorer(Models(find_bundle("embedded")), unopened, ScoreCache())
    with (
        zipfile.ZipFile(tmp_path / "SDXL_Base.zip", "w") as archive,
        scores_in(tmp_path / "scores") as kept,
    ):
        for grid in read_grids(tmp_path):
            for cell, (name, score) in enumerate(
                zip(grid.images, SCORES[grid.prompt], strict=True)
            ):
                file = tmp_path / "image.jpeg"
                Image.new("RGB", (48, 32), (28 * cell, 90, 255 - 28 * cell)).save(file)
                archive.write(file, name)
                kept.add(scorer.key("clip", name, grid.prompt), score)
    return tmp_path


def test_reranking_lies_between_the_images_as_given_and_the_oracle(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reranked, one middling image comes first for either prompt: no P@1. As given, the fox is
    right. The second fox image is as good as the first."""
    given = ("--methods", "clip", "--scores", folder / "scores", "--order", "positional")
    found = numbers(capsys, "ranking", folder, *given)
    rated = {grid.prompt: np.array(grid.relevance) for grid in read_grids(folder)}
    orders = {
        "as given": [range(9), range(9)],
        "reranked by clip": [[2, 1, 3, 4, 0, 5, 6, 7, 8], [2, 0, 1, *range(3, 9)]],
        "oracle": [np.argsort(-each, kind="stable") for each in rated.values()],
    }
    p_at_1 = {"as given": 0.5, "reranked by clip": 0.0, "oracle": 1.0}
    for shown, each in orders.items():
        for name, metric in (("P@1", None), ("E[RBP]", RBP), ("E[ERR]", ERR)):
            (value,) = (
                number["value"]
                for signature, number in found.items()
                if signature.startswith(f"{name}|data:SDXL_Base|shown:{shown}|")
            )
            expected = p_at_1[shown]
            if metric:
                scores = [
                    metric(order="positional").score(relevance[[*cells]])
                    for relevance, cells in zip(rated.values(), each, strict=True)
                ]
                expected = float(np.mean(scores))
            assert value == pytest.approx(expected)


def test_agreement_is_over_pairs_that_people_rate_apart_and_leaves_out_what_has_no_score(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Owl, eight scored: of 28 pairs 3 + 3 are rated alike by four of the lowest; fox: 20 apart."""
    given = ("--methods", "clip", "--scores", folder / "scores", "--order", "uniform")
    found = numbers(capsys, "ranking", folder, *given)
    owl = [np.mean(each) for each in RATINGS["an owl"][:8]]
    apart = sum(a != b for k, a in enumerate(owl) for b in owl[:k]) + 2 + 3 * 6
    (agrees,) = (each for key, each in found.items() if key.startswith("agrees|method:clip"))
    assert agrees["signature"] == f"agrees|method:clip|pairs:{apart}"
    assert agrees["units"] == 2


def test_the_best_layout_earns_no_less_by_its_own_scores_and_is_shown_under_saliency(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--methods", "clip", "--scores", folder / "scores", "--limit", 1)
    found = numbers(capsys, "ranking", folder, *given)
    shown = {key.split("|")[2] for key in found if key.startswith("P@1")}
    assert shown == {
        f"shown:{each}" for each in ("as given", "reranked by clip", "best by clip", "oracle")
    }
    assert image_opener(folder)("SDXL_Base/00000_01.jpeg").size == (48, 32)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "give the folder of GenAI-Bench-Ranking"),
        ("[]", "is not as published (AttributeError"),
        ('{"0": {"prompt": "owl", "models": {"A": {"1": [3]}}}}', "(KeyError: '2')"),
        (
            json.dumps({"0": {"prompt": "", "models": {"A": {str(k): [7] for k in CELLS}}}}),
            "a rating of prompt 0 is not from 1 to 5",
        ),
    ],
)
def test_a_folder_that_is_not_as_published_says_what_it_should_be(
    tmp_path: Path, text: str | None, said: str
) -> None:
    if text is not None:
        (tmp_path / "human_rating.json").write_text(text)
    assert said in refusal("ranking", tmp_path)
