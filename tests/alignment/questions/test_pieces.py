"""A question for a piece of the prompt is written from no more than what it is said of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language

from alignment import Models, find_bundle
from alignment.questions.pieces import piece_about
from alignment.questions.spans import answer_spans

PIECES = {
    "a pink tv on a gray table": {
        "a pink tv": "a pink tv",
        "pink": "a pink tv",
        "on a gray table": "a pink tv on a gray table",
        "gray": "a gray table",
    },
    "a girl sitting on a green sofa with a rabbit": {"on a green sofa": "a girl on a green sofa"},
    "a sheep wearing a cap next to a cup": {"wearing a cap": "a sheep wearing a cap"},
    "The tv is pink and the table is gray": {"pink": "The tv is pink", "gray": "the table is gray"},
    "on a table, a red apple": {"on a table": "on a table, a red apple"},
    "make a black cat on a red couch": {"on a red couch": "a black cat on a red couch"},
    "at night": {"at night": "at night"},
}
"""Prompt -> answer -> what its question is written from."""
WORDS = "a the red two cats dog tv is and on of in next to wearing hat full table no , draw".split()


@pytest.fixture(scope="module")
def parser() -> Language:
    return Models(find_bundle("embedded")).parser


@pytest.mark.parametrize("prompt", PIECES)
def test_the_piece_is_the_phrase_that_an_answer_is_said_of(prompt: str, parser: Language) -> None:
    doc = parser(prompt)
    read = {span.text: piece_about(doc, span).text for span in answer_spans(doc)}
    assert read.items() >= PIECES[prompt].items()


@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_whatever_is_asked_for_stands_in_its_piece(text: str) -> None:
    doc = Models(find_bundle("embedded")).parser(text)
    for span in answer_spans(doc):
        piece = piece_about(doc, span)
        assert piece.text[piece.start :].startswith(span.text)
