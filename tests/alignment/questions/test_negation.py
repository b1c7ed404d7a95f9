"""What a prompt rules out becomes a pair that expects no, and is asked about alone."""

from dataclasses import replace

import pytest
import spacy
from spacy.tokens import Doc

from alignment.evaluation import read_prompt
from alignment.questions.generation import TWINS
from alignment.questions.negation import read_negation, without
from alignment.questions.records import QuestionAnswer
from alignment.questions.settings import AS_PUBLISHED, RECOMMENDED
from alignment.questions.words import spelled
from tests.alignment.conftest import EMBEDDED

RULED_OUT = [
    ("no dogs", ["dogs"], ""),
    ("two dogs without a tree", ["a tree"], "two dogs"),
    ("a dog but no cat", ["cat"], "a dog"),
    ("robot, no bucket", ["bucket"], "robot"),
    ("a dog without a cat or a duck on the grass", ["a cat", "a duck"], "a dog on the grass"),
    ("a city with no cars or people", ["cars", "people"], "a city"),
    ("a field with no cats, dogs or birds", ["cats", "dogs", "birds"], "a field"),
    ("a bookshelf without any books", ["books"], "a bookshelf"),
    (
        "a large stone pedestal without a statue of a horse",
        ["a statue of a horse"],
        "a large stone pedestal",
    ),
    ("a man without shoes walking on the beach", ["shoes"], "a man walking on the beach"),
    ("a red apple and a green backpack", [], "a red apple and a green backpack"),
]


@pytest.mark.parametrize(("prompt", "pieces", "rest"), RULED_OUT)
def test_a_prompt_is_split_into_what_it_asks_for_and_what_it_rules_out(
    prompt: str, pieces: list[str], rest: str
) -> None:
    read = read_negation(EMBEDDED.parser(prompt))
    assert [piece.answer.text for piece in read.ruled_out] == pieces
    assert read.unaskable == ()
    for piece in read.ruled_out:
        assert prompt[piece.answer.start : piece.answer.end] == piece.answer.text
    assert without(prompt, read.ruled_out).text == rest


NEVER_INVERTED = [
    ("everyone is wearing a hat except the man in red", ["except the man in red"]),
    ("everything is made of glass except the door", ["except the door"]),
    ("all the balloons are red except one", ["except one"]),
    ("a dog with a hat and a cat without one", ["without one"]),
    ("a no smoking sign", []),
    ("a minus sign on a blackboard", []),
    ("zero gravity astronaut", []),
    ("a never ending road", ["never ending road"]),
    ("a hands-free phone", []),
    ("a stainless steel kettle", []),
    ("a 0 on a blackboard", []),
    ("a sign that says 'no dogs allowed'", []),
    ("a sign that says \u201cno dogs allowed\u201d", []),
    ("a book with the words 'Don't Panic!' on it", []),
]
OTHER_SIGNS = [
    ("0 cats", ["0 cats"]),
    ("a dog, not a cat", ["not a cat"]),
    ("an apple that is not red", ["not red"]),
    ("two shirts instead of a balloon", ["instead of a balloon"]),
    ("a crown other than black", ["other than black"]),
    ("no more than two cats", ["no more than two cats"]),
    ("nothing but a robot", ["nothing but a robot"]),
    ("everything but a cat", ["everything but a cat"]),
    ("a black or blue shirt", ["black or blue"]),
    ("two or three cats", ["two or three"]),
    ("a dog, a cat, or a cow", ["a dog, a cat, or a cow"]),
    ("a rather large dog", []),
    ("two dogs and a red car", []),
]


@pytest.mark.parametrize(("prompt", "reach"), [*NEVER_INVERTED, *OTHER_SIGNS])
def test_any_other_sign_inverts_nothing_and_leaves_the_words_in_its_reach_unjudged(
    prompt: str, reach: list[str]
) -> None:
    read = read_negation(EMBEDDED.parser(prompt))
    assert read.ruled_out == ()
    assert [span.text for span in read.unaskable] == reach


def asked(prompt: str) -> tuple[QuestionAnswer, ...]:
    return read_prompt(prompt, EMBEDDED)


