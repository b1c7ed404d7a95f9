"""Tables 2 and 7: rows of methods, models and settings over the same pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.data.scores import PairScorer, scores_in
from benchmarks.options import bundle_with, vq2_settings
from benchmarks.vq2_variants import ROWS as VARIANTS
from benchmarks.zero_shot import ROWS
from tests.benchmarks.command import numbers, refusal
from tests.benchmarks.small_seetrue import Row, scorer, unopened, write

PAIRS = [
    Row("1.png", "owl", 1, "drawbench", {"vnli": 0.9}),
    Row("2.png", "owl", 0, "drawbench", {"vnli": 0.8}),
    Row("3.png", "fox", 1, "drawbench", {"vnli": 0.7}),
    Row("4.png", "fox", 0, "drawbench", {"vnli": 0.1}),
]


@pytest.mark.parametrize("name", ROWS)
def test_every_row_of_table_2_can_be_put_together(name: str) -> None:
    """Each model is in the catalogue and takes a role that its method asks."""
    row = ROWS[name]
    bundle = bundle_with("paper", row.roles)
    assert all(getattr(bundle, text.split("=")[0]).name in text for text in row.roles)


def test_table_7_has_each_assessment_with_and_without_spans_of_several_words() -> None:
    settings = {(s.assessment, s.multi_word) for row in VARIANTS.values() for s in [
        vq2_settings(row.vq2)
    ]}  # fmt: skip
    assert settings == {(each, spans) for each in "ABC" for spans in (True, False)}


def test_a_row_has_its_own_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With spans of several words all pairs are in order, without them the other way round."""
    options = write(tmp_path, PAIRS)
    for name, sign in (("C", 1), ("C, no multi-word spans", -1)):
        settings = vq2_settings(VARIANTS[name].vq2)
        keys = PairScorer(scorer().models, unopened, scorer().cache, settings)
        with scores_in(tmp_path / "scores") as cache:
            for each in PAIRS:
                value = 0.5 + sign * (each.label - 0.5) / 2
                cache.add(keys.key("vq2", each.image, each.text), value)
    rows = ("--row", "C", "--row", "C, no multi-word spans")
    found = numbers(capsys, "vq2_variants", *options, "--bundle", "embedded", *rows)
    about = "bundle:embedded|judged_by:all variants|n:4|positive:2|unjudged:0"
    assert found[f"AUC|data:drawbench|method:C|{about}"]["value"] == 1
    assert found[f"AUC|data:drawbench|method:C, no multi-word spans|{about}"]["value"] == 0


def test_a_row_of_table_2_is_read_from_scores_that_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = (*write(tmp_path, PAIRS), "--bundle", "embedded", "--row", "VNLI, zero-shot")
    found = numbers(capsys, "zero_shot", *options)
    (auc,) = [each for name, each in found.items() if "data:drawbench" in name]
    assert auc["value"] == 0.75


def test_an_unknown_row_is_named_beside_the_known_ones() -> None:
    said = refusal("zero_shot", "--row", "OFA")
    assert said.startswith("no row 'OFA'; known: CLIP RN50x64, CLIP ViT-L/14")
