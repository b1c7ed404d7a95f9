import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Evidence, ImageScore
from benchmarks.stickers.evaluators import (
    answer_questions,
    changed_ranges,
    example_of,
    pointing_at,
    read_examples,
)
from benchmarks.stickers.quality import answer_numbers

TEXT = "a white cat on a mat"
SENTENCES = st.lists(st.sampled_from("a red cat dog on mat".split()), max_size=8).map(" ".join)


def evidence(words: str, probability: float) -> Evidence:
    start = TEXT.index(words)
    span = AnswerSpan(words, start, start + len(words))
    return Evidence(QuestionAnswer("?", span, 1.0), probability)


def judged(*entries: Evidence) -> ImageScore:
    return ImageScore("vq2", 0.5, evidence=entries)


PAIRS = (evidence("white", 0.2), evidence("white cat", 0.6), evidence("a mat", 0.4))


def test_the_weakest_pair_is_right_when_it_is_about_changed_words() -> None:
    """Of three pairs two are: what a pair chosen at random would reach."""
    changed = [(2, 7)]
    assert pointing_at(judged(*PAIRS), changed) == (True, pytest.approx(2 / 3))
    elsewhere = judged(*PAIRS, evidence("cat", 0.1))
    assert pointing_at(elsewhere, changed) == (False, pytest.approx(1 / 2))
    assert pointing_at(ImageScore("vq2", None, "no question"), changed) == (None, 0.0)


@pytest.mark.parametrize(
    ("caption", "foil", "words"),
    [
        ("A pink star", "two pink stars", ["two", "stars"]),
        ("a red cat and a blue dog", "a blue cat and a red dog", ["blue", "red"]),
        ("a cat", "a cat and a dog", ["and a dog"]),
        ("a cat and a dog", "a cat", ["cat"]),
    ],
)
def test_changed_words_are_those_that_the_caption_does_not_have(
    caption: str, foil: str, words: list[str]
) -> None:
    found = {foil[start:end] for start, end in changed_ranges(caption, foil)}
    assert found == {word for each in words for word in each.split()}


@given(SENTENCES)
def test_a_foil_that_is_its_caption_has_no_changed_words(text: str) -> None:
    assert changed_ranges(text, text.upper()) == []


@given(SENTENCES, SENTENCES)
def test_changed_ranges_are_whole_words_of_the_foil(caption: str, foil: str) -> None:
    assert {foil[start:end] for start, end in changed_ranges(caption, foil)} <= set(foil.split())


def test_where_ranges_are_not_given_they_are_found() -> None:
    line = {"image": "1.png", "caption": "a black cat on a mat", "foil": TEXT}
    known = {**line, "changed": {"kind": "colour", "ranges": [[2, 11]]}}
    blank = Image.new("RGB", (8, 8))
    found, told = (example_of(each, lambda _: blank) for each in (line, known))
    assert (found.changed, found.kind) == (((2, 7),), "")
    assert (told.changed, told.kind) == (((2, 11),), "colour")


def test_found_ranges_lie_within_those_the_sticker_test_set_gives() -> None:
    """Where colours or things change places, either half of the exchange may be found."""
    examples = [each for each in read_examples() if each.kind not in {"binding", "relation"}]
    assert len(examples) > 100
    agreeing = sum(
        {*changed_ranges(each.caption, each.foil)}
        >= {place for place in each.changed if " " not in each.foil[slice(*place)]}
        for each in examples
    )
    assert agreeing / len(examples) > 0.95


def test_examples_without_questions_are_asked_none() -> None:
    blank = Image.new("RGB", (8, 8))
    plain = example_of({"image": "1.png", "caption": "a cat", "foil": TEXT}, lambda _: blank)
    answered = answer_questions([plain], Models(find_bundle("embedded")).answerer)
    assert [*answer_numbers(answered, np.random.default_rng(7))] == []
