"""Pairs are generated, judged and counted; the command says all of it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage

from alignment.models.loading import Models, load_text
from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix, PromptPair
from benchmarks.commonsense.images import generate, image_file, saved, stored
from benchmarks.commonsense.measures import (
    GeneratedPairs,
    PairResult,
    accuracies,
    beside,
    gains,
    people,
)
from benchmarks.commonsense.revise import instruction, revise
from benchmarks.data.numbers import Number
from benchmarks.stickers.generated import LoadedGenerator
from generation import ModelSpec, load_pipeline
from session.errors import DataError
from tests.benchmarks.command import refusal, run, words
from tests.tiny_models import tiny_models

FIRST, SECOND = DescriptionMatch((True, False)), DescriptionMatch((False, True))
BOTH, UNREAD = DescriptionMatch((True, True)), DescriptionMatch((None, True))

PAIRS = (
    PromptPair(("a", "b"), ("c", "d"), "physical laws"),
    PromptPair(("e", "f"), ("g", "h"), "daily items"),
)
ROWS = [
    {"prompt1": "black apple", "prompt2": "green apple", "description1": "green apple"}
    | {"description2": "black apple", "category": "daily items"},
    {"prompt1": "an apple", "prompt2": "two apple", "description1": "an apple"}
    | {"description2": "two apple", "category": "physical laws"},
]


RIGHT, WRONG = MatchMatrix(((FIRST,), (SECOND,))), MatchMatrix(((SECOND,), (FIRST,)))


def result_of(name: str, *matrices: MatchMatrix, pairs: Sequence[PromptPair] = PAIRS) -> PairResult:
    return PairResult(GeneratedPairs(name, tuple(pairs), ()), "vnli", matrices)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def values(numbers: Iterable[Number], by: str = "") -> dict[object, float]:
    """Name, or a setting -> value."""
    return {each.about[by] if by else each.name: each.value for each in numbers}


def test_a_result_counts_what_was_right_unread_and_left_to_a_coin(rng: np.random.Generator) -> None:
    """The generation with a reply that was not read is neither right nor wrong."""
    result = result_of(
        "sd",
        MatchMatrix(((FIRST, FIRST), (SECOND, BOTH))),
        MatchMatrix(((FIRST, UNREAD), (FIRST, SECOND))),
    )
    whole, *categories = accuracies(result, rng)
    assert (result.generations, result.scores) == (((1.0, 0.5), (0.0, None)), (0.75, 0.0))
    assert (whole.value, whole.units, whole.about["judged"]) == (0.375, 2, "3/4")
    assert values(categories, "category") == {"daily items": 0.0, "physical laws": 0.75}
    assert values(beside(result)) == {"unreadable": 1 / 16, "fits both": 1 / 8}


def test_where_no_reply_was_read_there_is_no_accuracy_rather_than_none_right(
    rng: np.random.Generator,
) -> None:
    mute = MatchMatrix(((UNREAD,), (UNREAD,)))
    result = result_of("sd", mute, mute)
    (whole,) = accuracies(result, rng)
    assert (str(whole), whole.about["judged"]) == ("", "0/2")
    assert [str(each) for each in beside(result)] == ["0.500", "0.000"]


def test_what_an_evaluator_was_not_asked_is_no_reply_that_could_not_be_read() -> None:
    blank = DescriptionMatch((None, None), reason="does not know a word")
    half = MatchMatrix(((FIRST, blank), (BOTH, blank)))
    assert values(beside(result_of("sd", half, half))) == {"unreadable": 0.0, "fits both": 0.5}
    none = MatchMatrix(((blank,), (blank,)))
    assert not [*beside(result_of("sd", none, none))]


def test_pairs_that_expect_the_same_are_one_unit_of_the_interval(rng: np.random.Generator) -> None:
    """Which description comes first does not matter."""
    alike = (
        PromptPair(("a", "b"), ("lit", "unlit")),
        PromptPair(("c", "d"), ("unlit", "lit")),
        PromptPair(("e", "f"), ("open", "closed")),
    )
    whole, _ = accuracies(result_of("sd", *[RIGHT] * 3, pairs=alike), rng)
    assert (whole.about["n"], whole.units) == (3, 2)


def test_what_revision_gains_has_an_interval(rng: np.random.Generator) -> None:
    results = [result_of("sd", WRONG, WRONG), result_of("sd revised", RIGHT, RIGHT)]
    (gain,) = gains([*results, result_of("flux", WRONG, WRONG)], rng)
    assert gain.signature == "gain|model:sd revised|evaluator:vnli|over:sd|n:2"
    assert (gain.value, gain.low, gain.high) == (1, 1, 1)


def test_both_prompts_are_generated_from_the_same_seeds(tiny_pipeline: ModelSpec) -> None:
    generator = LoadedGenerator(load_pipeline(tiny_pipeline), tiny_pipeline)
    same = PromptPair(("an apple", "an apple"), ("c", "d"))
    ((first, second),) = generate([same], generator, 2, seed=3)
    assert [image.tobytes() for image in first] == [image.tobytes() for image in second]
    assert first[0].tobytes() != first[1].tobytes()
    ((later, _),) = generate([same], generator, 1, seed=4)
    assert later[0].tobytes() == first[1].tobytes()


def test_images_that_were_kept_are_read_again_in_their_places(tmp_path: Path) -> None:
    names = [["red", "green"], ["navy", "pink"]]
    first, second = ([PillowImage.new("RGB", (16, 16), name) for name in row] for row in names)
    assert list(saved([(first, second)], tmp_path, "sd revised")) == [(first, second)]
    assert image_file(tmp_path, "sd revised", 2, 1, 2).is_file()
    ((one, other),) = stored(tmp_path, "sd revised", pairs=1, generations=2)
    for image, name in zip([*one, *other], [*names[0], *names[1]], strict=True):
        pixel, meant = image.getpixel((8, 8)), PillowImage.new("RGB", (1, 1), name).getpixel((0, 0))
        assert pixel == pytest.approx(meant, abs=3)


def test_the_published_pairs_stand_beside_what_is_printed_of_people() -> None:
    """Table 2 has 24.92 % for SDXL. Of other pairs, or of another model, nothing is printed."""

    def compared(name: str, pairs: int) -> dict[object, float]:
        return values(people(result_of(name, *[RIGHT] * pairs, pairs=PAIRS[:1] * pairs)))

    found = {"people": 0.2492, "minus people": 0.7508}
    assert compared("sd_xl", 150) == pytest.approx(found)
    assert compared("sd_xl", 149) == compared("flux", 150) == {}


def test_an_image_that_is_missing_is_named_with_the_layout(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="sd_images/prompt1_img/original/0001-1.jpg; the layout is"):
        next(stored(tmp_path, "sd", pairs=1, generations=1))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which text-to-image model and judges are tiny, with pairs."""
    folder = tmp_path_factory.mktemp("commonsense")
    with tiny_models(folder):
        (folder / "pairs.json").write_text(json.dumps(ROWS))
        yield folder


