import json
import shutil
from pathlib import Path

import pytest

from alignment.models.image_models import ICON_CLIP, ICON_VLM
from alignment.models.text_models import STICKER_T5
from benchmarks.__main__ import main
from benchmarks.data.printed import AUC
from benchmarks.data.scores import scores_in
from benchmarks.data.seetrue import read_labelled
from benchmarks.stickers.evaluators import DEVELOPMENT
from tests.benchmarks.command import numbers, refusal
from tests.benchmarks.small_seetrue import Row, scorer, write

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
    """DrawBench: three of the four pairs of a true and a false image are in order."""
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


def test_few_prompts_are_cautioned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["seetrue", *write(tmp_path, ROWS), "--methods", "vq2"])
    assert "rest on fewer than 10 units (2 at least)" in " ".join(capsys.readouterr().out.split())


def test_published_rows_have_their_published_means() -> None:
    means = {name: row["mean of data sets"] for name, row in AUC.items()}
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
    for spec in (STICKER_T5, ICON_VLM, ICON_CLIP):
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
        (["--bundle", "embedded+eye=clip-rn50x64"], "no role 'eye' in a bundle; known: parser"),
        (["--bundle", "embedded+clip=nobody"], "'nobody'; known: "),
        (
            ["--table", "SeeTRUE.csv"],
            "give --table and --images, a folder of both as --table, or --hub",
        ),
    ],
)
def test_what_cannot_be_used_is_named_beside_what_can(options: list[str], said: str) -> None:
    assert said in refusal("seetrue", *options)


def test_another_model_in_a_role_is_in_the_signature_and_has_scores_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scores at hand are of the embedded VLM; those of another one would have to be made."""
    options = write(tmp_path, ROWS[:4])
    other = ("--bundle", "embedded+clip=clip-rn50x64")
    found = numbers(capsys, "seetrue", *options, *other, "--methods", "vq2")
    assert all("bundle:embedded+clip=clip-rn50x64" in name for name in found)
    with pytest.raises(SystemExit, match=r"1\.png is not among the images"):
        main(["seetrue", *options, "--spans", "simple", "--methods", "vq2"])


OF_CATEGORIES = [
    Row("id_1_Colors_sd_1_4_0.png", "a red cat", 1, "drawbench", {"vq2": 0.9}),
    Row("id_1_Colors_sd_1_4_1.png", "a red cat", 0, "drawbench", {"vq2": 0.1}),
    Row("id_2_Counting_sd_1_4_0.png", "two cats", 1, "drawbench", {"vq2": 0.2}),
    Row("id_2_Counting_sd_1_4_1.png", "two cats", 0, "drawbench", {"vq2": 0.3}),
    Row("id_1_sd_1_4_0.png", "an owl", 0, "coco_t2i", {}),
]


def test_each_category_has_an_auc_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pairs of no category, the owl here, are not scored; two parts have no correlation."""
    options = (*write(tmp_path, OF_CATEGORIES), "--methods", "vq2", "--by", "category")
    found = numbers(capsys, "seetrue", *options)
    about = "method:vq2|bundle:embedded|judged_by:each method|n:2|positive:1|unjudged:0"
    own = {name: each["value"] for name, each in found.items() if "each method" in name}
    assert own == {
        f"AUC|category:Colors|{about}": 1.0,
        f"AUC|category:Counting|{about}": 0.0,
    }
    assert not [name for name in found if "Spearman" in name]


def test_a_table_without_such_a_category_is_refused(tmp_path: Path) -> None:
    said = refusal("seetrue", *write(tmp_path, OF_CATEGORIES[4:]), "--by", "category")
    assert said == "SeeTRUE.csv has no pairs that this benchmark is about"


def test_mean_scores_stand_beside_people_and_go_with_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two text-to-image models and two data sets; photographs are no such model."""
    rows = [
        Row(f"id_{prompt}{name}_{model}_{at}.png", f"{prompt}{name}", label, data, {"vq2": score})
        for data, name, model, labels, score in (
            ("coco_t2i", "", "sd_1_4", (0, 0), 0.25),
            ("coco_t2i", "", "sd_2_1", (1, 1), 0.75),
            ("drawbench", "_Colors", "sd_1_4", (0, 1), 0.5),
            ("coco_t2i", "", "coco_val", (1, 1), 1.0),
        )
        for at, (prompt, label) in enumerate(zip((1, 2), labels, strict=True))
    ]
    options = (*write(tmp_path, rows), "--methods", "vq2", "--by", "model")
    found = numbers(capsys, "seetrue", *options)
    about = "method:vq2|bundle:embedded|n:2|unjudged:0"
    means = {name: each["value"] for name, each in found.items() if name.startswith("mean")}
    assert means == {
        f"mean score|model:coco_t2i, SD 1.4|right:0.0|{about}": 0.25,
        f"mean score|model:coco_t2i, SD 2.1|right:1.0|{about}": 0.75,
        f"mean score|model:drawbench, SD 1.4|right:0.5|{about}": 0.5,
    }
    for name in ("Spearman", "Kendall", "R2"):
        assert found[f"{name}|of:model|method:vq2|n:3"]["value"] == pytest.approx(1)


def competing(
    text: str, labels: str, scores: list[float | None], generator: str = "sd_1_4"
) -> list[Row]:
    return [
        Row(f"id_{len(text)}_{generator}_{index}.png", text, int(label), "coco_t2i", {"vq2": score})
        for index, (label, score) in enumerate(zip(labels, scores, strict=True))
    ]


def test_precision_counts_prompts_with_a_right_image_and_shares_ties(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SD 1.4: owl right, fox a tie of two, badger unjudged and so a random choice, camel has none.

    (1 + 1/2 + 1/2) / 3 by VQ2 and (1/4 + 1/2 + 1/2) / 3 at random; SD 2.1 chooses wrongly.
    """
    rows = [
        *competing("owl", "1000", [0.9, 0.1, 0.2, 0.3]),
        *competing("fox!", "0110", [0.8, 0.8, 0.1, None]),
        *competing("camel", "0000", [0.9, 0.8, 0.7, 0.6]),
        *competing("badger", "0011", [None, None, None, None]),
        *competing("owl", "1", [0.9], "coco_val"),
        *competing("owl", "01", [0.4, 0.3], "sd_2_1"),
    ]
    found = numbers(capsys, "seetrue", *write(tmp_path, rows), "--methods", "vq2")
    assert {name: each["value"] for name, each in found.items() if name.startswith("P@1")} == {
        "P@1|data:coco_t2i, SD 1.4|method:random|n:3": pytest.approx(5 / 12),
        "P@1|data:coco_t2i, SD 1.4|method:vq2|bundle:embedded|n:3|unjudged:5": pytest.approx(2 / 3),
        "P@1|data:coco_t2i, SD 2.1|method:random|n:1": 0.5,
        "P@1|data:coco_t2i, SD 2.1|method:vq2|bundle:embedded|n:1|unjudged:0": 0.0,
    }


