"""The job on the command line."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from session.png_text import read_settings
from tests.tiny_models import PROMPT

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.usefixtures("models")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([""], 2, "the prompt is empty"),
        (
            [PROMPT, "--rows", "0", "--columns", "9"],
            2,
            '"rows" is 0; it can be a whole number from 1',
        ),
        ([PROMPT, "--model", "sdxxl"], 2, "no model 'sdxxl'; known: icons"),
        ([PROMPT, "--bundle", "huge"], 2, "no bundle 'huge'; known: embedded"),
        ([PROMPT, "--rank-by", "taste"], 2, "cannot rank by 'taste'; known: vq2"),
        ([PROMPT, "--out", __file__], 2, "File exists; choose another with --out"),
        ([PROMPT, "--model", "sd-turbo"], 1, "choose an embedded model"),
    ],
)
def test_bad_input_is_one_sentence_on_stderr(
    arguments: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as stop:
        command(*arguments)
    out, error = capsys.readouterr()
    assert stop.value.code == code
    *stages, sentence = error.splitlines()
    assert says in sentence
    assert stages == (["loading sd-turbo"] if "sd-turbo" in arguments else [])
    assert not out


def test_a_run_is_logged_once_whatever_else_was_logged():
    """Logging an error by the root logger gives that one a handler of its own."""
    code = """
import logging, app
app._log_runs()
logging.error("an image was swept")
logging.getLogger("runs").info('{"run": 1}')
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert run.stderr.decode().count('{"run": 1}') == 1


def test_the_command_writes_a_report_and_its_images(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command(*HEADLESS, "--out", str(tmp_path))
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert [cell["seed"] for cell in report["cells"]] == [7, 8, 9, 10]
    assert sorted(cell["rank"] for cell in report["cells"]) == [1, 2, 3, 4]
    saved = [read_settings(tmp_path / cell["image"]) for cell in report["cells"]]
    assert [(each.seed, each.request.seed) for each in saved] == [(s, 7) for s in (7, 8, 9, 10)]
    assert all(0 <= value <= 1 for cell in report["cells"] for value in cell["scores"].values())
    for each in report["questions"]:
        assert PROMPT[each["start"] : each["end"]] == each["answer"]
    assert "rank" in capsys.readouterr().out


HEADLESS = (PROMPT, "--rows", "2", "--columns", "2", "--model", "tiny", "--bundle", "tiny")


def test_the_environment_may_name_the_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BUNDLE", "tiny")
    command(PROMPT, "--rows", "1", "--columns", "1", "--model", "tiny", "--out", str(tmp_path))
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["bundle"] == "tiny"


def test_a_page_with_an_unknown_bundle_does_not_start(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="2"):
        command("--bundle", "huge")
    assert "no bundle 'huge'; known: embedded" in capsys.readouterr().err


def test_a_page_on_a_port_that_is_taken_says_so_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match="2"):
            command("--host", "127.0.0.1", "--port", str(port))
    says = f"the page cannot listen on 127.0.0.1:{port}; choose another with HOST and PORT\n"
    assert capsys.readouterr().err == says


def test_importing_the_app_loads_no_model_library():
    """So that a mistyped command answers at once."""
    heavy = "{'torch', 'diffusers', 'transformers', 'gradio', 'spacy', 'open_clip'}"
    code = f"import sys, app; print({heavy} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "set()"


def test_building_the_page_with_its_worked_examples_loads_no_model_library():
    """So that the server answers before any model is asked for."""
    heavy = "{'torch', 'diffusers', 'transformers', 'spacy', 'open_clip'}"
    code = f"import sys, app; app.build_page(); print({heavy} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip().endswith("set()")


def command(*arguments: str) -> None:
    """Run the command line in this process, where the tiny models are."""
    from app import program

    program(list(arguments), standalone_mode=False)
