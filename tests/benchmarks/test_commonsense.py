"""Pairs are generated, judged and counted; the command says all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage
from rich.console import Console

from alignment.records import DescriptionMatch, MatchMatrix, PromptPair
from benchmarks.commonsense.analysis import HumanComparison, error_overlaps
from benchmarks.commonsense.images import generate, image_file, saved, stored
from benchmarks.commonsense.results import (
    GeneratedPairs,
    PairResult,
    against_people,
    measure,
    read_labels,
)
from benchmarks.commonsense.tables import accuracy_table, category_table, sentences
from generation import ModelSpec, load_pipeline
from session.errors import DataError
from tests.benchmarks.command import refusal, run, words
from tests.tiny_models import tiny_models

FIRST, SECOND = DescriptionMatch((True, False)), DescriptionMatch((False, True))
BOTH, UNREAD = DescriptionMatch((True, True)), DescriptionMatch((None, True))

PAIRS = (
    PromptPair(("a", "b"), ("c", "d"), "physical laws", 9),
    PromptPair(("e", "f"), ("g", "h"), "daily items", 3),
)
ROWS = [
    {"prompt1": "black apple", "prompt2": "green apple", "description1": "black apple"}
    | {"description2": "green apple", "category": "daily items", "likelihood": 9},
    {"prompt1": "an apple", "prompt2": "two apple", "description1": "an apple"}
    | {"description2": "two apple", "category": "physical laws", "likelihood": 5},
]


def measured(name: str, *matrices: MatchMatrix) -> PairResult:
    generated = GeneratedPairs(name, PAIRS, (), (0.9, 0.8))
    return measure(generated, "vnli", matrices, np.random.default_rng(7))


def test_a_result_counts_what_was_right_unread_and_left_to_a_coin() -> None:
    """The generation with a reply that was not read is neither right nor wrong."""
    result = measured(
        "text-to-image model",
        MatchMatrix(((FIRST, FIRST), (SECOND, BOTH))),
        MatchMatrix(((FIRST, UNREAD), (FIRST, SECOND))),
    )
    assert result.accuracy is not None
    assert (result.generations, result.judged) == (((1.0, 0.5), (0.0, None)), 3)
    assert result.scores == (0.75, 0.0)
    assert result.accuracy.value == 0.375
    assert result.weighted == pytest.approx((9 * 0.75 + 3 * 0) / 12)
    assert (result.images, result.unreadable, result.coins) == (8, 1, 1)
    assert {name: each.value for name, each in result.categories.items()} == {
        "daily items": 0.0,
        "physical laws": 0.75,
    }
    assert result.spearman == pytest.approx(1)
    assert result.drawn in (0.25, 0.5)
    assert result.accuracy.n == 2


def test_where_no_reply_was_read_there_is_no_accuracy_rather_than_none_right() -> None:
    mute = MatchMatrix(((UNREAD,), (UNREAD,)))
    result = measured("sd", mute, mute)
    assert (result.accuracy, result.drawn, result.weighted) == (None, None, None)
    assert (result.scores, result.judged, result.unreadable) == ((None, None), 0, 4)
    console = Console(width=200)
    with console.capture() as printed:
        console.print(accuracy_table([result], {}, "people"), category_table([result]))
    assert "0 of 2" in printed.get()
    assert "%" not in printed.get().replace("95 %", "").replace("25.00%", "")


def test_pairs_that_expect_the_same_are_one_unit_of_the_interval() -> None:
    """Which description comes first does not matter."""
    alike = (
        PromptPair(("a", "b"), ("lit", "unlit")),
        PromptPair(("c", "d"), ("unlit", "lit")),
        PromptPair(("e", "f"), ("open", "closed")),
    )
    generated = GeneratedPairs("sd", alike, (), (0.9, 0.8, 0.7))
    right = MatchMatrix(((FIRST,), (SECOND,)))
    result = measure(generated, "vnli", [right] * 3, np.random.default_rng(7))
    assert result.accuracy is not None
    assert (result.accuracy.pairs, result.accuracy.n) == (3, 2)


def test_what_revision_gains_is_said_with_its_interval() -> None:
    wrong, right = MatchMatrix(((SECOND,), (FIRST,))), MatchMatrix(((FIRST,), (SECOND,)))
    results = [measured("sd", wrong, wrong), measured("sd revised", right, right)]
    overlaps = {"vnli": error_overlaps({each.model: each.scores for each in results})}
    gain, overlap, caution = sentences(results, overlaps, {}, np.random.default_rng(7))
    assert gain == "By vnli, sd revised differs from sd by +100.0% (+100.0% .. +100.0%)."
    assert "on fewer than 10 units" in caution
    assert "sd and sd revised both fail 0 of the 2 pairs that either fails" in overlap


def test_both_prompts_are_generated_from_the_same_seeds(tiny_pipeline: ModelSpec) -> None:
    pipeline = load_pipeline(tiny_pipeline)
    same = PromptPair(("an apple", "an apple"), ("c", "d"))
    ((first, second),) = generate([same], tiny_pipeline, pipeline, 2, seed=3)
    assert [image.tobytes() for image in first] == [image.tobytes() for image in second]
    assert first[0].tobytes() != first[1].tobytes()
    ((later, _),) = generate([same], tiny_pipeline, pipeline, 1, seed=4)
    assert later[0].tobytes() == first[1].tobytes()


def test_pictures_that_were_kept_are_read_again_in_their_places(tmp_path: Path) -> None:
    names = [["red", "green"], ["navy", "pink"]]
    first, second = ([PillowImage.new("RGB", (16, 16), name) for name in row] for row in names)
    assert list(saved([(first, second)], tmp_path, "sd revised")) == [(first, second)]
    assert image_file(tmp_path, "sd revised", 2, 1, 2).is_file()
    ((one, other),) = stored(tmp_path, "sd revised", pairs=1, generations=2)
    for image, name in zip([*one, *other], [*names[0], *names[1]], strict=True):
        pixel, meant = image.getpixel((8, 8)), PillowImage.new("RGB", (1, 1), name).getpixel((0, 0))
        assert pixel == pytest.approx(meant, abs=3)


def test_people_are_counted_by_pipeline_and_pair(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("model,pair,generation,right\na,1,1,1\na,1,2,0\na,3,1,0\nb,1,1,1\n")
    assert read_labels(file) == {"a": {1: {1: 1, 2: 0}, 3: {1: 0}}, "b": {1: {1: 1}}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("model,pair,right\na,1,1\n", "labels.csv has no generation; it has model, pair, right"),
        ("model,pair,generation,right\na,4,1,yes\n", "right is 'yes' for pair 4; give 0 or 1"),
    ],
)
def test_labels_that_cannot_be_counted_are_named(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(text)
    with pytest.raises(DataError, match=re.escape(says)):
        read_labels(file)


def test_people_are_compared_on_the_pairs_they_judged() -> None:
    right, wrong = MatchMatrix(((FIRST,), (SECOND,))), MatchMatrix(((SECOND,), (FIRST,)))
    results = [measured("sd", right, wrong), measured("flux", right, right)]
    labels = {
        "sd": {1: {1: 0.75}, 9: {1: 0.0}},
        "flux": {1: {1: 1.0}, 2: {1: 0.5}},
        "dalle": {1: {1: 1.0}},
    }
    found = against_people(results, "vnli", labels)
    assert found is not None
    assert found.people == {"sd": 0.75, "flux": 0.75}
    assert found.differences == {"sd": 0.25, "flux": 0.25}
    told = sentences(results, {}, {"vnli": found}, np.random.default_rng(7))
    assert next(told) == "vnli differs from people by +25.00% on sd, +25.00% on flux."
    with pytest.raises(
        DataError, match="people judged dalle, none of these pairs and text-to-image models"
    ):
        against_people(results, "vnli", {"dalle": {1: {1: 1.0}}})


def test_people_are_compared_generation_by_generation() -> None:
    """Two of three; one more could not be read, and people are divided on another."""
    matrix = MatchMatrix(((FIRST, FIRST, SECOND, UNREAD), (SECOND, SECOND, FIRST, SECOND)))
    right = MatchMatrix(((FIRST,), (SECOND,)))
    result = measured("sd", matrix, right)
    labels = {"sd": {1: {1: 1.0, 2: 0.0, 3: 0.0, 4: 1.0}, 2: {1: 0.5}}}
    compared = against_people([result], "vnli", labels)
    assert compared is not None
    assert compared.generations is not None
    found = compared.generations
    assert (found.share, found.n, found.unjudged) == (pytest.approx(2 / 3), 3, 1)
    assert found.kappa == pytest.approx(0.4)


def test_the_published_pairs_stand_beside_what_is_printed_of_people_and_beside_chance() -> None:
    """Table 2 has 24.92 % for SDXL. Of other pairs, or of another model, nothing is printed."""
    right = MatchMatrix(((FIRST,), (SECOND,)))

    def compared(name: str, pairs: int) -> tuple[PairResult, HumanComparison | None]:
        generated = GeneratedPairs(name, PAIRS[:1] * pairs, (), (0.9,) * pairs)
        result = measure(generated, "clip", [right] * pairs, np.random.default_rng(7))
        return result, against_people([result], "clip", {})

    sdxl, found = compared("sd_xl", 150)
    assert found is not None
    assert (found.people, found.generations) == ({"sd_xl": 0.2492}, None)
    assert found.differences["sd_xl"] == pytest.approx(0.7508)
    assert compared("sd_xl", 149)[1] is compared("flux", 150)[1] is None
    console = Console(width=200)
    with console.capture() as printed:
        console.print(accuracy_table([sdxl], {"clip": found}, "people, printed"))
    assert re.search(r"sd_xl .* 24\.92%", printed.get())
    assert re.search(r"chance │ +25\.00%", printed.get())


def test_a_picture_that_is_missing_is_named_with_the_layout(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="sd_images/prompt1_img/original/0001-1.jpg; the layout is"):
        next(stored(tmp_path, "sd", pairs=1, generations=1))


def test_the_released_layout_counts_pairs_with_four_digits_and_generations_from_one() -> None:
    """As `generate_images.py` of the released code saves them."""
    file = image_file(Path("generated_images"), "example_dalle3", 2, 3, 4).as_posix()
    assert file == "generated_images/example_dalle3_images/prompt2_img/original/0003-4.jpg"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which text-to-image model and judges are tiny, with pairs, revised pairs and
    labels."""
    folder = tmp_path_factory.mktemp("commonsense")
    with tiny_models(folder):
        (folder / "pairs.json").write_text(json.dumps(ROWS))
        outright = ROWS[0] | {
            "description1": ROWS[0]["prompt2"],
            "description2": ROWS[0]["prompt1"],
        }
        (folder / "outright.json").write_text(json.dumps([outright]))
        (folder / "labels.csv").write_text("model,pair,generation,right\ntiny,1,1,1\ntiny,2,1,0\n")
        yield folder


