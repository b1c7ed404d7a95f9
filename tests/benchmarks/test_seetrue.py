from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from alignment.models.image_models import STICKER_CLIP, STICKER_VLM
from alignment.models.text_models import STICKER_T5
from benchmarks.__main__ import main
from benchmarks.seetrue import PUBLISHED
from benchmarks.stickers.evaluators import DEVELOPMENT
from tests.benchmarks.command import numbers, refusal
from tests.benchmarks.small_seetrue import Row, write

ROWS = [
    Row("1.png", "owl", 1, "drawbench", {"vq2": 0.9, "clip": 0.5}),
    Row("2.png", "owl", 0, "drawbench", {"vq2": 0.8, "clip": 0.5}),
    Row("3.png", "fox", 1, "drawbench", {"vq2": 0.7, "clip": 0.5}),
    Row("4.png", "fox", 0, "drawbench", {"vq2": 0.1, "clip": 0.5}),
    Row("5.png", "elk", 1, "drawbench", {"vq2": None, "clip": 0.5}),
    Row("6.png", "cat", 1, "coco_t2i", {"vq2": 0.2, "clip": 0.9}),
    Row("7.png", "cow", 0, "coco_t2i", {"vq2": 0.3, "clip": 0.1}),
]


ABOUT = "bundle:embedded|judged_by"


def test_each_method_has_an_auc_on_each_data_set_and_a_mean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """DrawBench: three of the four pairs of a true and a false picture are in order."""
    found = numbers(capsys, "seetrue", *write(tmp_path, ROWS), "--methods", "vq2,clip")
    own = f"{ABOUT}:each method"
    drawbench = f"AUC|data:drawbench|method:vq2|{own}|n:4|positive:2|unjudged:1"
    coco = f"AUC|data:coco_t2i|method:vq2|{own}|n:2|positive:1|unjudged:0"
    assert found[drawbench]["value"] == 0.75
    assert (found[drawbench]["units"], found[drawbench]["chance"]) == (2, 0.5)
    assert found[drawbench]["low"] <= 0.75 < found[drawbench]["high"]
    assert found[coco]["value"] == 0.0
    assert found[f"AUC|data:mean of data sets|method:vq2|{own}"]["value"] == 0.375
    assert found[f"AUC|data:drawbench|method:clip|{own}|n:5|positive:3|unjudged:0"]["value"] == 0.5


def test_methods_are_compared_on_the_same_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The elk, which VQ2 could not judge, does not count for CLIP either."""
    found = numbers(capsys, "seetrue", *write(tmp_path, ROWS), "--methods", "vq2,clip")
    shared = [name for name in found if "judged_by:all methods" in name and "drawbench" in name]
    assert shared == [
        f"AUC|data:drawbench|method:{method}|{ABOUT}:all methods|n:4|positive:2|unjudged:0"
        for method in ("vq2", "clip")
    ]


def test_a_data_set_of_one_label_has_no_auc(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = numbers(capsys, "seetrue", *write(tmp_path, ROWS[:1]), "--methods", "vq2")
    assert {each["value"] for each in found.values()} == {None}


def test_a_limit_takes_whole_prompts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--methods", "vq2", "--limit", 1)
    found = numbers(capsys, "seetrue", *write(tmp_path, ROWS), *options)
    assert any(f"drawbench|method:vq2|{ABOUT}:each method|n:2|" in name for name in found)


def test_few_prompts_are_cautioned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["seetrue", *write(tmp_path, ROWS), "--methods", "vq2"])
    assert "rest on fewer than 10 units (2 at least)" in " ".join(capsys.readouterr().out.split())


def test_published_rows_have_their_published_means() -> None:
    means = {name: round(sum(row) / len(row), 1) for name, row in PUBLISHED.items()}
    assert means == {
        "CLIP ViT-L/14": 62.6,
        "BLIP": 70.5,
        "BLIP-2 (COCO)": 72.7,
        "VQ2": 80.0,
        "VNLI (PaLI + synthetic)": 82.9,
        "mean of VQ2 and VNLI": 84.1,
    }


def test_the_embedded_judges_read_a_table_and_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for spec in (STICKER_T5, STICKER_VLM, STICKER_CLIP):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    with (DEVELOPMENT / "scenes.jsonl").open() as lines:
        scenes = [json.loads(line) for line in lines][:2]
    rows = [
        Row(scene["image"], scene[kind], int(kind == "caption"), "stickers", {})
        for scene in scenes
        for kind in ("caption", "foil")
    ]
    options = write(tmp_path, rows)
    for scene in scenes:
        shutil.copy(DEVELOPMENT / scene["image"], tmp_path / "images")
    first = numbers(capsys, "seetrue", *options)
    shutil.rmtree(tmp_path / "images")
    (tmp_path / "images").mkdir()
    assert numbers(capsys, "seetrue", *options) == first
    assert sum("n:4" in name for name in first) == 8
    assert all(each["value"] > 0.5 for name, each in first.items() if "vnli" in name)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--methods", "vq2,vq3"], "no method 'vq3'; known: vq2, vnli, clip"),
        (["--set", "eye=clip-rn50x64"], "--set 'eye=clip-rn50x64': give ROLE=MODEL; the roles are"),
        (["--set", "clip=nobody"], "'nobody'; known: "),
        (["--vq2", "assessment=D"], "assessment 'D'; choose A, B or C"),
        (["--vq2", "multi_word=perhaps"], "'perhaps' is no value of multi_word"),
        (["--vq2", "aggregation=median"], "aggregation 'median'; choose mean, claims"),
        (["--vq2", "checked=perhaps"], "'perhaps' is no value of checked"),
        (["--vq2", "spans=many"], "--vq2 'spans=many': give SETTING=VALUE; known: assessment"),
        (["--table", "SeeTRUE.csv"], "give --table and --images, or --hub"),
    ],
)
def test_what_cannot_be_used_is_named_beside_what_can(options: list[str], said: str) -> None:
    assert said in refusal("seetrue", *options)


def test_another_model_in_a_role_is_in_the_signature_and_has_scores_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scores at hand are of the embedded VLM; those of another one would have to be made."""
    options = write(tmp_path, ROWS[:4])
    other = ("--set", "clip=clip-rn50x64")
    found = numbers(capsys, "seetrue", *options, *other, "--methods", "vq2")
    assert all("bundle:embedded(clip:clip-rn50x64)" in name for name in found)
    with pytest.raises(SystemExit, match=r"1\.png is not among the images"):
        main(["seetrue", *options, "--vq2", "multi_word=no", "--methods", "vq2"])
