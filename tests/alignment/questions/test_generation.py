"""Questions are kept when the text itself leads back to the answer."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer

from alignment.models.loading import load_text
from alignment.models.spec import ScoringModel, Templates
from alignment.models.text import SequenceToSequence
from alignment.questions.generation import write_questions
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.round_trip import Cut, normalised_words, token_f1
from alignment.questions.settings import KEPT_FROM, Vq2Settings
from tests.alignment.tiny_evaluators import BY_HEART, TEXT, TWICE


def span(text: str, within: str = TEXT) -> AnswerSpan:
    start = within.index(text)
    return AnswerSpan(text, start, start + len(text))


def cuts(*spans: AnswerSpan, text: str = TEXT) -> list[Cut]:
    """Each read with the whole text."""
    return [Cut(text, each.start, each) for each in spans]


@pytest.fixture(scope="module")
def pen(text_spec: ScoringModel) -> SequenceToSequence:
    """A real T5 that knows `BY_HEART` and nothing else."""
    return load_text(text_spec)


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


def test_a_pair_is_kept_when_the_reader_finds_the_span_again(pen: SequenceToSequence) -> None:
    pairs = write_questions(cuts(span("black"), span("green")), pen, pen)
    # "a black apple" shares one of two words with "black"; "you see" none with "green".
    assert pairs == (QuestionAnswer("what color is the apple?", span("black"), 2 / 3),)
    assert KEPT_FROM <= 2 / 3


def test_words_that_stand_twice_are_asked_about_once(pen: SequenceToSequence) -> None:
    first, second = AnswerSpan("apple", 3, 8), AnswerSpan("Apple", 16, 21)
    pairs = write_questions(cuts(first, second, text=TWICE), pen, pen)
    assert pairs == (QuestionAnswer("what is there?", first, 1.0),)


def test_one_question_with_two_answers_stays_twice(pen: SequenceToSequence) -> None:
    spans = [span("apple"), span("backpack")]
    pairs = write_questions(cuts(*spans), pen, pen)
    assert [(pair.question, pair.answer) for pair in pairs] == [
        ("what is there?", spans[0]),
        ("what is there?", spans[1]),
    ]


def test_the_filter_may_keep_every_pair(pen: SequenceToSequence) -> None:
    kept = write_questions(cuts(span("black"), span("green")), pen, pen, Vq2Settings(filter=0))
    assert [(pair.answer.text, pair.round_trip) for pair in kept] == [
        ("black", 2 / 3),
        ("green", 0),
    ]


def test_several_questions_for_a_span_are_each_kept_once(pen: SequenceToSequence) -> None:
    settings = Vq2Settings(questions_per_span=4, filter=0)
    pairs = write_questions(cuts(span("black"), span("apple")), pen, pen, settings)
    asked = [(pair.answer.text, pair.question) for pair in pairs]
    assert len(set(asked)) == len(asked) > 2
    assert [answer for answer, _ in asked] == sorted((a for a, _ in asked), key=TEXT.index)
    assert ("black", "what color is the apple?") in asked


def test_the_likeliest_alternative_is_the_completion(pen: SequenceToSequence) -> None:
    texts = list(BY_HEART)[:3]
    beams = pen.alternatives(texts, 3)
    assert [len(each) for each in beams] == [3, 3, 3]
    assert [each[0] for each in beams] == pen.complete(texts)


def test_alternatives_are_sampled_from_their_own_seed(pen: SequenceToSequence) -> None:
    texts = ["answer: pink  context: an image"]
    before = torch.random.get_rng_state()
    first, again, other = (pen.alternatives(texts, 6, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_text_longer_than_in_training_is_read_to_its_end(
    pen: SequenceToSequence, text_spec: ScoringModel
) -> None:
    brief = AutoTokenizer.from_pretrained(text_spec.source, model_max_length=4)
    reader = SequenceToSequence(pen._network, brief, Templates())
    assert reader.complete(list(BY_HEART)) == list(BY_HEART.values())
