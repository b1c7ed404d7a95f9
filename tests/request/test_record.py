"""A field of the request is written once, and every door that asks for one shows it."""

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

from generation import InvalidRequestError
from request import Request, plain, read_plain

ROOT = Path(__file__).parents[2]
LAST = '    revision: Annotated[Revision, LeftOut(("endpoint", "command"))] = ""\n'
FIELD = '    shunned: Annotated[str, Field(max_length=9, description="What not to show.")] = ""\n'
SHOWN = """
import json
from dataclasses import replace
from inspect import signature
from pathlib import Path
from PIL import Image
from typer.testing import CliRunner
import generation
from alignment.report import report_json, stored_report
from app import EXAMPLES, program
from request import Request
from session.link import link_of, read_link
from session.png_text import png_text, read_settings
from session.state import GridState
from session.storage import load_example, stored
from ui.api import generate

request = Request("a red car", shunned="rain")
example = load_example(next(EXAMPLES.glob("*/report.json")))
report = replace(example, request=replace(example.request, shunned="rain"))
again = stored_report(report_json(stored(report, report.report)))
link = str(link_of(GridState(request)))
png = png_text(generation.settings_of(request, 7, generation.find_model("stickers")))
Image.new("RGB", (8, 8)).save("a.png", pnginfo=png)
print(json.dumps({
    "link": link,
    "read": read_link(link)[0].request.shunned,
    "wrong": read_link("prompt=a&shunned=everything+else")[1],
    "report": GridState.from_report(again, ()).request.shunned,
    "png": read_settings("a.png").request.shunned,
    "endpoint": str(signature(generate).parameters["shunned"].default),
    "described": "shunned: What not to show." in generate.__doc__,
    "help": CliRunner().invoke(program, ["generate", "--help"]).stdout,
    "refused": CliRunner().invoke(program, ["a red car", "--shunned", "everything"]).stderr,
}))
"""


def test_a_new_field_is_one_line_and_every_door_has_it(tmp_path: Path):
    copytree(ROOT / "request", tmp_path / "request")
    record = tmp_path / "request" / "record.py"
    text = record.read_text("utf-8")
    assert text.count(LAST) == 1
    record.write_text(text.replace(LAST, LAST + FIELD), "utf-8")
    path = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\n"
    run = subprocess.run(
        [sys.executable, "-c", path + SHOWN],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert "shunned=rain" in found["link"]
    assert (found["read"], found["png"], found["report"]) == ("rain",) * 3
    assert "it can be at most 9 characters" in found["wrong"][0]
    assert (found["endpoint"], found["described"]) == ("", True)
    assert "--shunned" in found["help"]
    assert "it can be at most 9 characters" in found["refused"]


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("rows", 0, '"rows" is 0; it can be a whole number from 1 to 6'),
        ("seed", 2**32, '"seed" is 4294967296; it can be a whole number from 0 to 4294967295'),
        ("prompt", "a" * 1001, '"prompt" has 1001 characters; it can be at most 1000 characters'),
        ("completion", "perhaps", "completion is 'perhaps'; it can be auto, on, off"),
        ("model", 7, '"model" is 7; it can be the name of a text-to-image model'),
        ("row", 3, 'there is no "row"; known: prompt, rows, columns'),
    ],
)
def test_what_a_field_cannot_be_is_a_sentence(field: str, value: object, says: str):
    with pytest.raises(InvalidRequestError, match=says):
        Request(**{"prompt": "a red car", field: value})


def test_a_request_of_another_machine_keeps_names_that_are_not_known_here():
    request = Request("a red car", model="theirs", bundle="paper+clip=x", rank_by="targets")
    assert read_plain({**plain(request), "written by": "a later version"}) == request


def test_completion_that_is_as_usual_is_that_of_the_model():
    asked = [Request("a", model=each, completion="auto") for each in ("stickers", "sd-turbo")]
    assert [each.completion for each in asked] == [True, False]
