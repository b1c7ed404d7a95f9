"""What can be asked of everyday prompts, some of whose nouns the embedded models do not know."""

import pytest

from alignment import Models, find_bundle, read_prompt
from alignment.records import QuestionAnswer
from alignment.scorers import knowledge_of
from alignment.scorers.scorer import left_out

PROMPTS = {
    "a cat on a sofa": {"a cat", "on a sofa"},
    "a dog playing with a ball": {"a dog", "a ball"},
    "a bicycle leaning against a tree": {"a bicycle", "a tree"},
    "a cup of coffee and a book on a table": {"a cup", "a book", "on a table"},
    "a girl holding a red balloon": {"a red balloon"},
    "two birds on a wire": {"two birds"},
    "a cat wearing a hat": {"a cat", "a hat"},
    "a lion and a rabbit": {"a lion", "a rabbit"},
    "an astronaut riding a cow": {"an astronaut", "a cow"},
    "a bowl of soup next to an apple": {"a bowl", "an apple"},
    "a fluffy dog in a garden": {"dog"},
    "three apples in a basket": {"three apples"},
    "a man walking a dog on the beach": {"a dog", "on the beach"},
    "a duck swimming in a lake": {"a duck"},
    "a guitar and a piano": {"a guitar"},
    "a boat under a full moon": {"a boat", "under a full moon"},
    "a horse next to a tree": {"a horse", "next to a tree"},
    "a robot reading a newspaper": {"a robot"},
    "a birthday cake with candles": {"cake", "candles"},
    "an owl sitting on a branch": {"an owl"},
    "a vase of roses on a windowsill": {"a vase", "roses"},
}
"""Prompt -> the widest phrases of which something can be asked."""


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


@pytest.mark.xfail(strict=True, reason="sticker-t5 answers with the verb, too: car parked")
def test_a_thing_before_a_verb_is_asked_for_with_its_colour(embedded: Models):
    prompt = "a red car parked in front of a house"
    pairs = read_prompt(prompt, embedded)
    withheld = left_out(pairs, knowledge_of(embedded, "answerer"))
    assert {pair.answer.text for pair in pairs} - {each.pair.answer.text for each in withheld} >= {
        "a red car",
        "a house",
    }


def test_no_question_names_a_thing_that_the_prompt_does_not(embedded: Models) -> None:
    asked = {pair.question for pair in read_prompt("one large chair.", embedded)}
    assert asked == {"what object is there?", "is the chair large or small?"}


@pytest.mark.parametrize(
    ("prompt", "things"),
    [
        ("a tv remote beside a soccer ball", {"a tv remote", "a soccer ball"}),
        ("two  hot\u00a0dogs", {"two  hot\u00a0dogs"}),
        ("a b\u0131rd on a car", {"a car"}),
        ("a cat and stop signs", {"a cat", "stop signs"}),
    ],
)
def test_a_known_name_of_several_words_is_asked_for_whole(
    embedded: Models, prompt: str, things: set[str]
) -> None:
    pairs = read_prompt(prompt, embedded)
    withheld = {each.pair for each in left_out(pairs, knowledge_of(embedded, "answerer"))}
    assert widest([pair for pair in pairs if pair not in withheld]) == things


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
