"""Images that exist already, scored against texts on the command line."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import alignment
from app import program
from tests.tiny_models import PROMPT

TEXTS = (PROMPT, "two apples")

pytestmark = pytest.mark.usefixtures("models")


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    for colour in ("navy", "pink", "olive"):
        Image.new("RGB", (64, 48), colour).save(tmp_path / f"{colour}.png")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    files = [str(tmp_path / f"{colour}.png") for colour in ("navy", "pink", "olive")]
    return ["score", *files, "--texts", str(tmp_path / "texts.txt"), "--bundle", "tiny"]


def test_the_csv_has_a_row_for_each_text_and_a_column_for_each_image(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
):
    program([*arguments, "--method", "clip"], standalone_mode=False)
    head, *rows = csv.reader(capsys.readouterr().out.splitlines())
    assert head == ["text", *arguments[1:4]]
    assert [row[0] for row in rows] == [*TEXTS]
    models = alignment.Models(alignment.find_bundle("tiny"))
    images = [Image.open(file) for file in arguments[1:4]]
    expected = alignment.score(images, TEXTS, models, "clip").values
    assert [[float(value) for value in row[1:]] for row in rows] == pytest.approx(
        expected.T, abs=1e-6
    )


def test_words_that_the_scores_leave_aside_are_named(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    texts = "a red apple\na red apple next to a capybara"
    (tmp_path / "texts.txt").write_text(texts, encoding="utf-8")
    program([*arguments[:-1], "embedded"], standalone_mode=False)
    told = [line for line in capsys.readouterr().err.splitlines() if "not judged" in line]
    assert told == ['a red apple next to a capybara: not judged: "capybara"']


def test_no_text_or_file_name_of_the_csv_is_a_formula_to_a_spreadsheet(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
):
    monkeypatch.chdir(tmp_path)
    Image.new("RGB", (64, 48), "navy").save("=1+1.png")
    Path("texts.txt").write_text('=HYPERLINK("http://evil.example")\n@SUM(1)', encoding="utf-8")
    program(["score", "=1+1.png", *arguments[4:], "--method", "clip"], standalone_mode=False)
    fields = [field for row in csv.reader(capsys.readouterr().out.splitlines()) for field in row]
    assert fields[:2] == ["text", "'=1+1.png"]
    assert not [field for field in fields if field.startswith(("=", "@"))]
    assert len(fields) == 6


def test_the_json_says_what_was_asked_and_why_there_is_no_score(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
):
    program([*arguments, "--format", "json"], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)
    assert (len(found["scores"]), len(found["scores"][0])) == (3, 2)
    for row in found["scores"]:
        for score in row:
            assert (score["value"] is None) == bool(score["reason"])
            for pair in score["evidence"]:
                assert pair["negated"] is False


def test_a_file_that_is_no_image_is_a_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "navy.png").write_text("hello")
    with pytest.raises(SystemExit, match="2"):
        program(arguments, standalone_mode=False)
    assert '"navy.png" is not a PNG, JPEG, WebP or GIF image' in capsys.readouterr().err


def test_a_file_without_a_text_is_a_sentence_that_names_it(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "texts.txt").write_text("\n \n", encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        program(arguments)
    said = "".join(capsys.readouterr().err.replace("│", "").split())
    assert f"{tmp_path / 'texts.txt'}hasnoline;writeonetextperline" in said


def test_settings_of_vq2_reach_the_scores(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    given = ("--aggregation", "weakest", "--assessment", "B", "--filter", "0")
    program([*arguments, "--format", "json", *given], standalone_mode=False)
    signature = json.loads(capsys.readouterr().out)["scores"][0][0]["signature"]
    assert {"assessment:B", "aggregation:weakest", "filter:0"} <= {*signature.split("|")}
