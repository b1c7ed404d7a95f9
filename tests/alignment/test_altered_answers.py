"""Without a language model a prompt is contradicted by other answers to its own questions."""

from __future__ import annotations

import pytest
from PIL.Image import Image

from alignment.altered_answers import Change, altered_answers, changes_of, surviving
from alignment.loading import Models
from alignment.records import AnswerSpan, QuestionAnswer
from alignment.vision import Ask, Pictures
from tests.alignment.tiny_judges import TEXT

APPLE, BACKPACK = "what color is the apple?", "what color is the backpack?"


def pair(question: str, answer: str, text: str) -> QuestionAnswer:
    start = text.index(answer)
    return QuestionAnswer(question, AnswerSpan(answer, start, start + len(answer)), 1.0)


@pytest.mark.parametrize(
    ("question", "word", "survives"),
    [
        (APPLE, "black", True),
        pytest.param(BACKPACK, "black", False, id="the writer asks otherwise"),
        pytest.param(BACKPACK, "green", False, id="the reader finds something else"),
    ],
)
def test_a_word_survives_the_round_trip_of_the_question_it_answers(
    question: str, word: str, survives: bool, models: Models
) -> None:
    """What the tiny T5 knows by heart of `TEXT`, here the changed prompt."""
    change = Change(pair(question, "red", "a red apple"), word, TEXT)
    kept = [*surviving([change], models.question_writer, models.reader)]
    assert kept == ([change] if survives else [])


@pytest.mark.parametrize(
    ("text", "answer", "changed"),
    [
        ("a black apple", "black", ["a see apple"]),
        pytest.param("a black apple, see", "black", [], id="the prompt says it already"),
        pytest.param("a seed", "seed", [], id="it is a form of the answer"),
    ],
)
def test_what_the_model_would_say_next_takes_the_place_of_the_answer(
    text: str, answer: str, changed: list[str], models: Models, images: tuple[Image, ...]
) -> None:
    """To this question "see" is the only word that comes to the tiny model."""
    asked = pair("you see", answer, text)
    found = changes_of(text, asked, Pictures(images), models.answerer)
    assert [change.text for change in found] == changed


def test_an_answer_of_several_words_is_left_alone(
    models: Models, images: tuple[Image, ...]
) -> None:
    asked = [pair(APPLE, "black apple", TEXT)]
    pens = models.question_writer, models.reader
    assert altered_answers(TEXT, asked, Pictures(images), models.answerer, *pens) == ()


def test_the_likeliest_beginning_is_that_of_the_answer(
    models: Models, images: tuple[Image, ...]
) -> None:
    model = models.answerer
    for image in images:
        features = model.encode([image])
        (answer,) = model.answer(features, [Ask(0, APPLE)])
        first, *rest = model.likeliest(features, APPLE, 5)
        assert answer.startswith(first)
        assert len(rest) == 4


def test_yes_comes_before_no_where_the_pictures_say_yes_on_average(
    models: Models, images: tuple[Image, ...]
) -> None:
    model = models.answerer
    features = model.encode(images)
    every = model.likeliest(features, APPLE, len(model.family.tokenizer))
    verdicts = model.p_yes(features, [Ask(i, APPLE) for i in range(len(images))])
    yes = sum(each.probability * each.confidence for each in verdicts)
    no = sum((1 - each.probability) * each.confidence for each in verdicts)
    # "yes" has two spellings in this vocabulary; the likelier has at least half of its chance.
    assert yes > 2 * no or no > yes, "the tiny model has no opinion to test by"
    first = min(every.index("yes"), every.index("Yes"))
    assert (first < every.index("no")) == (yes > no)
