from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from benchmarks.data.seetrue import Labelled, read_labelled
from benchmarks.editbench import ATTRIBUTES, NAME, attribute, scene, thing
from tests.benchmarks.command import refusal, run
from tests.benchmarks.small_seetrue import Row, write

PUBLIC = Path(__file__).parents[3] / "shared" / "reference" / "seetrue" / "SeeTRUE.csv"

ROWS = [
    Row("0_a=few_o=cat_s=indoor.png", "a few cats", 1, "editbench", {"vq2": 0.9}),
    Row("1_a=few_o=cat_s=indoor.png", "a few cats", 0, "editbench", {"vq2": 0.1}),
    Row("785_a=beige_o=letter_style=outdoor.png", "a beige letter", 1, "editbench", {"vq2": 0.2}),
    Row("786_a=beige_o=letter_style=outdoor.png", "a beige letter", 0, "editbench", {"vq2": 0.3}),
    Row("id_1_sd_1_4_0.png", "an owl", 0, "coco_t2i", {}),
]


def test_each_category_has_an_auc_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = run(capsys, "editbench", *write(tmp_path, ROWS), "--methods", "vq2")
    about = "method:vq2|bundle:embedded|n:2|positive:1|unjudged:0"
    assert {each["signature"]: each["value"] for each in line["numbers"]} == {
        f"AUC|data:editbench/{name}|{about}": value
        for name, value in {
            "count": 1.0,
            "colour": 0.0,
            "object": 1.0,
            "text": 0.0,
            "indoor": 1.0,
            "outdoor": 0.0,
        }.items()
    }


def test_a_table_without_editbench_is_refused(tmp_path: Path) -> None:
    said = refusal("editbench", *write(tmp_path, ROWS[4:]))
    assert said == "SeeTRUE.csv has no pairs that this benchmark is about"


@pytest.fixture(scope="module")
def public() -> list[Labelled]:
    if not PUBLIC.exists():
        pytest.skip("SeeTRUE's public table is not here")
    return [pair for pair in read_labelled(PUBLIC) if pair.data_set == "editbench"]


def test_values_of_each_kind_of_attribute_are_in_alphabetical_order(public: list[Labelled]) -> None:
    """And in no longer run: where a kind begins, the alphabet starts anew."""
    named = [NAME.fullmatch(pair.image) for pair in public]
    values = [found["value"] for found in sorted(named, key=lambda found: int(found["number"]))]
    kinds = sorted((attribute(pair) for pair in public), key=ATTRIBUTES.index)
    runs = [
        [value for _, value in run]
        for _, run in groupby(zip(kinds, values, strict=True), key=lambda each: each[0])
    ]
    assert len(runs) == len(ATTRIBUTES)
    assert all(run == sorted(run) for run in runs)
    assert all(before[-1] > after[0] for before, after in pairwise(runs))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("three", "count"),
        ("orange", "colour"),
        ("wooden", "material"),
        ("round", "shape"),
        ("tiny", "size"),
    ],
)
def test_a_value_is_of_one_kind(public: list[Labelled], value: str, kind: str) -> None:
    found = {attribute(pair) for pair in public if NAME.fullmatch(pair.image)["value"] == value}
    assert found == {kind}


def test_every_public_picture_has_all_categories(public: list[Labelled]) -> None:
    assert Counter(map(attribute, public)).keys() == set(ATTRIBUTES)
    assert Counter(map(thing, public)) == {"object": 3171, "text": 656}
    assert set(map(scene, public)) == {"indoor", "outdoor", "painting", "real"}
