"""The vocabulary of the embedded models, as words by category."""

from __future__ import annotations

from itertools import chain

from tests.ui.reading import read
from ui.render.vocabulary import CATEGORIES, categories, word_list
from ui.vocabulary import load_vocabulary


def test_every_thing_is_in_one_category():
    listed = list(chain.from_iterable(CATEGORIES.values()))
    assert len(listed) == len(set(listed))
    shown = categories(load_vocabulary())
    known = load_vocabulary()["classes"]
    assert known.keys() <= {*chain.from_iterable(shown.values())}


def test_every_word_is_a_button_that_carries_it():
    buttons = read(word_list(load_vocabulary())).all("button", "word")
    assert {"owl", "purple", "three", "hatched", "at night", "above"} <= {
        str(button["data-word"]) for button in buttons
    }
