"""Captions of COCO and Localized Narratives as prompts and targets of a batch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from cli.batch import read_prompts
from session.batch.units import read_targets
from tests.benchmarks.command import refusal, run

NAMES = ("000000000139.jpg", "000000000285.jpg", "000595fe6fee6369.jpg")


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    for name in NAMES:
        Image.new("RGB", (8, 8), "navy").save(folder / name)
    return folder


@pytest.fixture
def coco(tmp_path: Path) -> Path:
    said = [(139, "A room with\n chairs. "), (139, "Another."), (285, "A bear."), (9, "Not here.")]
    plain = {
        "images": [{"id": n, "file_name": f"{n:012d}.jpg"} for n in (139, 285, 9)],
        "annotations": [{"image_id": number, "caption": text} for number, text in said],
    }
    (tmp_path / "captions.json").write_text(json.dumps(plain))
    return tmp_path / "captions.json"


def test_coco_gives_a_batch_its_prompts_and_targets(
    tmp_path: Path, images: Path, coco: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    found = run(capsys, "captions", "--coco", coco, "--images", images, "--out", out)
    assert found == {"prompts": 2, "captions": 3, "images": 2}
    prompts = read_prompts(str(out / "prompts.txt"))
    assert prompts == ["A room with chairs.", "A bear."]
    targets = read_targets(out / "targets.csv", prompts)
    assert [each.file.name for each in targets["A bear."]] == [NAMES[1]]


def test_narratives_name_images_of_coco_by_number_and_of_open_images_by_name(
    tmp_path: Path, images: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [("139", "In this image we can see a room."), ("000595fe6fee6369", "I see a car.")]
    file = tmp_path / "spoken.jsonl"
    file.write_text("".join(json.dumps({"image_id": n, "caption": c}) + "\n" for n, c in lines))
    out = tmp_path / "out"
    given = ("--narratives", file, "--images", images, "--out", out)
    assert run(capsys, "captions", *given)["prompts"] == 2
    assert run(capsys, "captions", *given, "--limit", 1)["prompts"] == 1
    assert len(read_prompts(str(out / "prompts.txt"))) == 1


def test_files_that_are_not_as_published_and_folders_without_images_say_so(
    tmp_path: Path, images: Path, coco: Path
) -> None:
    out = ("--out", tmp_path / "out")
    assert "one of them" in refusal("captions", "--images", images, *out)
    assert "has none of the 3 images, such as 000000000009.jpg" in refusal(
        "captions", "--coco", coco, "--images", tmp_path, *out
    )
    coco.write_text("[]")
    assert "is no file of COCO's captions (TypeError" in refusal(
        "captions", "--coco", coco, "--images", images, *out
    )
