"""What a scoring model cannot know is said, and too little coverage gives no score."""

from functools import cache
from pathlib import Path

import pytest
from PIL import Image as PillowImage

import alignment
from alignment.evaluation import evaluate
from alignment.judgements import judgements
from alignment.questions.knowledge import Knowledge
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import GridReport
from alignment.scorers.coverage import coverage_of_pairs
from tests.alignment.conftest import EMBEDDED


@cache
def scored(prompt: str) -> GridReport:
    images = [PillowImage.new("RGB", (128, 128), name) for name in ("white", "green")]
    *_, last = evaluate(prompt, images, 1, 2, EMBEDDED)
    assert last.report is not None
    return last.report


@pytest.mark.parametrize(
    ("prompt", "method", "reason"),
    [
        ("a volcano", "clip", 'the scoring model does not know "volcano"'),
        ("a volcano", "vnli", 'does not know "volcano"'),
        ("a volcano", "vq2", 'does not know "volcano"'),
        ("7 red apples", "clip", "has seen at most 6 of a thing"),
        (
            "a red heart and a blue heart",
            "clip",
            'does not tell two things called "heart"',
        ),
        ("a zebra or an apple", "vnli", 'never read a prompt with "or"'),
        ("a cat or a dog", "vq2", 'no single answer to "a cat or a dog" is expected'),
        ("nothing but a robot", "vnli", 'never read a prompt with "nothing"'),
        ("a dog that isn't red", "clip", 'never read a prompt with "n\'t"'),
        ("a couple of bananas", "vnli", 'does not know "couple"'),
        ("volcanoes", "vnli", 'does not know "volcanoes"'),
        ("a cap on the left side of the picture", "vnli", "knows left and right of a thing"),
        ("a car between a dog and a cat", "clip", 'does not know "between"'),
        ("an owl holding a cap", "vnli", 'does not know "holding"'),
        ("\N{DOG FACE} and \N{RED APPLE}", "vnli", 'does not know "\N{DOG FACE}"'),
        ("no dogs", "vnli", 'never read a prompt with "no"'),
    ],
)
def test_where_nothing_can_be_judged_there_is_no_score_but_a_reason(
    prompt: str, method: str, reason: str
) -> None:
    report = scored(prompt)
    for score in report.scores[method]:
        assert score.value is None
        assert reason in score.reason
        assert score.coverage is not None
    assert report.rankings[method].order == (0, 1)
    assert not [each for each in report.set_scores if report.ranked_by == method]


@pytest.mark.parametrize(
    ("prompt", "judged", "unjudged"),
    [
        ("a cat behind a car", {"cat", "car"}, {"behind"}),
        ("an owl holding a cap", {"owl", "cap"}, {"holding"}),
        ("an owl on the right and a cap", {"owl", "cap"}, {"right"}),
        ("a traffic light next to a stop sign", {"light", "sign"}, set()),
        ("a dog and \N{RED APPLE}", {"dog"}, {"\N{RED APPLE}"}),
        (
            "a woman riding a car past the Eiffel Tower",
            {"car"},
            {"woman", "riding", "past", "Eiffel", "Tower"},
        ),
    ],
)
def test_an_unknown_word_is_not_judged_and_hides_no_answer_about_the_others(
    prompt: str, judged: set[str], unjudged: set[str]
) -> None:
    report = scored(prompt)
    for score in report.scores["vq2"]:
        assert score.value is not None
        assert {entry.pair.answer.text.split()[-1] for entry in score.evidence} == judged
        assert {word.text for word in score.coverage.uncovered} == unjudged
    assert judgements(report) == (False, False)


def test_what_could_not_be_judged_is_told_pair_by_pair() -> None:
    (first, _) = scored("7 red apples").scores["vq2"]
    reasons = {each.pair.answer.text: each.reason for each in first.unscored}
    assert reasons == dict.fromkeys(
        ("7 red apples", "7"), "the scoring model has seen at most 6 of a thing"
    )
    assert {entry.pair.answer.text for entry in first.evidence} == {"red", "apples"}
    assert (first.coverage.scored, first.coverage.asked) == (2, 4)
    assert [word.text for word in first.coverage.uncovered] == ["7"]


