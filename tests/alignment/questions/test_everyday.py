"""What can be asked of everyday prompts, some of whose nouns the embedded models do not know."""

import pytest

from alignment import Models, find_bundle, read_prompt
from alignment.questions.records import QuestionAnswer
from alignment.scorers import knowledge_of
from alignment.scorers.scorer import left_out

PROMPTS = {
    "a cat on a sofa": {"cat", "on a sofa"},
    "a dog playing with a ball": {"dog", "ball"},
    "a bicycle leaning against a tree": {"bicycle", "tree"},
    "a cup of coffee and a book on a table": {"cup", "book", "on a table"},
    "a cat and an orange": {"cat", "orange"},
    "the sun above the mountains": {"sun", "above the mountains"},
    "a girl holding a red balloon": {"red balloon"},
    "two birds on a wire": {"two", "birds"},
    "a cat wearing a hat": {"cat", "wearing a hat"},
    "a lion and a rabbit": {"lion", "rabbit"},
    "an astronaut riding a cow": {"astronaut", "cow"},
    "a bowl of soup next to an apple": {"bowl", "apple"},
    "a fluffy dog in a garden": {"dog"},
    "three apples in a basket": {"three", "apples"},
    "a man walking a dog on the beach": {"dog", "beach"},
    "a duck swimming in a lake": {"duck"},
    "a guitar and a piano": {"guitar"},
    "a boat under a full moon": {"boat", "under a full moon"},
    "a horse next to a tree": {"horse", "next to a tree"},
    "a robot reading a newspaper": {"robot"},
    "a birthday cake with candles": {"cake", "candles"},
    "an owl sitting on a branch": {"owl"},
    "a vase of roses on a windowsill": {"vase", "roses"},
}
"""Prompt -> the widest answers that can be asked for."""


@pytest.fixture(scope="module")
def embedded() -> Models:
    return Models(find_bundle("embedded"))


def widest(pairs: list[QuestionAnswer]) -> set[str]:
    spans = {pair.answer for pair in pairs}
    return {
        one.text
        for one in spans
        if not any(o.start <= one.start and one.end <= o.end and o != one for o in spans)
    }


def test_a_known_thing_is_asked_for_whatever_unknown_word_stands_beside_it(embedded: Models):
    knows = knowledge_of(embedded, "answerer")
    found = {}
    for prompt in PROMPTS:
        pairs = read_prompt(prompt, embedded)
        withheld = {each.pair for each in left_out(pairs, knows)}
        found[prompt] = widest([pair for pair in pairs if pair not in withheld])
    assert found == PROMPTS


def test_a_thing_before_a_verb_is_asked_for_with_its_colour(embedded: Models):
    prompt = "a red car parked in front of a house"
    pairs = read_prompt(prompt, embedded)
    withheld = left_out(pairs, knowledge_of(embedded, "answerer"))
    assert {pair.answer.text for pair in pairs} - {each.pair.answer.text for each in withheld} >= {
        "red car",
        "house",
    }


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a pink tv on a gray table", {"what color is the tv?": "pink"}),
        ("a pink tv on a gray table", {"what color is the table?": "gray"}),
        (
            "a monkey on an elephant and a bird on the monkey",
            {"where is the monkey?": "on an elephant", "where is the bird?": "on the monkey"},
        ),
        (
            "a sheep wearing a cap next to a cup",
            {"what is the sheep wearing?": "wearing a cap", "where is the sheep?": "next to a cup"},
        ),
        ("can you make a cat on a red couch", {"where is the cat?": "on a red couch"}),
        ("show me two dogs please", {"how many dogs are there?": "two"}),
    ],
)
def test_a_question_is_about_what_its_answer_is_said_of(
    prompt: str, expected: dict[str, str], embedded: Models
) -> None:
    asked = {pair.question: pair.answer.text for pair in read_prompt(prompt, embedded)}
    assert asked.items() >= expected.items()


def test_no_question_names_a_thing_that_the_prompt_does_not(embedded: Models) -> None:
    asked = {pair.question for pair in read_prompt("one large chair.", embedded)}
    assert asked == {
        "how many chairs are there?",
        "is the chair large or small?",
        "what furniture is there?",
        "what object is there?",
    }


@pytest.mark.parametrize(
    ("prompt", "things"),
    [
        ("a tv remote beside a soccer ball", {"tv remote", "soccer ball"}),
        ("two  hot\u00a0dogs", {"two", "hot\u00a0dogs"}),
        ("a b\u0131rd on a car", {"car"}),
        ("a cat and stop signs", {"cat", "stop signs"}),
    ],
)
def test_a_known_name_of_several_words_is_asked_for_whole(
    embedded: Models, prompt: str, things: set[str]
) -> None:
    pairs = read_prompt(prompt, embedded)
    withheld = {each.pair for each in left_out(pairs, knowledge_of(embedded, "answerer"))}
    assert widest([p for p in pairs if p not in withheld and p.kind != "place"]) == things


@pytest.mark.parametrize(
    "prompt",
    [
        "two apples, two cakes and two cats",
        "three ducks and three airplanes",
        "a black apple and a black car",
        "the black apple and the black car",
    ],
)
def test_a_question_about_a_repeated_word_is_of_the_thing_that_it_names(
    embedded: Models, prompt: str
):
    told = [pair for pair in read_prompt(prompt, embedded) if pair.kind in ("count", "attribute")]
    assert told
    for pair in told:
        noun = prompt[pair.answer.end :].split(maxsplit=1)[0].strip(",").removesuffix("s")
        assert noun in pair.question


@pytest.mark.parametrize(
    ("prompt", "word", "question"),
    [
        ("a cat and an orange", "orange", "what fruit is there?"),
        ("an orange cat", "orange", "what color is the cat?"),
        ("the sun above the mountains", "above the mountains", "where is the sun?"),
        ("two kites over the city", "over the city", "where are the kites?"),
    ],
)
def test_a_word_of_two_meanings_is_asked_for_as_it_stands(
    prompt: str, word: str, question: str, embedded: Models
) -> None:
    asked = {pair.answer.text: pair.question for pair in read_prompt(prompt, embedded)}
    assert asked[word] == question
