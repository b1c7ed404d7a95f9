"""Spans of prompts against those that readers marked."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.spans import (
    FILES,
    MARKS,
    MarkedPrompt,
    SpanCounts,
    agreement,
    measure,
    read_marked,
)
from session.errors import DataError
from tests.benchmarks.command import run


def write(folder: Path, length: int) -> Path:
    (folder / FILES[0]).write_text("Prompt\tCategory\na red car\tBasic\n")
    (folder / FILES[1]).write_text('{"prompt": "a photo of a bench"}\n')
    line = {"file": FILES[0], "row": 0, "length": length, "spans": [[0, 9], [2, 5]]}
    gold = folder / "gold.jsonl"
    gold.write_text(json.dumps(line) + "\n")
    return gold


def test_marked_spans_are_put_to_their_prompts(tmp_path: Path) -> None:
    (marked,) = read_marked(tmp_path, write(tmp_path, 9))
    assert marked == MarkedPrompt("a red car", frozenset({(0, 9), (2, 5)}))


def test_another_version_of_the_prompts_is_noticed(tmp_path: Path) -> None:
    gold = write(tmp_path, 12)
    with pytest.raises(DataError, match="not the version whose spans were marked"):
        list(read_marked(tmp_path, gold))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"{FILES[0]} cannot be read; --reference wants"):
        list(read_marked(tmp_path, MARKS["first"]))


@pytest.mark.parametrize("marks", MARKS.values(), ids=list(MARKS))
def test_a_hundred_and_fifty_prompts_are_marked_without_quoting_them(marks: Path) -> None:
    lines = [json.loads(line) for line in marks.read_text().splitlines()]
    assert len(lines) == 150
    assert {key for line in lines for key in line} == {"file", "row", "length", "spans"}
    assert all(0 <= start < end <= line["length"] for line in lines for start, end in line["spans"])


def test_both_readers_marked_the_same_prompts() -> None:
    first, second = (
        [(line["file"], line["row"]) for line in map(json.loads, file.read_text().splitlines())]
        for file in MARKS.values()
    )
    assert first == second


def test_the_embedded_parser_finds_what_readers_mark(
    capsys: pytest.CaptureFixture[str], reference: Path
) -> None:
    numbers = run(capsys, "spans", "--reference", reference / "prompts")["numbers"]
    found = {tuple(each["signature"].split("|")[:2]): each["value"] for each in numbers}
    assert found["recall", "data:spans:first"] > 0.93
    assert found["f1", "data:spans:first"] > 0.93


def test_readers_agree_on_what_both_marked() -> None:
    first = MarkedPrompt("a red car", frozenset({(0, 9), (2, 5)}))
    second = MarkedPrompt("a red car", frozenset({(0, 9), (6, 9), (2, 9)}))
    assert agreement(first, second) == SpanCounts(found=3, gold=2, both=1)


def test_f1_is_over_all_spans_and_its_interval_over_prompts() -> None:
    """8 of 12 found and of 16 marked; 2 * 8 / (12 + 16)."""
    counts = [SpanCounts(found=4, gold=4, both=4), SpanCounts(found=8, gold=12, both=4)]
    precision, recall, f1 = measure(counts, "tiny", "first", np.random.default_rng(7))
    assert (precision.value, recall.value) == (pytest.approx(8 / 12), 0.5)
    assert f1.value == pytest.approx(16 / 28)
    assert f1.units == 2
