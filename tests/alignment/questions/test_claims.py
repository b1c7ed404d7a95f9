"""What is asked about a prompt is asked once, in the fewest words."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from alignment.questions.claims import asked_once, claims_of
from alignment.questions.dependencies import rests_on
from alignment.questions.records import AnswerSpan, QuestionAnswer

PROMPT = "two green frogs in a hat on the grass, a red car and a red dog"
THINGS = "what is there?"


def pair(said: str, question: str = THINGS, after: int = 0, **marks: bool) -> QuestionAnswer:
    start = PROMPT.index(said, after)
    kind = "count" if said == "two" else "thing"
    span = AnswerSpan(said, start, start + len(said), kind)
    return QuestionAnswer(question, span, 1.0, **marks)


def told(*pairs: QuestionAnswer, unknown: str = "nothing") -> list[str]:
    return [each.answer.text for each in asked_once(pairs, lambda p: unknown not in p.answer.text)]


def test_a_thing_is_asked_for_without_its_number_where_that_is_asked() -> None:
    parts = pair("two", "how many frogs?"), pair("green", "what color?"), pair("frogs")
    assert told(pair("two green frogs"), *parts) == ["green frogs", "two", "green", "frogs"]
    assert told(pair("two green frogs"), *parts[1:]) == ["two green frogs", "green", "frogs"]
    assert told(pair("two green frogs"), *parts, unknown="two")[0] == "two green frogs"


def test_a_colour_and_its_thing_are_asked_for_together_as_well() -> None:
    parts = pair("red", "what color is the car?"), pair("car")
    assert told(pair("a red car"), *parts) == ["red car", "red", "car"]


def test_no_article_is_asked_for() -> None:
    assert told(pair("a hat"), pair("hat")) == ["hat"]
    (found,) = asked_once([pair("a hat")], lambda _: True)
    assert (found.answer.text, PROMPT[found.answer.start : found.answer.end]) == ("hat", "hat")
    assert PROMPT[slice(*found.answer.phrase)] == "a hat"


def test_a_place_is_named_once_and_where_a_thing_is_says_more_than_the_thing() -> None:
    where = "where does this take place?"
    said = "on the grass", "the grass", "grass"
    assert told(*(pair(each, where) for each in said)) == ["grass"]
    assert told(pair("in a hat", "where are the frogs?"), pair("a hat")) == ["in a hat", "hat"]


def test_colours_of_two_things_are_two_claims() -> None:
    colours = pair("red", "what color is the car?"), pair("red", "what color is the dog?", 48)
    assert told(*colours) == ["red", "red"]
    assert len(claims_of(colours)) == 2


def test_what_stands_twice_is_asked_once_and_all_questions_about_it_are_kept() -> None:
    assert told(pair("a red"), pair("red", after=48)) == ["red"]
    asked = told(pair("car"), pair("car", "what vehicle is there?"))
    assert asked == ["car", "car"]


def test_what_is_ruled_out_is_asked_beside_what_is_asked_for_and_stays_as_it_is() -> None:
    ruled_out = replace(pair("a red car"), negated=True)
    assert told(pair("a red car"), ruled_out) == ["red car", "a red car"]


def test_what_is_not_judged_for_a_reason_hides_nothing_that_is() -> None:
    twin = replace(pair("a red"), objection="there are two")
    assert told(twin, pair("red", after=48)) == ["a red", "red"]


def test_words_that_are_said_twice_are_no_shorter_answer() -> None:
    text = "an orange orange"
    whole, colour = AnswerSpan(text, 0, 16), AnswerSpan("orange", 3, 9)
    asked = QuestionAnswer("what fruit?", whole, 1.0), QuestionAnswer("what color?", colour, 1.0)
    assert told(*asked) == ["orange orange", "orange"]


def test_a_place_of_a_thing_is_asked_for_with_its_preposition_whatever_it_is_asked_with() -> None:
    question = "where are the frogs?"
    assert told(pair("in a hat", question), pair("a hat", question)) == ["in a hat", "hat"]


def test_a_number_of_several_words_is_taken_off_whole() -> None:
    spans = [
        AnswerSpan("two hundred balloons", 0, 20, "thing"),
        AnswerSpan("two hundred", 0, 11, "count"),
    ]
    pairs = [QuestionAnswer("?", span, 1.0) for span in spans]
    assert told(*pairs) == ["balloons", "two hundred"]


def test_what_describes_a_thing_still_rests_on_it() -> None:
    parts = pair("two green frogs"), pair("two"), pair("green"), pair("frogs")
    asked = asked_once(parts, lambda _: True)
    assert [each.answer.text for each in asked] == ["green frogs", "two", "green", "frogs"]
    assert rests_on(asked) == ((2, 3), (3,), (3,), ())


def test_what_was_taken_from_a_phrase_of_which_nothing_else_is_asked_rests_on_nothing() -> None:
    cup = AnswerSpan("cup", 11, 14, phrase=(6, 24))
    assert rests_on([QuestionAnswer(THINGS, cup, 1.0)]) == ((),)


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(1, 4), st.sampled_from("abc"))))
def test_every_word_that_was_asked_for_still_is_and_a_second_look_changes_nothing(
    cuts: list[tuple[int, int, str]],
) -> None:
    starts = [0, *(at + 1 for at, letter in enumerate(PROMPT) if letter == " ")]
    pairs = []
    for first, length, question in cuts:
        start = starts[first % len(starts)]
        last = starts[min(first + length, len(starts) - 1)] - 1
        if last > start:
            pairs.append(QuestionAnswer(question, AnswerSpan(PROMPT[start:last], start, last), 1.0))
    once = asked_once(pairs, lambda _: True)
    words = {word for each in pairs for word in re.findall(r"\w+", each.answer.text)}
    kept = {word for each in once for word in re.findall(r"\w+", each.answer.text)}
    assert words - kept <= {"a", "the", "in", "on", "and"}
    assert asked_once(once, lambda _: True) == once
    for kept in (once, once[1:], once[::2]):
        assert len(rests_on(kept)) == len(kept)
