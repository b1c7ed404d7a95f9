"""Spans of prompts against those that a person marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.data.errors import DataError
from benchmarks.spans import FILES, GOLD, Marked, main, read_marked

SHARED = Path(__file__).parents[3] / "shared" / "reference" / "prompts"


def write(folder: Path, length: int) -> Path:
    (folder / FILES[0]).write_text("Prompt\tCategory\na red car\tBasic\n")
    (folder / FILES[1]).write_text('{"prompt": "a photo of a bench"}\n')
    line = {"file": FILES[0], "row": 0, "length": length, "spans": [[0, 9], [2, 5]]}
    gold = folder / "gold.jsonl"
    gold.write_text(json.dumps(line) + "\n")
    return gold


def test_marked_spans_are_put_to_their_prompts(tmp_path: Path) -> None:
    (marked,) = read_marked(tmp_path, write(tmp_path, 9))
    assert marked == Marked("a red car", frozenset({(0, 9), (2, 5)}))


def test_another_version_of_the_prompts_is_noticed(tmp_path: Path) -> None:
    gold = write(tmp_path, 12)
    with pytest.raises(DataError, match="not the version whose spans were marked"):
        list(read_marked(tmp_path, gold))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"{FILES[0]} cannot be read; --reference wants"):
        list(read_marked(tmp_path))


def test_a_hundred_and_fifty_prompts_are_marked_without_quoting_them() -> None:
    lines = [json.loads(line) for line in GOLD.read_text().splitlines()]
    assert len(lines) == 150
    assert {key for line in lines for key in line} == {"file", "row", "length", "spans"}
    assert all(0 <= start < end <= line["length"] for line in lines for start, end in line["spans"])


def test_the_embedded_parser_finds_what_people_would_ask_about(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not SHARED.is_dir():
        pytest.skip("the published prompts are not here")
    main(["--reference", str(SHARED)])
    numbers = json.loads(capsys.readouterr().out.splitlines()[-1])["numbers"]
    assert numbers[2]["value"] > 0.92