def test_the_last_line_holds_every_number(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(
        capsys,
        "commonsense",
        *("--model", "tiny", "--bundle", "tiny", "--evaluator", "clip", "--generations", "1"),
        *("--pairs", str(tiny / "pairs.json"), "--outright"),
        *("--labels", str(tiny / "labels.csv"), "--out", str(tiny / "kept")),
    )
    plain, revised = printed["results"]
    assert (plain["model"], revised["model"]) == (
        "tiny",
        "tiny outright",
    )
    assert plain["images"] == 4
    judged_by_people = plain["scores"]
    assert printed["people"]["clip"]["differences"]["tiny"] == np.mean(judged_by_people) - 0.5
    assert len(printed["overlaps"]["clip"]) == 1
    again = run(
        capsys,
        "commonsense",
        *("--model", "tiny", "--bundle", "tiny", "--evaluator", "vlm", "--generations", "1"),
        *("--pairs", str(tiny / "pairs.json"), "--images", str(tiny / "kept"), "--limit", "1"),
    )
    (result,) = again["results"]
    assert (result["images"], result["unreadable"], result["judged"]) == (2, 4, 0)
    assert result["accuracy"] is None


def test_said_outright_the_descriptions_are_the_prompts(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run(
        capsys,
        "commonsense",
        *("--model", "tiny", "--bundle", "tiny", "--evaluator", "clip", "--generations", "1"),
        *("--pairs", str(tiny / "outright.json"), "--outright", "--out", str(tiny / "said")),
    )
    assert [each["model"] for each in printed["results"]] == ["tiny", "tiny outright"]
    plain, revised = (
        [image_file(tiny / "said", name, prompt, 1, 1).read_bytes() for prompt in (1, 2)]
        for name in ("tiny", "tiny outright")
    )
    assert revised == plain[::-1], "each description is the other one's prompt"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--pairs", "nowhere.json"), "there is no file nowhere.json"),
        (("--labels", "nowhere.csv"), "there is no file nowhere.csv"),
        (("--model", "nobody"), "no model 'nobody'; known: "),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_sentence(
    tiny: Path, arguments: tuple[str, ...], says: str
) -> None:
    usual = ("--bundle", "tiny", "--evaluator", "clip")
    assert says in refusal("commonsense", "--pairs", tiny / "pairs.json", *usual, *arguments)


def test_revising_without_a_language_model_names_the_flag_that_gives_one() -> None:
    said = refusal("commonsense", "--revise", "--bundle", "embedded")
    assert "no model for the role 'language'" in said
    assert "--bundle embedded+language=MODEL, in benchmarks also --set language=MODEL" in said
    assert "models: flan-t5-large, " in said


@pytest.mark.parametrize("option", ["--limit", "--generations"])
def test_nothing_cannot_be_asked_for(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "commonsense", option, 0)
    assert "greater than or equal to 1" in words(capsys.readouterr().err)
