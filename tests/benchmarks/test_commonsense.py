"""Pairs are painted, judged and counted; the command says all of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image as PillowImage

from alignment.pair_analysis import error_overlaps
from alignment.records import Fit, FitMatrix, PromptPair
from benchmarks.commonsense import main
from benchmarks.commonsense.pictures import kept, paint, picture_file, stored
from benchmarks.commonsense.results import Painter, Result, measure, read_labels
from benchmarks.commonsense.tables import sentences
from generation import ModelSpec, load_pipeline
from tests.tiny_models import tiny_models

FIRST, SECOND = Fit((True, False)), Fit((False, True))
BOTH, UNREAD = Fit((True, True)), Fit((None, True))

PAIRS = (
    PromptPair(("a", "b"), ("c", "d"), "physical laws", 9),
    PromptPair(("e", "f"), ("g", "h"), "daily items", 3),
)
ROWS = [
    {"prompt1": "black apple", "prompt2": "green apple", "description1": "black apple"}
    | {"description2": "green apple", "category": "daily items", "likelihood": 9},
    {"prompt1": "an apple", "prompt2": "two apple", "description1": "an apple"}
    | {"description2": "two apple", "category": "physical laws", "likelihood": 5},
]


def measured(name: str, *matrices: FitMatrix) -> Result:
    painter = Painter(name, PAIRS, (), (0.9, 0.8))
    return measure(painter, "vnli", matrices, np.random.default_rng(7))


def test_a_result_counts_what_was_right_unread_and_left_to_a_coin() -> None:
    result = measured(
        "painter",
        FitMatrix(((FIRST, FIRST), (SECOND, BOTH))),
        FitMatrix(((FIRST, UNREAD), (FIRST, SECOND))),
    )
    assert result.scores == (0.75, 0.0)
    assert result.accuracy.value == 0.375
    assert result.weighted == pytest.approx((9 * 0.75 + 3 * 0) / 12)
    assert (result.pictures, result.unread, result.coins) == (8, 1, 1)
    assert {name: each.value for name, each in result.categories.items()} == {
        "daily items": 0.0,
        "physical laws": 0.75,
    }
    assert result.relation.similarity == (1.0, 0.0)
    assert result.relation.spearman == pytest.approx(1)
    assert result.drawn in (0.25, 0.5)


def test_what_revision_gains_is_said_with_its_interval() -> None:
    wrong, right = FitMatrix(((SECOND,), (FIRST,))), FitMatrix(((FIRST,), (SECOND,)))
    results = [measured("sd", wrong, wrong), measured("sd revised", right, right)]
    overlaps = {"vnli": error_overlaps({each.painter: each.scores for each in results})}
    gain, overlap = sentences(results, overlaps, {}, np.random.default_rng(7))
    assert gain == "By vnli, revised prompts change sd by +100.0% (+100.0% .. +100.0%)."
    assert "sd and sd revised both fail 0 of the 2 pairs that either fails" in overlap


def test_both_prompts_are_painted_from_the_same_seeds(tiny_painter: ModelSpec) -> None:
    pipeline = load_pipeline(tiny_painter)
    same = PromptPair(("an apple", "an apple"), ("c", "d"))
    ((first, second),) = paint([same], tiny_painter, pipeline, 2, seed=3)
    assert [image.tobytes() for image in first] == [image.tobytes() for image in second]
    assert first[0].tobytes() != first[1].tobytes()
    ((later, _),) = paint([same], tiny_painter, pipeline, 1, seed=4)
    assert later[0].tobytes() == first[1].tobytes()


def test_pictures_that_were_kept_are_read_again_in_their_places(tmp_path: Path) -> None:
    names = [["red", "green"], ["navy", "pink"]]
    first, second = ([PillowImage.new("RGB", (16, 16), name) for name in row] for row in names)
    assert list(kept([(first, second)], tmp_path, "sd revised")) == [(first, second)]
    assert picture_file(tmp_path, "sd revised", 2, 1, 2).is_file()
    ((one, other),) = stored(tmp_path, "sd revised", pairs=1, generations=2)
    for image, name in zip([*one, *other], [*names[0], *names[1]], strict=True):
        pixel, meant = image.getpixel((8, 8)), PillowImage.new("RGB", (1, 1), name).getpixel((0, 0))
        assert pixel == pytest.approx(meant, abs=3)


def test_people_are_counted_by_painter() -> None:
    table = pd.DataFrame(
        {"model": ["a", "a", "b"], "pair": [1, 1, 1], "generation": [1, 2, 1], "right": [1, 0, 1]}
    )
    assert read_labels(table) == {"a": 0.5, "b": 1.0}
    with pytest.raises(ValueError, match="labels: no column generation; found model, pair, right"):
        read_labels(table.drop(columns="generation"))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which painter and judges are tiny, with pairs, revised pairs and labels."""
    folder = tmp_path_factory.mktemp("commonsense")
    with tiny_models(folder):
        revised = [row | {"prompt1": row["prompt1"] + " and a backpack"} for row in ROWS]
        (folder / "pairs.json").write_text(json.dumps(ROWS))
        (folder / "revised.json").write_text(json.dumps(revised))
        (folder / "labels.csv").write_text("model,pair,generation,right\ntiny,1,1,1\ntiny,2,1,0\n")
        yield folder


def test_the_last_line_holds_every_number(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = command(
        capsys,
        *("--model", "tiny", "--bundle", "tiny", "--evaluator", "clip", "--generations", "1"),
        *("--pairs", str(tiny / "pairs.json"), "--revised", str(tiny / "revised.json")),
        *("--labels", str(tiny / "labels.csv"), "--out", str(tiny / "kept")),
        *("--figures", str(tiny / "figures")),
    )
    plain, revised = told["results"]
    assert (plain["painter"], revised["painter"]) == ("tiny", "tiny revised")
    assert plain["pictures"] == 4
    assert told["people"]["clip"]["differences"]["tiny"] == plain["accuracy"]["value"] - 0.5
    assert len(told["overlaps"]["clip"]) == 1
    figures = sorted(file.name for file in (tiny / "figures").iterdir())
    assert figures == ["tiny-clip.svg", "tiny-revised-clip.svg"]
    again = command(
        capsys,
        *("--model", "tiny", "--bundle", "tiny", "--evaluator", "vlm", "--generations", "1"),
        *("--pairs", str(tiny / "pairs.json"), "--images", str(tiny / "kept"), "--limit", "1"),
    )
    (result,) = again["results"]
    assert (result["pictures"], result["unread"]) == (2, 4)


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main(arguments)
    line: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return line
