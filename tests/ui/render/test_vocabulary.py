"""The vocabulary of the embedded models, as words by category."""

import pytest

from generation import MODELS
from tests.ui.reading import read
from ui.render.replacements import vocabulary_warning
from ui.render.vocabulary import categories, known_words, vocabulary_of, word_list


def test_things_are_listed_from_a_to_z():
    things = categories(vocabulary_of("stickers"))["things"]
    assert [*things] == sorted(vocabulary_of("stickers")["classes"])


def test_every_word_is_a_button_that_carries_it():
    buttons = read(word_list(vocabulary_of("stickers"))).all("button", "word")
    assert {"owl", "purple", "three", "hatched", "at night", "above"} <= {
        str(button["data-word"]) for button in buttons
    }


@pytest.mark.parametrize(
    ("prompt", "model", "said"),
    [
        ("five red apples", "stickers", "These models count to four."),
        ("4 red apples", "stickers", ""),
        ("six red apples", "icons", ""),
        ("7 red apples", "icons", "These models count to six."),
        ("99 red apples", "stickers", "These models count to four."),
        ("9" * 5000 + " apples", "stickers", "Not known here"),  # more digits than Python reads
        ("a red heart and a blue heart", "", "two different things called"),
        (
            "two dogs without a tree",
            "stickers",
            "The text-to-image model ignores &quot;without&quot;.",
        ),
        ("two dogs without a tree", "", ""),
        ("two dogs without any trees", "icons", ""),
        ("no dogs, just a cat", "icons", ""),
        (
            "two dogs that are not brown",
            "icons",
            "The text-to-image model ignores &quot;not&quot;.",
        ),
        ("a volcano", "sdxl", "Not known here: &quot;volcano&quot;"),
        ("a red apple", "sdxl", ""),
    ],
)
def test_what_cannot_be_drawn_or_judged_is_said_before_generate(prompt: str, model: str, said: str):
    warning = vocabulary_warning(prompt, "embedded", model)
    assert said in warning
    assert bool(said) == bool(warning)


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
    said = vocabulary_warning(prompt, "embedded", "stickers")
    assert said.count("Not known here") == 1
    assert all(f"&quot;{word}&quot;" in said for word in words)


def test_evaluators_and_models_of_the_hub_know_every_word():
    assert "&quot;volcano&quot;" in vocabulary_warning("a volcano", "small", "stickers")
    assert vocabulary_warning("a volcano", "small", "sdxl") == ""


def test_the_embedded_evaluators_know_every_word_of_the_models_of_few_words():
    judged = known_words(vocabulary_of("", "embedded"), generated=True)
    limited = [spec.name for spec in MODELS.values() if spec.knows]
    assert limited == ["icons", "stickers"]
    for name in limited:
        assert known_words(vocabulary_of(name), generated=True) <= judged
