"""What a prompt rules out becomes a pair that expects no, and is asked about alone."""

from __future__ import annotations

import pytest

from alignment.evaluation import read_prompt
from alignment.models.catalogue import BUNDLES
from alignment.models.loading import Models
from alignment.questions.negation import ruled_out, without
from alignment.questions.words import spelled
from alignment.records import QuestionAnswer

EMBEDDED = Models(BUNDLES["embedded"])
pytestmark = pytest.mark.skipif(
    not BUNDLES["embedded"].question_writer.embedded, reason="the embedded models are not there"
)

RULED_OUT = [
    ("no dogs", ["dogs"], ""),
    ("0 cats", ["cats"], ""),
    ("two dogs without a tree", ["a tree"], "two dogs"),
    ("a dog but no cat", ["cat"], "a dog"),
    ("a dog, not a cat", ["a cat"], "a dog"),
    ("a treeless beach", ["tree"], "a beach"),
    ("an apple that is not red", ["red"], "an apple"),
    ("a man not wearing a hat", ["a hat"], "a man"),
    ("a dog without a cat or a duck on the grass", ["a cat", "a duck"], "a dog on the grass"),
    ("two dogs, not three", ["three"], "two dogs"),
    ("two dogs and not 3", ["3"], "two dogs"),
    ("two shirts instead of a balloon", ["a balloon"], "two shirts"),
    ("a crown rather than a mushroom", ["a mushroom"], "a crown"),
    ("a crown except for two cows", ["two cows"], "a crown"),
    ("a crown, minus two cows", ["two cows"], "a crown"),
    ("a crown other than black", ["black"], "a crown"),
    ("a cap-free picture with an owl", ["cap"], "a picture with an owl"),
    ("a colourless crown", [], "a colourless crown"),
    ("no more than two cats", [], "no more than two cats"),
    ("not three but two dogs", [], "not three but two dogs"),
    ("a red apple and a green backpack", [], "a red apple and a green backpack"),
    ("a wireless telephone", [], "a wireless telephone"),
]


@pytest.mark.parametrize(("prompt", "pieces", "rest"), RULED_OUT)
def test_a_prompt_is_split_into_what_it_asks_for_and_what_it_rules_out(
    prompt: str, pieces: list[str], rest: str
) -> None:
    found = ruled_out(EMBEDDED.parser(prompt))
    assert [piece.answer.text for piece in found] == pieces
    for piece in found:
        assert prompt[piece.answer.start : piece.answer.end] == piece.answer.text
    assert without(prompt, found).text == rest


@pytest.mark.parametrize(
    ("prompt", "several"),
    [
        ("a robot but no bucket", "buckets"),
        ("not a red bucket", "red buckets"),
        ("a bucketless robot", "buckets"),
        ("no snowman", "snowmen"),
        ("no buckets", ""),
        ("a crown that is not black", ""),
        ("two dogs, not three", ""),
        ("a shirt with no y on it", "ys"),
    ],
)
def test_one_thing_that_is_ruled_out_is_ruled_out_in_any_number(prompt: str, several: str) -> None:
    (piece,) = ruled_out(EMBEDDED.parser(prompt))
    assert piece.also == several


def asked(prompt: str) -> tuple[QuestionAnswer, ...]:
    return read_prompt(prompt, EMBEDDED)


@pytest.mark.parametrize(
    ("prompt", "negated", "plain"),
    [
        ("no dogs", {"dogs"}, set()),
        ("two dogs without a tree", {"a tree"}, {"two dogs", "two", "dogs"}),
        ("a dog but no cat", {"cat"}, {"a dog", "dog"}),
        ("an apple that is not red", {"red"}, {"an apple", "apple"}),
        ("two dogs, not three", {"three"}, {"two dogs", "two", "dogs"}),
    ],
)
def test_what_is_ruled_out_is_asked_once_and_expects_no(
    prompt: str, negated: set[str], plain: set[str]
) -> None:
    pairs = asked(prompt)
    assert {pair.answer.text for pair in pairs if pair.negated} == negated
    assert {pair.answer.text for pair in pairs if not pair.negated} == plain
    for pair in pairs:
        assert prompt[pair.answer.start : pair.answer.end] == pair.answer.text
        assert " no " not in pair.question


def test_a_count_in_digits_is_asked_as_one_in_words() -> None:
    digits, words = asked("3 bananas and a cake"), asked("three bananas and a cake")
    assert [pair.question for pair in digits] == [pair.question for pair in words]
    assert [spelled(pair.answer.text) for pair in digits] == [pair.answer.text for pair in words]


def test_a_count_that_is_ruled_out_is_asked_of_what_was_counted() -> None:
    (pair,) = (pair for pair in asked("two dogs, not three") if pair.negated)
    assert (pair.question, pair.answer.text) == ("how many dogs are there?", "three")


def test_one_of_two_things_of_a_name_is_marked() -> None:
    pairs = {pair.answer.text: pair.repeated for pair in asked("a red heart and a blue heart")}
    assert pairs == {"a red heart": "heart", "red": "heart", "heart": "", "a blue heart": "heart"}
    assert {pair.repeated for pair in asked("a red heart and a blue star")} == {""}


def test_the_number_of_a_thing_that_is_named_again_and_again_cannot_be_judged() -> None:
    pairs = {pair.answer.text: pair.repeated for pair in asked("a cat, a cat and a dog")}
    assert pairs["cat"] == "cat"
    assert pairs["dog"] == ""


@pytest.mark.parametrize(
    "prompt", ["a red apple and no green apple", "no red apple, but a green apple"]
)
def test_a_thing_that_is_ruled_out_does_not_make_another_of_its_name_one_of_two(
    prompt: str,
) -> None:
    assert {pair.repeated for pair in asked(prompt)} == {""}
