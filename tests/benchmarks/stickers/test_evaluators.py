from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import asdict, astuple
from difflib import SequenceMatcher
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage
from rich.console import Console

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import ImageQuestion
from alignment.questions.settings import RECOMMENDED, Vq2Settings
from benchmarks.__main__ import main as benchmarks
from benchmarks.stickers.command import KIND_NAMES, sentence, tables
from benchmarks.stickers.evaluators import (
    MEAN_OF_PAIRS,
    SETS,
    CaptionAndFoil,
    JudgedQuestion,
    StickerExample,
    StickerQuestion,
    answer_questions,
    read_examples,
    score_captions,
)
from benchmarks.stickers.quality import (
    OVERALL,
    answer_quality,
    by_kind,
    measure,
    pointing,
    separation,
)
from tests.alignment.tiny_evaluators import TEXT, TWICE

KINDS = {"object", "colour", "count", "state", "relation", "background", "size"}


@pytest.fixture(scope="module")
def examples() -> list[StickerExample]:
    return read_examples()


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_small_and_says_whose_art_it_shows(name: str) -> None:
    assert sum(file.stat().st_size for file in SETS[name].iterdir()) <= 5_000_000
    notice = (SETS[name] / "LICENSE-art.txt").read_text()
    assert "MIT License" in notice
    assert "Copyright (c) Microsoft Corporation" in notice


def test_the_test_set_is_read_like_the_development_set() -> None:
    found = read_examples(SETS["test"])
    assert len(found) == 210
    assert all(example.questions and example.changed for example in found)


def test_there_are_about_three_hundred_pictures_of_the_right_size(
    examples: list[StickerExample],
) -> None:
    assert len(examples) >= 300
    assert {example.image.size for example in examples} == {(128, 128)}
    assert {example.kind for example in examples} == KINDS | {"binding"}


def test_each_kind_is_asked_sixty_times_with_a_true_and_with_a_false_answer(
    examples: list[StickerExample],
) -> None:
    asked = Counter((ask.kind, ask.holds) for example in examples for ask in example.questions)
    assert set(asked) == {(kind, holds) for kind in KINDS for holds in (True, False)}
    assert min(asked.values()) >= 60
    assert all(asked[kind, True] == asked[kind, False] for kind in KINDS)


def test_a_foil_is_its_caption_but_for_the_changed_words(examples: list[StickerExample]) -> None:
    for example in examples:
        letters = list(example.foil)
        assert example.changed
        for start, end in example.changed:
            letters[start:end] = " " * (end - start)
        kept = re.findall(r"\w+", "".join(letters))
        same = SequenceMatcher(None, re.findall(r"\w+", example.caption), kept, autojunk=False)
        assert sum(block.size for block in same.get_matching_blocks()) == len(kept)


def test_foils_differ_in_few_words(examples: list[StickerExample]) -> None:
    """One claim is one word, with its article two, and a plural three; a binding is two colours."""
    changed = [
        len(example.foil[start:end].split())
        for example in examples
        for start, end in example.changed
    ]
    assert np.mean([sum(changed) / len(examples)]) < 2
    assert max(changed) <= 4


def answered(
    kind: str, holds: bool, probability: float, seen: str, picture: int = 0
) -> JudgedQuestion:
    asked = StickerQuestion(kind, "?", "", holds, ("apple", "apples"))
    return JudgedQuestion(asked, picture, probability, seen)


def test_yes_and_no_count_alike_however_often_each_is_true() -> None:
    """Three of four yes and one of one no are right: (0.75 + 1) / 2."""
    said = [answered("object", True, p, "The apples") for p in (0.9, 0.5, 0.8, 0.49)]
    said.append(answered("object", False, 0.1, "owl"))
    measured = answer_quality(said, np.random.default_rng(7))
    assert measured.questions == 5
    assert measured.balanced_accuracy.value == pytest.approx(0.875)
    assert measured.exact.value == pytest.approx(0.8)


