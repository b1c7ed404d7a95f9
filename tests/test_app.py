"""The job from a prompt to a report, on the command line and behind the page's events."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
from generation import InvalidRequestError
from tests.tiny_models import PROMPT, tiny_models
from view.board import Board

ROOT = Path(__file__).parent.parent
ASKED = Board(PROMPT, rows=2, columns=2, seed=7, model="tiny", bundle="tiny")


@pytest.fixture(scope="module", autouse=True)
def _models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with tiny_models(tmp_path_factory.mktemp("models")):
        yield


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> list[Board]:
    """Every stage of one job."""
    folder = tmp_path_factory.mktemp("pictures")
    return list(app.paint_and_judge(ASKED, lambda cell: app.save_cell(folder, cell)))


def test_questions_are_known_before_any_picture(boards: list[Board]):
    first = next(board for board in boards if board.questions)
    assert "what color is the apple?" in [pair.question for pair in first.questions]
    assert first.pictures == (None,) * 4


def test_rough_pictures_come_before_finished_ones(boards: list[Board]):
    rough = next(i for i, board in enumerate(boards) if board.rough)
    painted = [bool(board.pictures) and all(board.pictures) for board in boards]
    whole = painted.index(True)
    assert rough < whole
    assert not boards[-1].rough


def test_a_board_never_forgets_a_score(boards: list[Board]):
    known = [sum(map(len, board.scores.values())) for board in boards]
    assert known == sorted(known)


def test_the_last_board_has_the_whole_report(boards: list[Board]):
    report = boards[-1].report
    assert report is not None
    assert all(len(scores) == 4 for scores in report.scores.values())
    assert {"reading", "painting", "vq2", "vnli", "clip"} <= set(report.timings)
    assert {score.arrangement for score in report.set_scores} == {"generated", "reranked"}


def test_the_painter_is_loaded_once():
    assert app.load_painter("tiny") is app.load_painter("tiny")


def test_a_picture_shown_twice_is_stored_once(boards: list[Board], tmp_path: Path):
    stored = []
    keep = app.once_each(lambda cell: stored.append(cell.cell) or "")
    list(app.paint_and_judge(ASKED, keep))
    assert sorted(stored) == [0, 0, 1, 1, 2, 2, 3, 3], "one rough and one finished picture each"


@pytest.mark.parametrize(
    ("size", "seed", "says"),
    [
        ("nine", 7, "the grid is 'nine'; write rows x columns, such as 3 x 3"),
        ("3 x 3", None, "there is no seed; any whole number from 0 will do"),
    ],
)
def test_fields_that_make_no_request_say_so(size: str, seed: int | None, says: str):
    with pytest.raises(InvalidRequestError, match=re.escape(says)):
        app.requested(PROMPT, size, seed, "vq2", "tiny", "tiny")


def test_the_sign_between_rows_and_columns_may_be_any():
    boards = [app.requested(PROMPT, size, 7, "vq2", "tiny", "tiny") for size in SIGNS]
    assert {(board.rows, board.columns) for board in boards} == {(2, 5)}


SIGNS = ("2x5", "2 x 5", " 2×5 ", "2*5")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([""], 2, "the prompt is empty"),
        (["x" * 2000], 2, "the prompt has 2000 characters; it can have 1000"),
        (["🍎🎒"], 2, "the prompt has no words"),
        ([PROMPT, "--rows", "0", "--columns", "9"], 2, "the grid is 0 x 9"),
        ([PROMPT, "--model", "sdxxl"], 2, "no model 'sdxxl'; known: stickers"),
        ([PROMPT, "--bundle", "huge"], 2, "no bundle 'huge'; known: embedded"),
        ([PROMPT, "--rank-by", "taste"], 2, "cannot rank by 'taste'; known: vq2"),
        ([PROMPT, "--model", "sd-turbo"], 1, "choose 'stickers', which needs no network"),
    ],
)
def test_bad_input_is_one_sentence_on_stderr(
    arguments: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as stop:
        command(*arguments)
    out, error = capsys.readouterr()
    assert stop.value.code == code
    assert says in error
    assert error.count("\n") == 1
    assert not out


def test_the_command_writes_a_report_and_its_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command(*HEADLESS, "--out", str(tmp_path))
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert [cell["seed"] for cell in report["cells"]] == [7, 8, 9, 10]
    assert sorted(cell["rank"] for cell in report["cells"]) == [1, 2, 3, 4]
    assert all((tmp_path / cell["image"]).is_file() for cell in report["cells"])
    assert all(0 <= value <= 1 for cell in report["cells"] for value in cell["scores"].values())
    for each in report["questions"]:
        assert PROMPT[each["start"] : each["end"]] == each["answer"]
    assert "rank" in capsys.readouterr().out


HEADLESS = (PROMPT, "--rows", "2", "--columns", "2", "--model", "tiny", "--bundle", "tiny")


def test_the_same_command_twice_gives_the_same_report(tmp_path: Path):
    reports = []
    for name in ("one", "two"):
        command(*HEADLESS, "--out", str(tmp_path / name))
        report = json.loads((tmp_path / name / "report.json").read_text("utf-8"))
        reports.append({key: value for key, value in report.items() if key != "timings"})
    assert reports[0] == reports[1]


def test_a_stored_report_becomes_the_board_it_came_from(tmp_path: Path):
    command(*HEADLESS, "--out", str(tmp_path))
    board = app.load_example(tmp_path / "report.json")
    assert board.questions == board.report.questions
    assert app.pictures(board)[3].size == (32, 32)
    assert board.worst == board.report.ranking.order[-1]


def test_importing_the_app_loads_no_model_library():
    """So that a mistyped command answers at once."""
    heavy = "{'torch', 'diffusers', 'transformers', 'gradio', 'spacy', 'open_clip'}"
    code = f"import sys, app; print({heavy} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "set()"


def command(*arguments: str) -> None:
    """Run the command line in this process, where the tiny models are."""
    import typer

    from app import main

    program = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    program.command()(main)
    program(list(arguments), standalone_mode=False)