@pytest.mark.parametrize(
    "prompt",
    ["can you draw a dog at night?", "I want an icon of a red car", "could we have two owls"],
)
def test_how_a_picture_is_asked_for_is_no_part_of_what_it_shows(prompt: str) -> None:
    report = scored(prompt)
    for method in ("vq2", "vnli", "clip"):
        score = report.scores[method][0]
        assert score.value is not None, (method, score.note)
        assert score.coverage is not None
        assert score.coverage.uncovered == ()


@pytest.mark.parametrize("prompt", ["a red can", "Can you draw a red can?"])
def test_a_can_is_a_thing_that_nobody_here_knows(prompt: str) -> None:
    for method in ("vq2", "vnli", "clip"):
        score = scored(prompt).scores[method][0]
        assert score.coverage is not None
        unjudged = [word.start for word in score.coverage.uncovered if word.text.lower() == "can"]
        assert unjudged == [prompt.rindex("can")]
        assert method == "vq2" or score.value is None


def test_a_known_prompt_is_covered_whole() -> None:
    for scores in scored("a red apple and a green star on the beach").scores.values():
        for score in scores:
            assert score.coverage.share == 1
            assert score.value is not None


STICKERS = Path(__file__).parents[2] / "assets" / "benchmarks" / "stickers"


def sticker_score(name: str, prompt: str, method: str = "vq2") -> float:
    with PillowImage.open(STICKERS / name) as image:
        ((found,),) = alignment.score([image.convert("RGB")], [prompt], EMBEDDED, method).scores
    assert found.value is not None, found.reason
    return found.value


@pytest.mark.parametrize(
    ("name", "prompt", "low", "high"),
    [
        ("105.png", "robot, no bucket", 0, 0.5),  # three red buckets
        ("092.png", "no teapot", 0, 0.5),  # three black teapots
        ("241.png", "a beach without a shirt", 0, 0.5),  # two blue shirts
        ("405.png", "a crown and no cows", 0, 0.5),  # a black crown and two cows
        ("105.png", "a robot but no teapot", 0.9, 1),
        ("241.png", "two shirts without a balloon", 0.9, 1),
    ],
)
def test_what_is_ruled_out_fails_where_there_is_one_or_more_of_it(
    name: str, prompt: str, low: float, high: float
) -> None:
    assert low <= sticker_score(name, prompt) <= high


@pytest.mark.parametrize("method", ["vnli", "clip"])
def test_counts_in_digits_are_scored_as_those_in_words(method: str) -> None:
    digits, words = "3 red buckets & 1 robot", "three red buckets and one robot"
    assert sticker_score("105.png", digits, method) == sticker_score("105.png", words, method)


def test_an_emoji_counts_only_for_a_model_that_knows_few_words() -> None:
    text, known = "a dog and \N{DOG FACE}", Knowledge(frozenset({"dog"}), most=1)
    pair = QuestionAnswer("what animal is there?", AnswerSpan("a dog", 0, 5), 1.0)
    assert coverage_of_pairs(text, [pair], [], known).share == 0.5
    assert coverage_of_pairs(text, [pair], []).share == 1


def test_what_is_asked_of_one_thing_is_not_asked_of_another() -> None:
    """Where "red" of the apple alone is asked, that of the car is not judged."""
    text = "the apple is red and the car is red"
    asked = ("what color is the apple?", "red", 13), ("what object is there?", "the car", 21)
    pairs = [
        QuestionAnswer(question, AnswerSpan(words, start, start + len(words)), 1.0)
        for question, words, start in asked
    ]
    assert [(each.text, each.start) for each in coverage_of_pairs(text, pairs, []).uncovered] == [
        ("red", 32)
    ]