def test_intervals_of_answers_draw_pictures() -> None:
    """All of ten questions are right: Wilson's interval of ten pictures begins at .722, of two at
    .342."""
    generator = np.random.default_rng(7)
    ten, two = (
        answer_quality(
            [answered("object", True, 0.9, "apple", number % pictures) for number in range(10)],
            generator,
        )
        for pictures in (10, 2)
    )
    assert (ten.exact.n, two.exact.n) == (10, 2)
    for found, begin in ((ten, 0.722), (two, 0.342)):
        for each in (found.balanced_accuracy, found.exact):
            assert (each.low, each.high) == pytest.approx((begin, 1), abs=1e-3)


def test_the_interval_of_a_balanced_accuracy_holds_it() -> None:
    """Of forty pictures thirty have both questions right and ten the true one alone: .875."""
    said = [answered("object", True, 0.9, "", number) for number in range(40)]
    said += [answered("object", False, 0.1 + 0.8 * (n < 10), "", n) for n in range(40)]
    found = answer_quality(said, np.random.default_rng(7))
    value, *interval, _ = astuple(found.balanced_accuracy)
    assert value == pytest.approx(0.875)
    assert interval == pytest.approx((0.8, 0.93), abs=0.03)


def test_chance_is_the_commonest_right_answer_of_each_kind() -> None:
    """Two of three colours are red, and the one object an owl: three of four."""
    accepted = (("colour", "red"), ("colour", "red"), ("colour", "blue"), ("object", "owl"))
    said = [
        JudgedQuestion(StickerQuestion(kind, "?", "", True, (right,)), 0, 0.9, "")
        for kind, right in accepted
    ]
    assert answer_quality(said, np.random.default_rng(7)).exact_by_chance == 0.75


def test_answers_are_measured_by_kind_and_overall() -> None:
    said = [answered(kind, True, 0.9, "") for kind in ("state", "colour", "state")]
    assert {kind: len(each) for kind, each in by_kind(said)} == {
        "colour": 1,
        "state": 2,
        OVERALL: 3,
    }


def pair(kind: str, caption: float | None, foil: float | None) -> CaptionAndFoil:
    return CaptionAndFoil(kind, {"vq2": caption}, {"vq2": foil}, pointed=None)


def test_captions_are_told_from_foils_over_the_pictures_that_could_be_scored() -> None:
    """Of 3 x 3 pairs of caption and foil 7 are in order; of the three pictures two and a tie."""
    pairs = [
        pair("colour", 0.9, 0.2),
        pair("colour", 0.4, 0.3),
        pair("count", 0.5, 0.5),
        pair("count", None, 0.1),
        pair("count", 0.9, None),
    ]
    found = separation(pairs, "vq2", np.random.default_rng(7))
    assert found.auc.n == 3
    assert found.auc.value == pytest.approx(7.5 / 9)
    assert found.paired.value == pytest.approx(2.5 / 3)
    assert found.by_kind == {"colour": 1.0, "count": 0.5}
    assert found.auc.low <= found.auc.value <= found.auc.high


def tiny_example(caption: str, foil: str, changed: tuple[tuple[int, int], ...]) -> StickerExample:
    asks = tuple(
        StickerQuestion("colour", "what color is the apple?", colour, colour == "black", ("black",))
        for colour in ("black", "green")
    )
    picture = PillowImage.new("RGB", (48, 48), "navy")
    return StickerExample(picture, caption, foil, "object", changed, asks)


def test_the_weakest_pair_is_held_against_the_changed_words(models: Models) -> None:
    """Whatever is weakest in this foil, it lies within the whole of it, and not beyond its end."""
    whole = tiny_example(TEXT, TWICE, ((0, len(TWICE)),))
    beyond = tiny_example(TEXT, TWICE, ((len(TWICE), len(TWICE) + 5),))
    found, missed = (score_captions(each, models, RECOMMENDED) for each in (whole, beyond))
    assert (found.pointed, found.chance) == (True, 1)
    assert (missed.pointed, missed.chance) == (False, 0)


def test_how_often_the_weakest_pair_is_right_stands_beside_chance() -> None:
    """Three of four foils, the fifth without a question; of their pairs 1/2 on average. Wilson's
    interval of 3 of 4 is .301 to .954."""
    rows = [(True, 0.25), (True, 0.5), (False, 0.25), (True, 1.0), (None, 0.0)]
    pairs = [CaptionAndFoil("size", {}, {}, pointed, chance) for pointed, chance in rows]
    found = pointing(pairs, np.random.default_rng(7))
    assert (found.share.n, found.unasked, found.share.value, found.chance) == (4, 1, 0.75, 0.5)
    assert (found.share.low, found.share.high) == pytest.approx((0.301, 0.954), abs=1e-3)


