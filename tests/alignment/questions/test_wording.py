"""A question is checked by another reader than the model that wrote it."""

from __future__ import annotations

import pytest

from alignment.models.catalogue import BUNDLES
from alignment.models.loading import Models
from alignment.questions.wording import fault

EMBEDDED = Models(BUNDLES["embedded"])
pytestmark = pytest.mark.skipif(
    not BUNDLES["embedded"].parser.embedded, reason="the prompt parser is not there"
)


@pytest.mark.parametrize(
    ("question", "prompt", "said"),
    [
        ("what is next to the no dogs please?", "no dogs please", "is not English"),
        ("what color is the teapot please?", "draw me a purple teapot please", "is not English"),
        ("what is next to the ?", "without electricity, a candle", "is not English"),
        ("where is the to the how?", "how to the left", "is not English"),
        ("what is next to theout electricity?", "a house without electricity", '"theout" is not'),
        ("what is the book like?", "a big book", "nothing definite"),
        ("how many apples are there?", "three bananas", '"apples" is not in the prompt'),
        ("what color is the backpack?", "a red apple", '"backpack" is not in the prompt'),
        ("the apple is red", "a red apple", "it is not a question"),
        ("apple?", "a red apple", "it is not a question"),
    ],
)
def test_a_question_that_is_no_english_or_off_the_prompt_is_refused(
    question: str, prompt: str, said: str
) -> None:
    assert said in fault(question, prompt, EMBEDDED.parser)


@pytest.mark.parametrize(
    ("question", "answer", "refused"),
    [
        ("what object is there?", "12", True),
        ("what object is there?", "twelve", True),
        ("what is next to the teapots?", "a couple", True),
        ("how many apples are there?", "12", False),
        ("what number is there?", "12", False),
        ("what object is there?", "apples", False),
    ],
)
def test_a_bare_number_answers_only_a_question_about_a_number(
    question: str, answer: str, refused: bool
) -> None:
    assert bool(fault(question, "12 apples and the number 12", EMBEDDED.parser, answer)) == refused


@pytest.mark.parametrize(
    ("question", "answer", "refused"),
    [
        ("what animal is there?", "an empty beach", True),
        ("what object is there?", "snowy mountains", True),
        ("what kind of animal is there?", "an empty beach", True),
        ("what animal is there?", "a zebra", False),
        ("what object is there?", "a beach ball", False),
        ("where does this take place?", "an empty beach", False),
        ("what place is there?", "an empty beach", False),
        ("what is there?", "an empty beach", False),
    ],
)
def test_a_place_answers_no_question_for_a_thing(question: str, answer: str, refused: bool) -> None:
    assert bool(fault(question, f"{answer} at noon", EMBEDDED.parser, answer)) == refused


@pytest.mark.parametrize(
    ("question", "prompt"),
    [
        ("what fruit is there?", "a red apple"),
        ("how many apples are there?", "5 red apples"),
        ("how many balloon are there?", "two balloons"),
        ("where does this take place?", "a cat on the beach"),
        ("what time of day is it?", "a star at night"),
        ("is the candle lit or unlit?", "a lit candle"),
        ("is the moon full or crescent?", "a full moon"),
        ("where is the owl?", "an owl to the left of a pink umbrella"),
        ("What color is the woman's hat?", "a woman with a red hat"),
        ("What kind of animal is the man holding?", "a man holding a cat"),
    ],
)
def test_a_question_about_the_prompt_is_kept(question: str, prompt: str) -> None:
    assert fault(question, prompt, EMBEDDED.parser) == ""
