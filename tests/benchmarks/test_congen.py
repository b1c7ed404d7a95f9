from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.nli import Inference
from alignment.models.text_models import PROMPT_PARSER, STICKER_T5
from alignment.questions.contradictions import Contradiction, disagreeing, learned_contradictions
from benchmarks.congen import (
    GARBLED,
    KEPT,
    NOTHING,
    UNCERTAIN,
    GivenCaption,
    choose,
    read_captions,
    repeats_itself,
    unknown_words,
)
from benchmarks.data.seetrue import read_labelled
from benchmarks.localisation import read_foils
from tests.benchmarks.command import refusal, run


@pytest.fixture(scope="module")
def embedded() -> Models:
    for spec in (PROMPT_PARSER, STICKER_T5):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    return Models(find_bundle("embedded"))


CAPTION = GivenCaption("a kangaroo and a red car")
KNOWN = {"a", "kangaroo", "and", "red", "car"}


@pytest.mark.parametrize(
    ("written", "outcome", "foil"),
    [
        ([("a kangaroo and a blue car", None)], KEPT, "a kangaroo and a blue car"),
        ([("a cut kangarooard", None), ("a dog and a red car", None)], KEPT, "a dog and a red car"),
        ([("a cut kangarooard", None)], GARBLED, ""),
        ([("a kangaroo", None)], GARBLED, ""),
        ([("a kangaroo and a blue car", 0.9)], KEPT, "a kangaroo and a blue car"),
        ([("a kangaroo and a blue car", 0.4)], UNCERTAIN, "a kangaroo and a blue car"),
        ([], NOTHING, ""),
    ],
)
def test_the_first_change_in_known_words_is_kept_if_it_contradicts_enough(
    written: list[tuple[str, float | None]], outcome: str, foil: str, embedded: Models
) -> None:
    found = choose(CAPTION, [Contradiction(*each) for each in written], KNOWN, embedded, 0.5)
    assert (found.outcome, found.foil) == (outcome, foil)


def test_what_agrees_with_a_caption_is_rejected_by_an_inference_model(embedded: Models) -> None:
    """One that takes every change of "red" for agreement, where the embedded bundle has none."""

    class Agreeable:
        def infer(self, texts: Sequence[tuple[str, str]]) -> list[Inference]:
            return [Inference(*((0.9, 0.1) if "red" in each else (0.1, 0.9))) for _, each in texts]

    said = ("a kangaroo and a red bus", "a kangaroo and a blue car")
    (kept,) = disagreeing(CAPTION.text, said, Agreeable())
    assert kept == Contradiction("a kangaroo and a blue car", 0.9)
    learned = learned_contradictions("a red car", embedded.contradictor, 8, Agreeable())
    assert learned
    assert all("red" not in each.text and each.probability == 0.9 for each in learned)


def test_a_word_is_known_from_a_caption_or_to_the_parser(embedded: Models) -> None:
    assert unknown_words("a cut kangarooard", KNOWN, embedded.parser) == ["kangarooard"]
    assert unknown_words("a wombatty car", {*KNOWN, "wombatty"}, embedded.parser) == []


def test_a_text_may_name_a_thing_twice_and_not_run_on() -> None:
    assert not repeats_itself("a red cat and a red dog")
    assert repeats_itself("wearing a injured leg wearing a injured leg")


def test_captions_are_lines_or_have_images(tmp_path: Path) -> None:
    (tmp_path / "captions.txt").write_text("a cat\n\n a dog \n")
    (tmp_path / "captions.jsonl").write_text('{"image": "1.png", "caption": "a cat"}\n')
    assert read_captions(tmp_path / "captions.txt") == [
        GivenCaption("a cat"),
        GivenCaption("a dog"),
    ]
    assert read_captions(tmp_path / "captions.jsonl") == [GivenCaption("a cat", "1.png")]


def test_what_is_written_is_read_by_the_benchmarks_of_contradictions(
    embedded: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    captions, out = tmp_path / "captions.jsonl", tmp_path / "con" / "sticker-con.jsonl"
    lines = [("1.png", "a red car and a dog"), ("2.png", "two blue stars at night")]
    captions.write_text(
        "".join(json.dumps({"image": name, "caption": text}) + "\n" for name, text in lines)
    )
    result = run(capsys, "congen", "--captions", captions, "--out", out)
    assert result["outcomes"] == {KEPT: 2}
    pairs = read_labelled(out)
    assert [pair.holds for pair in pairs] == [True, False, True, False]
    assert {pair.data_set for pair in pairs} == {"sticker-con"}
    assert all(foil.changed for foil in read_foils(out))


def test_a_file_without_captions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    said = refusal("congen", "--captions", tmp_path / "empty.txt", "--out", tmp_path / "o.jsonl")
    assert said == "empty.txt has no caption"