def test_a_foil_without_questions_has_no_score_by_vq2_and_one_by_the_others(
    models: Models,
) -> None:
    scored = score_captions(tiny_example(TEXT, "??", ((0, 2),)), models, RECOMMENDED)
    assert scored.pointed is None
    assert scored.foil["vq2"] is None
    assert scored.foil["mean"] is None
    assert scored.foil["vnli"] is not None
    assert scored.caption["mean"] == pytest.approx(
        (scored.caption["vq2"] + scored.caption["vnli"]) / 2
    )


def test_the_predicate_puts_the_claimed_answer_to_the_picture(models: Models) -> None:
    model, example = models.answerer, tiny_example(TEXT, TWICE, ((0, 2),))
    found = answer_questions([example, example], model)
    asked = ImageQuestion(0, "is green true for what color is the apple? in this image?")
    (verdict,) = model.p_yes(model.encode([example.image]), [asked])
    assert [each.question.answer for each in found] == ["black", "green"] * 2
    assert [each.picture for each in found] == [0, 0, 1, 1]
    assert found[1].probability == pytest.approx(verdict.probability, abs=1e-5)


def test_everything_measured_is_shown_and_can_be_written_as_json(models: Models) -> None:
    asked = tiny_example(TEXT, TWICE, ((0, len(TWICE)),))
    unasked = tiny_example(TEXT, "??", ((0, 2),))
    measured = measure([asked, asked, unasked], models, np.random.default_rng(7), RECOMMENDED)
    assert measured.pictures == 3
    assert (measured.pointed.share.n, measured.pointed.unasked) == (2, 1)
    assert measured.pointed.share.value == measured.pointed.chance == 1
    assert {name: each.auc.n for name, each in measured.captions.items()} == {
        "vq2": 2,
        "vnli": 3,
        "clip": 3,
        "mean": 2,
        MEAN_OF_PAIRS: 2,
    }
    assert json.loads(json.dumps(asdict(measured)))["answers"][OVERALL]["questions"] == 6
    console = Console(width=200, file=StringIO())
    console.print(*tables(measured), sentence(measured))
    shown = " ".join(console.file.getvalue().split())
    assert "Of 2 foils, the weakest pair points at the changed words in 100.0%" in shown
    assert "a pair chosen at random: 100.0%); 1 more had no question" in shown
    assert "aggregation:geometric" in shown


def test_the_embedded_evaluators_know_captions_from_foils() -> None:
    models = Models(find_bundle("embedded"))
    measured = measure(read_examples(limit=10), models, np.random.default_rng(7), RECOMMENDED)
    assert measured.pictures == 10
    assert measured.answers[OVERALL].balanced_accuracy.value > 0.9
    assert measured.captions["vq2"].paired.value > 0.9
    assert measured.captions["vnli"].paired.value > 0.9


def test_captions_and_foils_are_scored_with_the_settings_that_are_given() -> None:
    """One pair of the foil fails: the weakest is below the mean of all."""
    models = Models(find_bundle("embedded"))
    (example,) = read_examples(limit=1)
    mean, weakest = (
        score_captions(example, models, settings).foil["vq2"]
        for settings in (Vq2Settings(), Vq2Settings(aggregation="weakest"))
    )
    assert mean is not None
    assert weakest is not None
    assert weakest < mean


def test_the_command_measures_evaluators_and_generation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmarks(["stickers", "--limit", "1", "--out", str(tmp_path / "sheets" / "sheet.png")])
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (result["split"], result["pictures"]) == ("development", 1)
    assert set(result["generated"]) == set(KIND_NAMES)
    assert result["decibels"]["value"] > 25
    assert result["decibels"]["n"] == 1
    assert {each["n"] for each in result["generated"].values()} == {1}
    assert (tmp_path / "sheets" / "sheet.png").exists()