def test_the_last_line_holds_every_number(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = ("--model", "tiny", "--bundle", "tiny", "--generations", "1")
    usual += ("--pairs", str(tiny / "pairs.json"))
    kept = ("--out", tiny / "kept")
    printed = run(capsys, "commonsense", *usual, "--evaluator", "clip", "--outright", *kept)
    found = {each["signature"]: each for each in printed["numbers"]}
    about = "model:tiny|evaluator:clip"
    accuracy = found[f"accuracy|{about}|category:all|n:2|judged:2/2"]
    assert [*printed["scores"]] == ["tiny, clip", "tiny outright, clip"]
    assert accuracy["value"] == np.mean(printed["scores"]["tiny, clip"])
    assert accuracy["chance"] == 0.25
    plain, revised = (
        [image_file(tiny / "kept", name, prompt, 1, 1).read_bytes() for prompt in (1, 2)]
        for name in ("tiny", "tiny outright")
    )
    assert revised == plain[::-1], "each description is the other one's prompt"
    again = (*usual, "--evaluator", "vlm", "--images", tiny / "kept", "--limit", 1)
    (unjudged, *_) = run(capsys, "commonsense", *again)["numbers"]
    assert unjudged["signature"] == "accuracy|model:tiny|evaluator:vlm|category:all|n:0|judged:0/1"
    assert unjudged["value"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--pairs", "nowhere.json"), "there is no file nowhere.json"),
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
    assert "--bundle embedded+language=MODEL; models: flan-t5-large, " in said


@pytest.mark.parametrize("option", ["--limit", "--generations"])
def test_nothing_cannot_be_asked_for(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "commonsense", option, 0)
    assert "greater than or equal to 1" in words(capsys.readouterr().err)


def test_the_enriched_prompt_is_what_the_model_goes_on_to_write(models: Models) -> None:
    prompt = "a candle after the birthday wish"
    language = load_text(models.bundle.question_writer)
    (written,) = language.complete([instruction(prompt)])
    assert revise(prompt, language) == (written.strip() or prompt)
