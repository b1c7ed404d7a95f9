"""`find` and `check` on the command line, with the embedded models."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from PIL import Image

from app import program
from cli.find import _require_writable
from session.png_text import read_settings

HARD = "three green books below a clock"


def run(arguments: list[str]) -> int:
    try:
        program(arguments, standalone_mode=False)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The image that a search found, and what it said."""
    file = tmp_path_factory.mktemp("found") / "new" / "apple.png"
    arguments = ["find", "a red apple", "--budget", "8 evaluations", "--out", str(file)]
    with redirect_stdout(StringIO()) as said:
        assert run(arguments) == 0
    return file, said.getvalue()


@pytest.fixture
def found(searched: tuple[Path, str]) -> Path:
    return searched[0]


def test_a_search_says_what_it_cost_and_saves_its_image_with_its_settings(
    searched: tuple[Path, str],
):
    file, said = searched
    first, ending, cost = said.splitlines()
    assert first.startswith("1. new seed: every answer holds; right with a chance of 99 %")
    assert ending == f"Attempt 1 of 1 shows everything: {file}"
    assert cost.startswith("8 evaluations of the text-to-image model, ")
    assert read_settings(file).request.prompt == "a red apple"


def test_what_the_models_do_not_know_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    run(["find", "a volcano", "--budget", "8 evaluations", "--out", str(tmp_path / "a.png")])
    assert 'Not known here: "volcano".' in capsys.readouterr().err


def test_where_none_is_right_the_best_is_saved_and_the_exit_code_is_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "best.png"
    arguments = ["find", HARD, "--seed", "1000", "--budget", "22 evaluations"]
    assert run([*arguments, "--strategy", "repair", "--completion", "off", "--out", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    fails = "1. new seed: not three books; the books are not below a clock; right with a chance of "
    assert lines[0].startswith(fails)
    assert lines[1].startswith("2. repair: three: ")
    assert "comes nearest, but does not show everything" in lines[-2]
    assert file.exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--budget", "3 hours"], 'the budget is "3 hours"; it can be seconds'),
        (["--budget", "3 evaluations"], "one image of icons takes 8 evaluations"),
        (["--strategy", "luck"], "no strategy 'luck'; known: "),
    ],
)
def test_what_cannot_be_searched_is_said(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["find", "a red apple", *options, "--out", str(tmp_path / "x.png")]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["find", "a red apple", "--out", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert f"{tmp_path} cannot be written: Is a directory; choose another" in said.err
    assert not said.out


def test_what_is_at_a_file_before_a_search_stays_until_its_image_is_there(tmp_path: Path):
    """An empty file, too: it may be a device."""
    there, new = tmp_path / "there.png", tmp_path / "new" / "image.png"
    there.touch()
    for file in (there, new):
        _require_writable(file)
    assert (there.exists(), new.exists(), new.parent.is_dir()) == (True, False, True)


def test_a_folder_is_checked_by_the_prompts_in_its_images(
    found: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["check", str(found.parent)]) == 0
    assert "0 of 1 images fall short" in capsys.readouterr().out


def test_a_folder_is_checked_by_one_prompt_or_by_a_table_and_fails_a_build(
    found: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with Image.open(found) as image:
        image.convert("RGB").save(tmp_path / "plain.jpg", quality=95)
    assert run(["check", str(tmp_path), "--prompt", "a blue chair"]) == 1
    out = capsys.readouterr().out
    assert "short" in out
    assert "No chair." in " ".join(out.split())
    assert run(["check", str(found.parent), "--at-least", "1"]) == 1
    assert "may show everything; least sure" in " ".join(capsys.readouterr().out.split())
    table = tmp_path / "captions.csv"
    table.write_text("image,prompt\nplain.jpg,a red apple\n", encoding="utf-8")
    assert run(["check", str(tmp_path), "--captions", str(table), "--at-least", "0.5"]) == 0
    (tmp_path / "not-in-the-table.png").write_bytes(found.read_bytes())  # its prompt is in it
    assert run(["check", str(tmp_path), "--captions", str(table), "--at-least", "0.5"]) == 0


def test_a_broken_image_is_no_image_that_falls_short(
    found: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "torn.png").write_bytes(found.read_bytes()[:60])
    assert run(["check", str(tmp_path)]) == 2
    assert "torn.png" in capsys.readouterr().err


def test_an_image_without_a_prompt_and_a_folder_without_images_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["check", str(tmp_path)]) == 2
    assert "no image in" in capsys.readouterr().err
    Image.new("RGB", (8, 8)).save(tmp_path / "blank.png")
    assert run(["check", str(tmp_path)]) == 2
    assert "has a prompt; give --prompt or --captions" in capsys.readouterr().err
    report = tmp_path / "report"
    assert (
        run(["generate", "a red apple", "--rows", "1", "--columns", "1", "--out", str(report)]) == 0
    )
    capsys.readouterr()
    (tmp_path / "blank.png").rename(report / "blank.png")
    assert run(["check", str(report), "--at-least", "0.5"]) == 0
    said = capsys.readouterr().out
    assert "0 of 1 images fall short" in said
    assert "left out, without a prompt: blank.png" in said


def test_a_table_without_its_columns_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    Image.new("RGB", (8, 8)).save(tmp_path / "blank.png")
    (tmp_path / "captions.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert run(["check", str(tmp_path), "--captions", str(tmp_path / "captions.csv")]) == 2
    assert "captions.csv has no image, prompt; it has a, b" in capsys.readouterr().err
