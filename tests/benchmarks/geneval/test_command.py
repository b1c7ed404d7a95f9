"""The command end to end, on the embedded models: stopped and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main

LINE = {"tag": "colors", "include": [{"class": "car", "count": 1, "color": "red"}]}


def test_a_run_prints_its_table_and_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "prompts.jsonl", tmp_path / "out"
    lines = [{**LINE, "prompt": "a photo of a red car"}, {**LINE, "prompt": "a red car"}]
    options = ["geneval", str(file), "--out", str(out)]
    file.write_text(json.dumps(lines[0]))
    main(options)
    first = (out / "records-geneval.jsonl").read_text()
    file.write_text("\n".join(map(json.dumps, lines)))
    main(options)
    assert (out / "records-geneval.jsonl").read_text().startswith(first)
    printed = capsys.readouterr().out
    result = json.loads(printed.splitlines()[-1])
    assert result["signature"].startswith("GenEval|model:stickers|detector:")
    assert result["signature"].endswith("|n:8")
    assert result["every picture"]["colors"] == result["every picture"]["overall"]
    assert "SANA 1.5" in printed
