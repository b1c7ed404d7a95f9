"""What no question can ask is told, and is put to no model."""

import pytest

from alignment.evaluation import read_prompt
from alignment.models.spec import ICON_WORLD
from alignment.questions.knowledge import UNFINISHED, Knowledge, read_knowledge
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.scorers.scorer import left_out
from tests.alignment.conftest import EMBEDDED


@pytest.mark.parametrize(
    ("prompt", "asked", "unasked"),
    [
        ("a robot or a suitcase", set(), {"robot", "suitcase"}),
        ("a black or blue shirt", {"shirt"}, {"a black or blue shirt", "blue"}),
        ("a dog with no hat, a cat with a hat", {"dog", "cat"}, {"hat"}),
        ("a red apple and no green apple", {"red apple", "red", "apple", "green apple"}, set()),
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


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("a cat on a car", []),
        ("a cat on top of a car", []),
        ("a cat in a box on the grass", ["box"]),
        ("a cat on top", ["top"]),
        ("a cat in a top hat", ["top"]),
        ("a cat in a car", []),
        ("a cat at a car", ["at"]),
        ("a cat in the snow", []),
        ("a cat on the green grass at night", []),
        ("a car on the left of a cat", []),
    ],
)
def test_a_judge_of_few_words_is_asked_only_for_places_that_it_has_seen(
    text: str, unknown: list[str]
) -> None:
    found = (text[at:].split(maxsplit=1)[0] for at in read_knowledge(ICON_WORLD).unknown(text))
    assert [*found] == unknown


@pytest.mark.parametrize(
    ("prompt", "unknown"),
    [
        ("some cats", ""),
        ("several red teapots", ""),
        ("teapots", ""),
        ("a couple of crowns", 'does not know "couple"'),
        ("a dozen eggs", 'does not know "dozen"'),
    ],
)
def test_things_without_a_number_are_judged_and_numbers_that_nobody_taught_are_not(
    prompt: str, unknown: str
) -> None:
    objection = read_knowledge(ICON_WORLD).objection_to_prompt(
        prompt, read_prompt(prompt, EMBEDDED)
    )
    assert unknown in objection
    assert bool(unknown) == bool(objection)


def test_a_question_that_ran_on_is_not_put_to_a_model_of_few_words() -> None:
    knowledge = Knowledge(frozenset({"red", "the"}), most=1)
    pair = QuestionAnswer("red the red the red", AnswerSpan("red", 0, 3), 1.0)
    assert left_out([pair], knowledge)[0].reason == UNFINISHED


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("what flower is there?", "a tulip", ""),
        ("Which flowers are there?", "tulips", ""),
        ("what traffic light is there?", "a car", ""),
        ("what color are the hot dogs?", "red", ""),
        ("where is the flower?", "above a car", 'the scoring model does not know "flower"'),
        ("what color is the flower?", "red", 'the scoring model does not know "flower"'),
        ("what flower is there?", "a flower", 'the scoring model does not know "flower"'),
    ],
)
def test_a_category_is_what_a_thing_is_called_that_a_question_asks_for_and_no_thing(
    question: str, answer: str, reason: str
) -> None:
    pair = QuestionAnswer(question, AnswerSpan(answer, 0, len(answer)), 1.0)
    assert read_knowledge(ICON_WORLD).objection_to(pair) == reason
