"""A finished run becomes the checkpoint of the project, with a card that its figures are put on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from recipes.__main__ import app

AUC = {"value": 0.70154, "low": 0.678, "high": 0.726, "n": 420}
SHARE = {"value": 0.9, "low": 0.8, "high": 1.0, "n": 420}
MEASURED = {
    "split": "test",
    "answers": {"all": {"balanced_accuracy": SHARE, "exact": SHARE, "exact_by_chance": 0.3}},
    "captions": {method: {"auc": AUC} for method in ("vq2", "vnli", "clip")},
    "pointed": {"share": SHARE, "chance": 0.4},
}


def test_a_published_run_has_its_weights_its_clock_and_the_figures_of_the_benchmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    finished = tmp_path / "runs" / "sticker-clip" / "finished"
    finished.mkdir(parents=True)
    (finished / "weights").write_bytes(b"abc")
    torch.save({"seconds": 370.6}, finished.parent / "state.pt")
    for name in ("sticker-vlm", "sticker-clip"):
        (tmp_path / "assets" / "checkpoints" / name).mkdir(parents=True)
    vlm = tmp_path / "assets" / "checkpoints" / "sticker-vlm" / "card.json"
    vlm.write_text('{"quality": {}}')
    (tmp_path / "out.txt").write_text(f"a table\n{json.dumps(MEASURED)}\n")
    for command in ("publish --only sticker-clip", "figures out.txt"):
        found = CliRunner().invoke(app, command.split())
        assert found.exit_code == 0, found.output
    checkpoint = tmp_path / "assets" / "checkpoints" / "sticker-clip"
    assert (checkpoint / "weights").read_bytes() == b"abc"
    card = json.loads((checkpoint / "card.json").read_text())
    assert (card["wall_time_s"], card["bytes"]) == (371, 3)
    ends = {"value": 0.7015, "low": 0.678, "high": 0.726}
    auc = {**ends, "n": 420, "unit": "pictures", "chance": 0.5}
    assert card["quality"] == {"test: ROC AUC": auc}
    assert len(json.loads(vlm.read_text())["quality"]) == 5
