"""Questions are kept when the text itself leads back to the answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.loading import load_text
from alignment.models import ModelSpec, Templates
from alignment.questions import (
    KEPT_FROM,
    normalised_words,
    tidy_question,
    token_f1,
    without_repeats,
    write_questions,
)
from alignment.records import AnswerSpan, QuestionAnswer

TEXT = "a black apple and a green backpack"


def span(text: str, within: str = TEXT) -> AnswerSpan:
    start = within.index(text)
    return AnswerSpan(text, start, start + len(text))


class Scripted:
    """A text model that says what it was told to, whatever it reads."""

    def __init__(self, *outputs: str) -> None:
        self.templates = Templates()
        self.outputs = list(outputs)
        self.asked: list[str] = []

    def complete(self, texts: Sequence[str]) -> list[str]:
        self.asked.extend(texts)
        return self.outputs[: len(texts)]


@pytest.mark.parametrize(
    ("prediction", "gold", "expected"),
    [
        ("green", "green", 1.0),
        ("The Green!", "a green", 1.0),
        ("a green backpack", "green", 2 / 3),
        ("black apple", "green backpack", 0.0),
        ("apple apple", "apple", 2 / 3),
        ("two green backpacks on grass", "two", 1 / 3),
        ("", "green", 0.0),
        ("the", "a", 1.0),
    ],
)
def test_token_f1_is_that_of_squad(prediction: str, gold: str, expected: float) -> None:
    # Worked by hand from the definition in the SQuAD evaluation script.
    assert token_f1(prediction, gold) == pytest.approx(expected)


@given(st.text(), st.text())
def test_token_f1_is_a_symmetric_overlap(one: str, other: str) -> None:
    assert token_f1(one, other) == token_f1(other, one)
    assert 0 <= token_f1(one, other) <= 1
    assert token_f1(one, one) == 1


@given(st.text())
def test_normalised_words_are_their_own_normal_form(text: str) -> None:
    words = normalised_words(text)
    assert normalised_words(" ".join(words)) == words


def test_a_pair_is_kept_when_the_reader_finds_the_span_again() -> None:
    spans = [span("black"), span("green")]
    writer = Scripted("what color is the apple?", "what color is the backpack?")
    reader = Scripted("a black apple", "nothing like it")
    pairs = write_questions(TEXT, spans, writer, reader)
    assert pairs == (QuestionAnswer("what color is the apple?", spans[0], 2 / 3),)
    assert pairs[0].round_trip >= KEPT_FROM


def test_the_models_are_asked_in_the_form_they_were_trained_on() -> None:
    writer, reader = Scripted("what color is the apple?"), Scripted("black")
    write_questions(TEXT, [span("black")], writer, reader)
    assert writer.asked == [f"answer: black  context: {TEXT}"]
    assert reader.asked == [f"question: what color is the apple?  context: {TEXT}"]


def test_the_same_question_and_answer_is_kept_once() -> None:
    twice = "an apple and an apple"
    first, second = AnswerSpan("apple", 3, 8), AnswerSpan("apple", 16, 21)
    writer = Scripted("what fruit is there?", "What fruit is there?")
    pairs = write_questions(twice, [first, second], writer, Scripted("apple", "apple"))
    assert [pair.answer for pair in pairs] == [first]


def test_one_question_with_two_answers_stays_twice() -> None:
    pairs = [QuestionAnswer("what is there?", span(text), 1.0) for text in ("apple", "backpack")]
    assert without_repeats(pairs) == tuple(pairs)


def test_a_text_without_spans_asks_nothing() -> None:
    writer, reader = Scripted(), Scripted()
    assert write_questions("🙂", [], writer, reader) == ()
    assert writer.asked == reader.asked == []


def test_the_label_that_some_writers_put_before_a_question_is_taken_off() -> None:
    assert tidy_question(" Question: who is question: master? ") == "who is question: master?"


def test_a_batch_of_texts_is_completed_as_each_text_alone(text_spec: ModelSpec) -> None:
    model = load_text(text_spec)
    texts = [f"answer: {word}  context: {TEXT}" for word in ("black", "a green backpack", "🙂")]
    together = model.complete(texts)
    assert together == [model.complete([text])[0] for text in texts]


def test_a_real_model_writes_pairs_that_quote_the_text(text_spec: ModelSpec) -> None:
    model = load_text(text_spec)
    for pair in write_questions(TEXT, [span("black"), span("backpack")], model, model):
        assert TEXT[pair.answer.start : pair.answer.end] == pair.answer.text
