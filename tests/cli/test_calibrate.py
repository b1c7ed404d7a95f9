"""`calibrate` says what is wrong with a table, and shows what it fitted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from alignment.abstention import NEVER
from alignment.questions.settings import Vq2Settings
from cli.calibrate import table
from cli.program import program
from tests.alignment.calibrations import identity


def run(*arguments: str) -> tuple[int, str]:
    import app  # noqa: F401  registers the commands

    found = CliRunner().invoke(program, ["calibrate", *arguments])
    return found.exit_code, found.output


def test_a_scoring_model_of_no_name_is_the_mistake_of_whoever_typed_it(tmp_path: Path):
    (tmp_path / "pairs.csv").write_text("image,text,label\na.png,a cat,1\n")
    code, said = run(str(tmp_path / "pairs.csv"), "--bundle", "embedded+clip=nonsense")
    assert code == 2
    assert "nonsense" in said


def test_a_table_without_labels_is_a_sentence(tmp_path: Path):
    (tmp_path / "pairs.csv").write_text("image,text\na.png,a cat\n")
    code, said = run(str(tmp_path / "pairs.csv"), "--folder", str(tmp_path / "out"))
    assert code == 2
    assert "pairs.csv has no label; give image, text, label" in " ".join(said.split())
    assert not (tmp_path / "out").exists()


def test_a_calibration_is_fitted_for_the_settings_that_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fitted: list[Vq2Settings] = []

    def fit(tables: object, models: object, settings: Vq2Settings, **rest: object) -> list[object]:
        fitted.append(settings)
        return []

    monkeypatch.setattr("cli.calibrate.fit", fit)
    (tmp_path / "pairs.csv").write_text("image,text,label\n")
    code, _ = run(str(tmp_path / "pairs.csv"), "--assessment", "B", "--aggregation", "weakest")
    assert code == 0
    assert (fitted[0].assessment, fitted[0].aggregation) == ("B", "weakest")


def test_a_table_that_a_method_could_not_score_is_named_on_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    import app  # noqa: F401  registers the commands

    found = [identity("vq2"), replace(identity("clip"), unscored=("long/pairs.csv",))]
    monkeypatch.setattr("cli.calibrate.fit", lambda *tables, **rest: found)
    (tmp_path / "pairs.csv").write_text("image,text,label\n")
    ended = CliRunner().invoke(program, ["calibrate", str(tmp_path / "pairs.csv")])
    assert "clip could score no pair of long/pairs.csv" in ended.stderr
    assert "vq2 could" not in ended.stderr
    stored = json.loads(ended.stdout.splitlines()[-1])
    assert stored["clip"]["unscored"] == ["long/pairs.csv"]
    assert stored["vq2"]["name"] == found[0].name


def test_a_row_says_from_where_a_verdict_is_given():
    of_none = replace(identity("vq2"), pairs=0)
    mute = replace(of_none, method="vnli", threshold=NEVER)
    shown = table([of_none, mute]).columns
    rows = [*zip(*(column.cells for column in shown), strict=True)]
    assert rows == [
        ("vq2", "isotonic", "0 (0 right)", "0.000", "0.000", "0.500"),
        ("vnli", "isotonic", "0 (0 right)", "0.000", "0.000", "never"),
    ]