@pytest.mark.parametrize(
    ("prompt", "negated", "plain"),
    [
        ("no dogs", {"dogs"}, set()),
        ("two dogs without a tree", {"a tree"}, {"two", "dogs"}),
        ("a dog but no cat", {"cat"}, {"dog"}),
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


def test_what_or_joins_is_ruled_out_by_the_labels_of_the_hub_s_parsers_too() -> None:
    """ClearNLP hangs "or" on what stands before it, Universal Dependencies on what follows."""
    doc = Doc(
        spacy.blank("en").vocab,
        words=["no", "cats", ",", "birds", "or", "dogs"],
        pos=["DET", "NOUN", "PUNCT", "NOUN", "CCONJ", "NOUN"],
        heads=[1, 1, 1, 1, 3, 3],
        deps=["det", "ROOT", "punct", "conj", "cc", "conj"],
    )
    ruled_out = [piece.answer.text for piece in read_negation(doc).ruled_out]
    assert ruled_out == ["cats", "birds", "dogs"]


def test_a_count_in_digits_is_asked_as_one_in_words() -> None:
    digits, words = asked("3 bananas and a cake"), asked("three bananas and a cake")
    assert [pair.question for pair in digits] == [pair.question for pair in words]
    assert [spelled(pair.answer.text) for pair in digits] == [pair.answer.text for pair in words]


def test_as_published_every_span_is_asked_plainly() -> None:
    pairs = read_prompt("two dogs without a tree", EMBEDDED, AS_PUBLISHED)
    assert {"a tree", "two dogs"} <= {pair.answer.text for pair in pairs}
    assert not any(pair.negated or pair.objection for pair in pairs)


def test_every_thing_that_a_prompt_names_is_asked_for() -> None:
    answers = {pair.answer.text for pair in asked("a dog, a cat and a rabbit")}
    assert answers == {"dog", "cat", "rabbit"}


@pytest.mark.parametrize(
    "prompt", ["a lion and a rabbit", "a cup and a book", "a bird above a cat"]
)
def test_no_thing_is_asked_for_beside_another(prompt: str) -> None:
    pairs = [pair for pair in asked(prompt) if pair.kind == "thing"]
    assert len(pairs) >= 2
    for pair in pairs:
        others = {each.answer.text.split()[-1] for each in pairs} - {pair.answer.text.split()[-1]}
        assert not any(other in pair.question for other in others)


@pytest.mark.parametrize(
    ("prompt", "answer", "questions"),
    [
        ("two cats and two dogs", "two", ["how many cats are there?", "how many dogs are there?"]),
        ("a red cat and a red dog", "red", ["what color is the cat?", "what color is the dog?"]),
    ],
)
def test_a_word_that_stands_twice_is_asked_for_twice(
    prompt: str, answer: str, questions: list[str]
) -> None:
    found = [pair for pair in asked(prompt) if pair.answer.text == answer]
    assert [pair.question for pair in found] == questions
    assert len({pair.answer.start for pair in found}) == 2


def test_a_place_is_known_as_one_whatever_is_ruled_out_before_it() -> None:
    kinds = {pair.answer.text: pair.answer.kind for pair in asked("no dogs, a cat on a table")}
    assert (kinds["cat"], kinds["on a table"]) == ("thing", "place")


def test_several_questions_for_a_thing_are_each_asked_once() -> None:
    settings = replace(RECOMMENDED, questions_per_span=2)
    pairs = read_prompt("a lion and a rabbit", EMBEDDED, settings)
    asked_for = [(pair.question, pair.answer) for pair in pairs]
    assert len({*asked_for}) == len(asked_for) > 2


@pytest.mark.parametrize(
    ("prompt", "noun", "told"),
    [
        (
            "a red heart and a blue heart",
            "heart",
            {"a red heart", "red", "a blue heart", "blue"},
        ),
        (
            "the red heart and the blue heart",
            "heart",
            {"the red heart", "red", "the blue heart", "blue"},
        ),
        ("a red heart and a blue star", "", set()),
        ("a cat, a cat and a dog", "cat", {"cat"}),
    ],
)
def test_what_tells_one_of_two_things_of_a_name_from_the_other_is_not_judged(
    prompt: str, noun: str, told: set[str]
) -> None:
    pairs = {pair.answer.text: pair.objection for pair in asked(prompt)}
    assert {text for text, reason in pairs.items() if reason == TWINS.format(noun)} == told
    assert {*pairs.values()} <= {"", TWINS.format(noun)}


def test_a_place_from_one_of_two_things_of_a_name_is_not_judged() -> None:
    pairs = {
        pair.answer.text: pair.objection for pair in asked("a green apple left of a red apple")
    }
    assert pairs["left of a red apple"] == TWINS.format("apple")
    assert pairs["apple"] == ""


@pytest.mark.parametrize(
    "prompt", ["a red apple and no green apple", "no red apple, but a green apple"]
)
def test_a_thing_that_is_ruled_out_does_not_make_another_of_its_name_one_of_two(
    prompt: str,
) -> None:
    assert TWINS.format("apple") not in {pair.objection for pair in asked(prompt)}
