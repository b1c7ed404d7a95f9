"""A finished run becomes the checkpoint of the project, with a card that its figures are put on."""

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from recipes.__main__ import app
from tests.recipes.test_cards import MEASURED


def test_a_published_run_has_its_weights_its_clock_and_the_figures_of_the_benchmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    finished = tmp_path / "runs" / "sticker-t5" / "finished"
    finished.mkdir(parents=True)
    (finished / "weights").write_bytes(b"abc")
    (finished / "tokenizer.json").write_text('{\n  "words": ["é"]\n}', "utf-8")
    (finished / "config.json").write_text('{"_name_or_path": "runs/a", "width": 8}')
    torch.save({"seconds": 370.6}, finished.parent / "state.pt")
    for name in ("icon-vlm", "icon-clip", "sticker-t5", "sticker-diffusion"):
        folder = tmp_path / "assets" / "checkpoints" / name
        folder.mkdir(parents=True)
        (folder / "card.json").write_text(json.dumps({"seed": 3, "quality": {"VQ2": {}}}))
    vlm, clip = (
        tmp_path / "assets" / "checkpoints" / name / "card.json"
        for name in ("icon-vlm", "icon-clip")
    )
    (tmp_path / "out.txt").write_text(f"a table\n{json.dumps(MEASURED)}\n")
    for command in ("publish --only sticker-t5", "figures out.txt"):
        found = CliRunner().invoke(app, command.split())
        assert found.exit_code == 0, found.output
    checkpoint = tmp_path / "assets" / "checkpoints" / "sticker-t5"
    assert (checkpoint / "weights").read_bytes() == b"abc"
    card = json.loads((checkpoint / "card.json").read_text())
    tokenizer = (checkpoint / "tokenizer.json").read_text("utf-8")
    assert tokenizer == '{"words":["é"]}'
    config = (checkpoint / "config.json").read_text()
    assert json.loads(config) == {"width": 8}
    found = card["seed"], card["wall_time_s"], card["bytes"]
    assert found == (3, 371, 3 + len(tokenizer.encode()) + len(config))
    auc = {"value": 0.9, "low": 0.88, "high": 0.92, "n": 420, "unit": "pictures", "chance": 0.5}
    assert json.loads(clip.read_text())["quality"] == {"VQ2": {}, "development: ROC AUC": auc}
    assert CliRunner().invoke(app, "publish --only sticker-t5 --further".split()).exit_code == 0
    assert json.loads((checkpoint / "card.json").read_text())["wall_time_s"] == 371 + 371
    judged = json.loads(vlm.read_text())["quality"]
    assert [*judged] == ["VQ2", "development: type-C balanced accuracy"]
