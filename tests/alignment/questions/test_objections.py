"""What no question can ask is told, and no reply to it counts."""

from __future__ import annotations

import pytest

from alignment.evaluation import read_prompt
from alignment.models.catalogue import BUNDLES
from alignment.models.loading import Models
from alignment.questions.objections import unaskable
from alignment.questions.spans import uncounted
from alignment.scorers.scorer import left_out

EMBEDDED = Models(BUNDLES["embedded"])
pytestmark = pytest.mark.skipif(
    not BUNDLES["embedded"].question_writer.embedded, reason="the embedded models are not there"
)


@pytest.mark.parametrize(
    ("prompt", "pieces"),
    [
        ("a cat or a dog", ["a cat or a dog"]),
        ("a black or blue shirt", ["black or blue"]),
        ("two or three cats", ["two or three"]),
        ("a dog, a cat, or a cow", ["a dog, a cat, or a cow"]),
        ("three cakes and a red cat or a dog", ["a red cat or a dog"]),
        ("a cat and/or a dog on the beach", ["a cat and/or a dog"]),
        ("a dog/cat", ["a dog/cat"]),
        ("nothing but a robot, at night", ["nothing but a robot"]),
        ("a crown of any colour but black", ["any colour but black"]),
        ("a crown apart from two cows", ["apart from two cows"]),
        ("everything but a cat", ["everything but a cat"]),
        ("not only a cat but also a dog", ["not only a cat but also a dog"]),
        ("two dogs and a red car", []),
        ("a small but red car", []),
        ("a cat besides a dog", []),
        ("a neon sign of 0", []),
        ("all cars are red, but the cat is black", []),
    ],
)
def test_choices_and_limits_are_found(prompt: str, pieces: list[str]) -> None:
    assert [span.text for span in unaskable(EMBEDDED.parser(prompt))] == pieces


@pytest.mark.parametrize(
    ("prompt", "nouns"),
    [
        ("teapots", ["teapots"]),
        ("many red teapots", ["teapots"]),
        ("a couple of crowns", ["crowns"]),
        ("some cats and two dogs", ["cats"]),
        ("3 red buckets", []),
        ("two dogs, the dogs are brown", []),
        ("a telephone that is blue and three small snowmen", []),
        ("a teapot", []),
    ],
)
def test_several_things_without_a_number_are_found(prompt: str, nouns: list[str]) -> None:
    assert [span.text for span in uncounted(prompt, EMBEDDED.parser)] == nouns


@pytest.mark.parametrize(
    ("prompt", "asked", "unasked"),
    [
        ("a robot or a suitcase", set(), {"a robot", "robot", "a suitcase", "suitcase"}),
        ("a black or blue shirt", {"shirt"}, {"a black or blue shirt", "blue"}),
        ("a dog with no hat, a cat with a hat", set(), {"hat", "a cat", "cat", "a hat"}),
        ("a red apple and no green apple", {"a red apple", "red", "apple", "green apple"}, set()),
    ],
)
def test_no_judge_is_asked_what_leaves_a_choice_or_contradicts_itself(
    prompt: str, asked: set[str], unasked: set[str]
) -> None:
    pairs = read_prompt(prompt, EMBEDDED)
    dropped = left_out(pairs, knows=None)
    assert {each.pair.answer.text for each in dropped} == unasked
    assert {pair.answer.text for pair in pairs} - unasked == asked


@pytest.mark.parametrize("prompt", ["many teapots", "an owl on the right", "a purple zebra"])
def test_a_judge_without_limits_is_asked_what_a_small_one_does_not_know(prompt: str) -> None:
    pairs = read_prompt(prompt, EMBEDDED)
    assert pairs
    assert left_out(pairs, knows=None) == ()
