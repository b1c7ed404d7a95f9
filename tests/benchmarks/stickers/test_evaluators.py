import json
import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import ImageQuestion
from alignment.questions.settings import RECOMMENDED, Vq2Settings
from benchmarks.__main__ import main as benchmarks
from benchmarks.data.numbers import Number
from benchmarks.stickers.command import KIND_NAMES
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
    ALL,
    FREE,
    YES_OR_NO,
    answer_numbers,
    measure,
    pointing,
    separation,
)
from recipes.publish import qualities
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


def test_there_are_about_three_hundred_images_of_the_right_size(
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
    kind: str, holds: bool, probability: float, seen: str, image: int = 0
) -> JudgedQuestion:
    asked = StickerQuestion(kind, "?", "", holds, ("apple", "apples"))
    return JudgedQuestion(asked, image, probability, seen)


def by_name(numbers: Iterable[Number], by: str, value: str = ALL) -> dict[str, Number]:
    """The numbers about something, by their names."""
    return {each.name: each for each in numbers if each.about.get(by) == value}


def measured(said: list[JudgedQuestion], kind: str = ALL) -> tuple[Number, Number]:
    """Yes or no, and free answers."""
    found = by_name(answer_numbers(said, np.random.default_rng(7)), "kind", kind)
    return found[YES_OR_NO], found[FREE]


def test_yes_and_no_count_alike_however_often_each_is_true() -> None:
    """Three of four yes and one of one no are right: (0.75 + 1) / 2."""
    said = [answered("object", True, p, "The apples") for p in (0.9, 0.5, 0.8, 0.49)]
    said.append(answered("object", False, 0.1, "owl"))
    balanced, exact = measured(said)
    assert balanced.about["asked"] == 5
    assert (balanced.value, exact.value) == pytest.approx((0.875, 0.8))


def test_intervals_of_answers_draw_images() -> None:
    """All of ten questions are right: Wilson's interval of ten images begins at .722, of two at
    .342."""
    for images, begin in ((10, 0.722), (2, 0.342)):
        said = [answered("object", True, 0.9, "apple", number % images) for number in range(10)]
        for each in measured(said):
            assert (each.units, each.low, each.high) == pytest.approx((images, begin, 1), abs=1e-3)


def test_the_interval_of_a_balanced_accuracy_holds_it() -> None:
    """Of forty images thirty have both questions right and ten the true one alone: .875."""
    said = [answered("object", True, 0.9, "", number) for number in range(40)]
    said += [answered("object", False, 0.1 + 0.8 * (n < 10), "", n) for n in range(40)]
    found, _ = measured(said)
    assert found.value == pytest.approx(0.875)
    assert (found.low, found.high) == pytest.approx((0.8, 0.93), abs=0.03)


def test_chance_is_the_commonest_right_answer_of_each_kind() -> None:
    """Two of three colours are red, and the one object an owl: three of four."""
    accepted = (("colour", "red"), ("colour", "red"), ("colour", "blue"), ("object", "owl"))
    said = [
        JudgedQuestion(StickerQuestion(kind, "?", "", True, (right,)), 0, 0.9, "")
        for kind, right in accepted
    ]
    assert measured(said)[1].chance == 0.75
    assert [measured(said, kind)[0].about["asked"] for kind in ("colour", "object")] == [3, 1]


def pair(kind: str, caption: float | None, foil: float | None) -> CaptionAndFoil:
    return CaptionAndFoil(kind, {"vq2": caption}, {"vq2": foil}, pointed=None)


def test_captions_are_told_from_foils_over_the_images_that_could_be_scored() -> None:
    """Of 3 x 3 pairs of caption and foil 7 are in order; of the three images two and a tie."""
    pairs = [
        pair("colour", 0.9, 0.2),
        pair("colour", 0.4, 0.3),
        pair("count", 0.5, 0.5),
        pair("count", None, 0.1),
        pair("count", 0.9, None),
    ]
    whole, above, *kinds = separation(pairs, "vq2", np.random.default_rng(7))
    assert (whole.units, whole.value) == (3, pytest.approx(7.5 / 9))
    assert above.value == pytest.approx(2.5 / 3)
    assert {each.about["changed"]: each.value for each in kinds} == {"colour": 1.0, "count": 0.5}
    assert whole.low <= whole.value <= whole.high


def tiny_example(caption: str, foil: str, changed: tuple[tuple[int, int], ...]) -> StickerExample:
    asks = tuple(
        StickerQuestion("colour", "what color is the apple?", colour, colour == "black", ("black",))
        for colour in ("black", "green")
    )
    image = PillowImage.new("RGB", (48, 48), "navy")
    return StickerExample(image, caption, foil, "object", changed, asks)


