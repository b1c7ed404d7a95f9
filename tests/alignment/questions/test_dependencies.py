"""What describes a thing, and the phrase it stands in, depend on the thing."""

from dataclasses import replace

import pytest

from alignment.questions.dependencies import dependencies, rests_on, undermined
from alignment.questions.records import AnswerSpan, QuestionAnswer


def spans(text: str, *pieces: str) -> list[AnswerSpan]:
    return [
        AnswerSpan(piece, text.index(piece), text.index(piece) + len(piece)) for piece in pieces
    ]


CASES = {
    "a thing alone": ("an owl", ["an owl", "owl"], {"an owl": ["owl"]}),
    "a colour depends on its thing, and no thing on another": (
        "a black apple and a green backpack",
        ["a black apple", "black", "apple", "green", "backpack", "a green backpack"],
        {
            "a black apple": ["apple"],
            "black": ["apple"],
            "green": ["backpack"],
            "a green backpack": ["backpack"],
        },
    ),
    "a group of colours and each of them depend on the thing": (
        "a black and white cat",
        ["a black and white cat", "black and white", "black", "white", "cat"],
        {
            "a black and white cat": ["cat"],
            "black and white": ["cat"],
            "black": ["cat"],
            "white": ["cat"],
        },
    ),
    "a place depends on what makes it": (
        "a dog on the wet grass",
        ["dog", "on the wet grass", "the wet grass", "wet", "grass"],
        {"on the wet grass": ["grass"], "the wet grass": ["grass"], "wet": ["grass"]},
    ),
}


@pytest.mark.parametrize(("text", "pieces", "expected"), CASES.values(), ids=CASES)
def test_dependencies(text: str, pieces: list[str], expected: dict[str, list[str]]) -> None:
    parents = dependencies(spans(text, *pieces))
    found = {
        piece: [pieces[parent] for parent in each]
        for piece, each in zip(pieces, parents, strict=True)
        if each
    }
    assert found == expected


WHERE = "where is the {}?"


def of(text: str, answer: str, question: str = "what is there?") -> QuestionAnswer:
    start, whole = text.index(answer), question.startswith("where")
    kind = "place" if whole else "action" if "wearing" in question else "thing"
    return QuestionAnswer(question, AnswerSpan(answer, start, start + len(answer), kind), 1.0)


@pytest.mark.parametrize(
    ("text", "place", "question", "things", "expected"),
    [
        ("a banana in a bowl", "in a bowl", WHERE.format("banana"), ["banana"], {"banana"}),
        ("a cat and a dog in a bowl", "in a bowl", WHERE.format("dog"), ["cat", "dog"], {"dog"}),
        ("a cat in the snow next to a tree", "next to a tree", WHERE.format("cat"), ["cat", "snow"],
         {"cat"}),
        ("a dog on a chair wearing a hat", "wearing a hat", "what is the dog wearing?",
         ["dog", "chair"], {"dog"}),
        ("below a duck is a car", "below a duck", WHERE.format("car"), ["car", "duck"],
         {"car", "duck"}),
        ("two cats on the beach", "on the beach", "where does this take place?", ["cats"], set()),
    ],
)  # fmt: skip
def test_a_place_or_an_action_rests_on_the_thing_that_it_is_asked_of(
    text: str, place: str, question: str, things: list[str], expected: set[str]
) -> None:
    pairs = [of(text, place, question), *(of(text, thing) for thing in things)]
    assert {pairs[index].answer.text for index in rests_on(pairs)[0]} == expected


def test_a_place_rests_on_nothing_that_is_ruled_out() -> None:
    text = "no cat on a table"
    denied = replace(of(text, "cat"), negated=True)
    assert rests_on([of(text, "on a table", WHERE.format("cat")), denied]) == ((), ())


def test_several_questions_about_a_thing_are_all_its_parents() -> None:
    thing, colour = AnswerSpan("dog", 6, 9), AnswerSpan("red", 2, 5)
    phrase = AnswerSpan("a red dog", 0, 9)
    assert dependencies([colour, thing, thing, phrase]) == ((1, 2), (), (), (1, 2))


def test_a_failure_goes_all_the_way_down() -> None:
    assert undermined([False, True, True], ((), (0,), (1,))) == [False, True, True]
