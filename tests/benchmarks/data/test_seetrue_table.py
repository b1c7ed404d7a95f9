import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.data.scored_pairs import first_units
from benchmarks.data.seetrue import Labelled, read_labelled
from session.errors import DataError
from tests.benchmarks.small_seetrue import Row, write


def test_pairs_are_read_with_their_labels(tmp_path: Path) -> None:
    write(
        tmp_path,
        [Row("1.png", "an owl, at night", 1, "coco_t2i", {}), Row("2.png", "é", 0, "x", {})],
    )
    assert read_labelled(tmp_path / "SeeTRUE.csv") == [
        Labelled("1.png", "an owl, at night", True, "coco_t2i"),
        Labelled("2.png", "é", False, "x"),
    ]


def test_a_label_is_1_or_0(tmp_path: Path) -> None:
    write(tmp_path, [Row("1.png", "owl", 2, "coco_t2i", {})])
    with pytest.raises(DataError, match="the label of 1.png is '2'; give 0 or 1"):
        read_labelled(tmp_path / "SeeTRUE.csv")


def test_the_three_classes_of_snli_ve_become_two(tmp_path: Path) -> None:
    lines = [
        {"Flickr30K_ID": "12", "sentence2": "a dog runs", "gold_label": "entailment"},
        {"Flickr30K_ID": "12", "sentence2": "a dog is happy", "gold_label": "neutral"},
        {"Flickr30K_ID": "13.jpg", "sentence2": "a cat", "gold_label": "contradiction"},
        {"Flickr30K_ID": "14", "sentence2": "nobody agreed", "gold_label": "-"},
    ]
    assert read_labelled(jsonl(tmp_path / "snli_ve_test.jsonl", lines)) == [
        Labelled("12.jpg", "a dog runs", True, "snli-ve"),
        Labelled("12.jpg", "a dog is happy", False, "snli-ve"),
        Labelled("13.jpg", "a cat", False, "snli-ve"),
    ]


def test_a_class_that_snli_ve_does_not_have_is_named(tmp_path: Path) -> None:
    line = {"Flickr30K_ID": "12", "sentence2": "a dog", "gold_label": "maybe"}
    with pytest.raises(DataError, match="the label 'maybe' is none of entailment, neutral, contr"):
        read_labelled(jsonl(tmp_path / "snli.jsonl", [line]))


def test_a_caption_is_true_and_its_contradiction_is_not(tmp_path: Path) -> None:
    line = {"image": "1.png", "caption": "a red cat", "foil": "a blue cat"}
    assert read_labelled(jsonl(tmp_path / "coco-con.jsonl", [line])) == [
        Labelled("1.png", "a red cat", True, "coco-con"),
        Labelled("1.png", "a blue cat", False, "coco-con"),
    ]


def test_both_images_are_held_against_either_caption_of_winoground(tmp_path: Path) -> None:
    line = {"image_0": "a", "image_1": "b", "collapsed_tag": "Object"}
    line |= {"caption_0": "an owl on a fox", "caption_1": "a fox on an owl"}
    pairs = read_labelled(jsonl(tmp_path / "examples.jsonl", [line]))
    assert [(each.image, each.text, each.holds) for each in pairs] == [
        ("a.png", "an owl on a fox", True),
        ("b.png", "an owl on a fox", False),
        ("a.png", "a fox on an owl", False),
        ("b.png", "a fox on an owl", True),
    ]
    assert {(each.unit, each.category) for each in pairs} == {("0", "Object")}


def jsonl(file: Path, lines: list[dict[str, str]]) -> Path:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.mark.parametrize(
    ("image", "generator", "category"),
    [
        ("id_133_Positional_sd_1_4_0.png", "SD 1.4", "Positional"),
        ("id_103_Gary Marcus et al. _sd_2_1_1.png", "SD 2.1", "Gary Marcus et al."),
        ("id_3_DALL-E_sd_2_1_0.png", "SD 2.1", "DALL-E"),
        ("id_178_sd_1_4_1.png", "SD 1.4", ""),
        ("id_105_coco_val_0.png", "photograph", ""),
        ("0_a=few_o=cat_s=indoor.png", "", ""),
    ],
)
def test_an_image_is_called_by_its_generator_and_category(
    image: str, generator: str, category: str
) -> None:
    pair = Labelled(image, "", True, "")
    assert (pair.generator, pair.category) == (generator, category)


def test_the_public_table_says_who_made_every_image_but_those_of_editbench(
    reference: Path,
) -> None:
    table = read_labelled(reference / "seetrue" / "SeeTRUE.csv")
    made = Counter((pair.data, pair.generator) for pair in table)
    assert made == {
        ("coco_t2i", "SD 1.4"): 796,
        ("coco_t2i", "SD 2.1"): 796,
        ("coco_t2i", "photograph"): 199,
        ("drawbench", "SD 1.4"): 656,
        ("drawbench", "SD 2.1"): 656,
        ("editbench", ""): 3827,
    }


def pair(image: str, text: str, data_set: str = "coco_t2i") -> Labelled:
    return Labelled(image, text, True, data_set)


def test_images_of_a_text_are_brought_together_and_a_limit_counts_texts_of_each_data_set() -> None:
    pairs = [
        pair("1", "owl"),
        pair("2", "fox"),
        pair("3", "owl"),
        pair("4", "elk", "a"),
        pair("5", "fox"),
    ]
    assert [each.image for each in first_units(pairs)] == ["4", "1", "3", "2", "5"]
    assert [each.image for each in first_units(pairs, 1)] == ["4", "1", "3"]