def test_how_often_the_weakest_pair_is_right_stands_beside_chance() -> None:
    """Three of four foils, the fifth without a question; of their pairs 1/2 on average. Wilson's
    interval of 3 of 4 is .301 to .954."""
    rows = [("size", True, 0.25), ("", True, 0.5), ("", False, 0.25), ("", True, 1.0)]
    rows.append(("size", None, 0.0))
    pairs = [CaptionAndFoil(kind, {}, {}, *row) for kind, *row in rows]
    found, size = pointing(pairs, np.random.default_rng(7))
    assert found.signature == "pointed|changed:all|n:4|unasked:1"
    assert (found.value, found.chance) == (0.75, 0.5)
    assert (found.low, found.high) == pytest.approx((0.301, 0.954), abs=1e-3)
    assert (size.signature, size.value) == ("pointed|changed:size|n:1", 1)
    assert found.units == 4
    assert [*pointing(pairs[4:], np.random.default_rng(7))] == []


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


def test_the_predicate_puts_the_claimed_answer_to_the_image(models: Models) -> None:
    model, example = models.answerer, tiny_example(TEXT, TWICE, ((0, 2),))
    found = answer_questions([example, example], model)
    asked = ImageQuestion(0, "is green true for what color is the apple? in this image?")
    (verdict,) = model.p_yes(model.encode([example.image]), [asked])
    assert [each.question.answer for each in found] == ["black", "green"] * 2
    assert [each.image for each in found] == [0, 0, 1, 1]
    assert found[1].probability == pytest.approx(verdict.probability, abs=1e-5)


def test_everything_is_measured_of_what_could_be_asked(models: Models) -> None:
    asked = tiny_example(TEXT, TWICE, ((0, len(TWICE)),))
    unasked = tiny_example(TEXT, "??", ((0, 2),))
    found = measure([asked, asked, unasked], models, np.random.default_rng(7), RECOMMENDED)
    whole = [each for each in found if each.about.get("changed") == ALL]
    assert {each.about.get("method"): each.about["n"] for each in whole if each.name == "AUC"} == {
        "vq2": 2,
        "vnli": 3,
        "clip": 3,
        "mean": 2,
        MEAN_OF_PAIRS: 2,
    }
    assert by_name(found, "kind")[FREE].about["asked"] == 6
    assert whole[-1].signature == "pointed|changed:all|n:2|unasked:1"
    assert (whole[-1].value, whole[-1].chance) == (1, 1)


def test_the_embedded_evaluators_know_captions_from_foils() -> None:
    models = Models(find_bundle("embedded"))
    found = measure(read_examples(limit=10), models, np.random.default_rng(7), RECOMMENDED)
    assert by_name(found, "kind")[YES_OR_NO].value > 0.9
    above = {each.about["method"]: each for each in found if each.name == "caption above foil"}
    assert above["vq2"].value > 0.9
    assert above["vnli"].value > 0.9


def test_captions_and_foils_are_scored_with_the_settings_that_are_given() -> None:
    """One pair of the foil fails: the weakest is below the mean of all."""
    models = Models(find_bundle("embedded"))
    (example,) = read_examples(limit=1)
    mean, weakest = (
        score_captions(example, models, settings).foil["vq2"]
        for settings in (Vq2Settings(), Vq2Settings(aggregation="weakest"))
    )
    assert weakest < mean


def test_the_command_measures_evaluators_and_generation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmarks(["stickers", "--limit", "1", "--out", str(tmp_path / "sheets" / "sheet.png")])
    *told, line = capsys.readouterr().out.splitlines()
    result = json.loads(line)
    found = {each["signature"]: each for each in result["numbers"]}
    assert result["split"] == "development"
    right = [each for name, each in found.items() if name.startswith("generated right|kind:")]
    assert [each["units"] for each in right] == [1] * len(KIND_NAMES) + [len(KIND_NAMES) - 1]
    assert found["decibels|n:1"]["value"] > 25
    assert "pointed|changed:all|n:1|unasked:0" in found
    assert "aggregation:geometric" in "".join(told)
    assert (tmp_path / "sheets" / "sheet.png").exists()
    assert {name: len(card) for name, card in qualities(result).items()} == {
        "icon-vlm": 5,
        "icon-clip": 1,
        "sticker-diffusion": 1 + len(KIND_NAMES),
    }
