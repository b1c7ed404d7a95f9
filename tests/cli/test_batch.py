"""A batch run on the command line, alone and as one process of several."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from app import program
from tests.tiny_models import PROMPT, tiny_models


@pytest.fixture(scope="module", autouse=True)
def _models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with tiny_models(tmp_path_factory.mktemp("models"), slow_steps=2):
        yield


@pytest.fixture
def asked(tmp_path: Path) -> list[str]:
    prompts = tmp_path / "prompts.txt"
    prompts.write_text(f"{PROMPT}\n\n  two apples \n", encoding="utf-8")
    return (
        f"--prompts {prompts} --models tiny,slow --images 2 --bundle tiny --out {tmp_path}".split()
    )


def test_the_last_line_has_the_means_of_every_pipeline(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    run(asked)
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    records = [json.loads(line) for line in Path(said["results"]).read_text().splitlines()]
    assert [(record["model"], record["prompt"]) for record in records] == [
        ("tiny", PROMPT),
        ("tiny", "two apples"),
        ("slow", PROMPT),
        ("slow", "two apples"),
    ]
    clip = [cell["scores"]["clip"] for record in records[2:] for cell in record["cells"]]
    assert said["means"]["slow"]["clip"] == pytest.approx(sum(clip) / 4)
    about, _, vq2 = said["signature"].partition("|VQ2|")
    assert about == "mean|over:pictures|bundle:tiny|images:2|seed:7|completion:off"
    assert "|aggregation:geometric|" in vq2


def test_torchruns_processes_share_the_work_and_the_last_one_sums_up(
    asked: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("WORLD_SIZE", "2")
    run(asked)
    assert "shard 1-of-2 is done" in capsys.readouterr().out
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("LOCAL_RANK", "1")
    run(asked)
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["means"]
    lines = [(tmp_path / f"records-{k}-of-2.jsonl").read_text().count("\n") for k in (1, 2)]
    assert lines == [2, 2]


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        (["--shard", "3/2"], "'3/2' is no shard; those of two are 1/2 and 2/2"),
        (["--shard", "0/2"], "'0/2' is no shard"),
        (["--prompts", "nowhere.txt"], "cannot read nowhere.txt: No such file"),
        (["--images", "7"], "7 images fill no grid; choose from 1, 2, 3"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    asked: list[str], option: list[str], complaint: str
):
    with pytest.raises(typer.BadParameter) as refusal:
        run([*asked, *option])
    assert complaint in str(refusal.value)


def test_prompts_in_another_encoding_are_refused_with_the_byte(asked: list[str], tmp_path: Path):
    latin = tmp_path / "latin.txt"
    latin.write_bytes("ein grüner Rucksack".encode("latin-1"))
    with pytest.raises(typer.BadParameter, match=r"is not UTF-8 \(byte 6 is 0xfc\)"):
        run([*asked, "--prompts", str(latin)])


def test_an_unknown_model_is_refused_before_any_work(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit):
        run([*asked, "--models", "tiny,nobody"])
    assert "no model 'nobody'" in capsys.readouterr().err
    assert not (tmp_path / "images").exists()


def run(arguments: list[str]) -> None:
    program(["batch", *arguments], standalone_mode=False)
