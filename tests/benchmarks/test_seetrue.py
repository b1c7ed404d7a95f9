from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from alignment.models.image_models import STICKER_CLIP, STICKER_VLM
from alignment.models.text_models import STICKER_T5
from benchmarks.__main__ import main
from benchmarks.data.scores import PairScorer, scores_in
from benchmarks.options import bundle_with, vq2_settings
from benchmarks.seetrue import PUBLISHED, TABLES
from benchmarks.stickers.evaluators import DEVELOPMENT
from tests.benchmarks.command import numbers, refusal
from tests.benchmarks.small_seetrue import Row, scorer, unopened, write

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
        (["--vq2", "negation=perhaps"], "'perhaps' is no value of negation"),
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


IN_EDITBENCH = [
    Row("0_a=few_o=cat_s=indoor.png", "a few cats", 1, "editbench", {"vq2": 0.9}),
    Row("1_a=few_o=cat_s=indoor.png", "a few cats", 0, "editbench", {"vq2": 0.1}),
    Row("785_a=beige_o=letter_style=outdoor.png", "a beige letter", 1, "editbench", {"vq2": 0.2}),
    Row("786_a=beige_o=letter_style=outdoor.png", "a beige letter", 0, "editbench", {"vq2": 0.3}),
    Row("id_1_sd_1_4_0.png", "an owl", 0, "coco_t2i", {}),
]


def test_each_category_has_an_auc_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pairs of no category, the owl here, are not scored."""
    options = [each for name in ("attribute", "object", "scene") for each in ("--by", name)]
    found = numbers(capsys, "seetrue", *write(tmp_path, IN_EDITBENCH), "--methods", "vq2", *options)
    about = "method:vq2|bundle:embedded|judged_by:each method|n:2|positive:1|unjudged:0"
    own = {name: each["value"] for name, each in found.items() if "each method" in name}
    assert own == {
        f"AUC|attribute:count|{about}": 1.0,
        f"AUC|attribute:colour|{about}": 0.0,
        f"AUC|object:object|{about}": 1.0,
        f"AUC|object:text|{about}": 0.0,
        f"AUC|scene:indoor|{about}": 1.0,
        f"AUC|scene:outdoor|{about}": 0.0,
    }


def test_a_table_without_such_a_category_is_refused(tmp_path: Path) -> None:
    said = refusal("seetrue", *write(tmp_path, IN_EDITBENCH[4:]), "--by", "attribute")
    assert said == "SeeTRUE.csv has no pairs that this benchmark is about"


IN_ORDER = [
    Row("1.png", "owl", 1, "drawbench", {"vnli": 0.9}),
    Row("2.png", "owl", 0, "drawbench", {"vnli": 0.8}),
    Row("3.png", "fox", 1, "drawbench", {"vnli": 0.7}),
    Row("4.png", "fox", 0, "drawbench", {"vnli": 0.1}),
]


@pytest.mark.parametrize("name", TABLES["table-2"])
def test_every_row_of_table_2_can_be_put_together(name: str) -> None:
    """Each model is in the catalogue and takes a role that its method asks."""
    row = TABLES["table-2"][name]
    bundle = bundle_with("paper", row.roles)
    assert all(getattr(bundle, text.split("=")[0]).name in text for text in row.roles)


def test_table_7_has_each_assessment_with_and_without_spans_of_several_words() -> None:
    settings = [vq2_settings(row.vq2) for row in TABLES["table-7"].values()]
    found = {(each.assessment, each.multi_word) for each in settings}
    assert found == {(each, spans) for each in "ABC" for spans in (True, False)}


def test_a_row_has_its_own_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With spans of several words all pairs are in order, without them the other way round."""
    options = write(tmp_path, IN_ORDER)
    for name, sign in (("C", 1), ("C, no multi-word spans", -1)):
        settings = vq2_settings(TABLES["table-7"][name].vq2)
        keys = PairScorer(scorer().models, unopened, scorer().cache, settings)
        with scores_in(tmp_path / "scores") as cache:
            for each in IN_ORDER:
                value = 0.5 + sign * (each.label - 0.5) / 2
                cache.add(keys.key("vq2", each.image, each.text), value)
    rows = ("--rows", "table-7", "--row", "C", "--row", "C, no multi-word spans")
    found = numbers(capsys, "seetrue", *options, *rows)
    about = "bundle:embedded|judged_by:all rows|n:4|positive:2|unjudged:0"
    assert found[f"AUC|data:drawbench|method:C|{about}"]["value"] == 1
    assert found[f"AUC|data:drawbench|method:C, no multi-word spans|{about}"]["value"] == 0


def test_a_row_of_table_2_is_read_from_scores_that_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ("--rows", "table-2", "--row", "VNLI, zero-shot")
    found = numbers(capsys, "seetrue", *write(tmp_path, IN_ORDER), *rows)
    (auc,) = [each for name, each in found.items() if "data:drawbench" in name]
    assert auc["value"] == 0.75


def test_an_unknown_row_is_named_beside_the_known_ones() -> None:
    said = refusal("seetrue", "--rows", "table-2", "--row", "OFA")
    assert said.startswith("no row 'OFA'; known: CLIP RN50x64, CLIP ViT-L/14")
