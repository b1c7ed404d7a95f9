"""The vocabulary of the embedded models, as words by category."""

from __future__ import annotations

from itertools import chain

import pytest

from tests.ui.reading import read
from ui.render.vocabulary import CATEGORIES, categories, word_list
from ui.vocabulary import load_vocabulary, vocabulary_warning


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


@pytest.mark.parametrize(
    ("prompt", "generated", "said"),
    [
        ("five red apples", True, "These models have seen at most four of a thing."),
        ("4 red apples", True, ""),
        ("9" * 5000 + " apples", True, "at most four"),  # more digits than Python reads
        ("a red heart and a blue heart", False, "two different things called"),
        ("two dogs without a tree", True, "Generating ignores &quot;without&quot;."),
        ("two dogs without a tree", False, ""),
    ],
)
def test_what_cannot_be_drawn_or_judged_is_said_before_generate(
    prompt: str, generated: bool, said: str
):
    warning = vocabulary_warning(prompt, "embedded", generated)
    assert said in warning
    assert bool(said) == bool(warning)
    assert "not in the vocabulary" not in warning


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("ein roter Apfel und ein grüner Rucksack", ("ein", "roter", "apfel", "grüner")),
        ("une pomme rouge et un sac vert", ("une", "pomme", "rouge")),
        ("красное яблоко", ("красное", "яблоко")),
        ("二个红苹果 猫", ("二个红苹果", "猫")),
        ("the café at night", ("café",)),
        ("a zebra", ("zebra",)),
    ],
)
def test_words_of_whatever_language_that_are_not_known_are_named(
    prompt: str, words: tuple[str, ...]
):
    said = vocabulary_warning(prompt, "embedded", generated=True)
    assert said.count("Not known here") == 1
    assert all(f"&quot;{word}&quot;" in said for word in words)
