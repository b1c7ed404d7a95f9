"""What describes a thing, and the phrase it stands in, depend on the thing."""

import pytest

from alignment.questions.dependencies import dependencies, rests_on, undermined
from alignment.records import AnswerSpan


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


@pytest.mark.parametrize(
    ("text", "pieces", "expected"),
    [
        ("a banana in a bowl", {"banana": "thing", "in a bowl": "place", "bowl": "thing"}, (0, 2)),
        (
            "a cat wearing a cap",
            {"cat": "thing", "wearing a cap": "action", "cap": "thing"},
            (0, 2),
        ),
        ("a cat and a dog in a bowl", {"cat": "thing", "in a bowl": "place", "dog": "thing"}, (2,)),
        ("in a bowl a banana", {"banana": "thing", "in a bowl": "place"}, ()),
    ],
)
def test_a_place_or_an_action_rests_on_the_thing_before_it(
    text: str, pieces: dict[str, str], expected: tuple[int, ...]
) -> None:
    plain = spans(text, *pieces)
    kinds = zip(plain, pieces.values(), strict=True)
    told = [AnswerSpan(each.text, each.start, each.end, kind) for each, kind in kinds]
    assert rests_on(told)[1] == expected


def test_several_questions_about_a_thing_are_all_its_parents() -> None:
    thing, colour = AnswerSpan("dog", 6, 9), AnswerSpan("red", 2, 5)
    phrase = AnswerSpan("a red dog", 0, 9)
    assert dependencies([colour, thing, thing, phrase]) == ((1, 2), (), (), (1, 2))


def test_a_failure_goes_all_the_way_down() -> None:
    assert undermined([False, True, True], ((), (0,), (1,))) == [False, True, True]