@pytest.mark.parametrize(
    ("limit", "tag", "counted"),
    [
        ([], "all", ["n:1|unjudged:1"]),
        ([], "Object", ["n:1|unjudged:0"]),
        ([], "Relation", []),
        (["--limit", 1], "all", ["n:1|unjudged:0"]),
    ],
)
def test_an_example_of_winoground_that_could_not_be_judged_is_left_out_and_counted(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    limit: list[object],
    tag: str,
    counted: list[str],
) -> None:
    """A limit counts examples, each of which is two captions and two images."""
    file, images, scores = tmp_path / "examples.jsonl", tmp_path / "images", tmp_path / "scores"
    images.mkdir()
    lines = [
        {"image_0": "0_0", "image_1": "0_1", "collapsed_tag": "Object",
         "caption_0": "an owl on a fox", "caption_1": "a fox on an owl"},
        {"image_0": "1_0", "image_1": "1_1", "collapsed_tag": "Relation",
         "caption_0": "plants around a lightbulb", "caption_1": "a lightbulb around plants"},
    ]  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    values = (0.9, 0.2, 0.3, 0.8, 0.9, 0.8, 0.3, None)
    with scores_in(scores) as cache:
        for pair, value in zip(read_labelled(file), values, strict=True):
            cache.add(scorer().key("vnli", pair.image, pair.text), value)
    options = ["--table", file, "--images", images, "--scores", scores, "--methods", "vnli"]
    found = numbers(capsys, "seetrue", *options, *limit)
    about = f"|tag:{tag}|method:vnli|bundle:embedded|"
    own = {name: each["value"] for name, each in found.items() if about in name}
    names = ("text", "image", "group")
    assert own == {f"{name}{about}{n}": 1 for name in names for n in counted}
    auc = next(each for name, each in found.items() if name.startswith("AUC|data:winoground"))
    assert auc["units"] == (1 if limit else 2)


def test_one_command_reads_published_folders_and_stands_beside_the_printed_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every score is right: VQ2's printed 82.6 % of DrawBench and 47 % of Winoground DIFFER."""
    seetrue, winoground = tmp_path / "seetrue", tmp_path / "winoground" / "data"
    for folder in (seetrue, winoground):
        folder.mkdir(parents=True)
    image = "id_3_Colors_sd_1_4_{}.png"
    rows = [Row(image.format(label), "owl", label, "drawbench", {}) for label in (1, 0)]
    write(seetrue, rows)
    (seetrue / "train.csv").write_text("not read")
    line = {"image_0": "0_0", "image_1": "0_1", "collapsed_tag": "Object"}
    line |= {"caption_0": "an owl on a fox", "caption_1": "a fox on an owl"}
    (winoground / "examples.jsonl").write_text(json.dumps(line))
    with scores_in(tmp_path / "scores") as cache:
        files = (seetrue / "SeeTRUE.csv", winoground / "examples.jsonl")
        for pair in (pair for file in files for pair in read_labelled(file)):
            cache.add(scorer().key("vq2", pair.image, pair.text), float(pair.holds))
    options = ["--table", seetrue, "--table", tmp_path / "winoground", "--methods", "vq2"]
    main(["seetrue", *map(str, options), "--scores", str(tmp_path / "scores")])
    *told, line_of_json = capsys.readouterr().out.splitlines()
    printed = {each["signature"]: each for each in json.loads(line_of_json)["printed"]}
    own = {name.partition("|method")[0]: each["printed"] for name, each in printed.items()}
    assert own == {
        "AUC|data:winoground": 63.5,
        "AUC|data:drawbench": 82.6,
        "text|tag:all": 47.0,
        "image|tag:all": 42.2,
        "group|tag:all": 30.5,
        "P@1|data:drawbench, SD 1.4": 66.7,
    }
    assert not any(each["agrees"] for each in printed.values())
    assert any("ours: vq2" in line and "100.0 DIFFERS" in line for line in told)
    assert "ours: vq2" in " ".join(told[-8:]), "a method that table 4 has no row of comes last"


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    assert "has no table; give a folder with a .csv or .jsonl" in refusal(
        "seetrue", "--table", tmp_path
    )
