"""What the seed says of what a prompt leaves open, and what it leaves alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.completion import BACKGROUNDS, TIMES, complete_prompt, left_open

SEEDS = st.integers(0, 2**32 - 1)
SAID = (
    "two large cats on the beach",
    "three small red cars at night",
    "a tiny owl above a huge key in the snow",
    "mountains at sunrise",
    "a lion asleep under a tree in the afternoon",
    "a kite above the trees on a windy day",
    "a baby elephant, sunny day, no clouds",
    "red heart, white background",
    "white sheep in a green field",
    "a park without trees",
    "a cow in a field of flowers",
    "two sharks and a turtle underwater",
)
"""Prompts that say when, or name a place that the model draws."""


@given(SEEDS, st.sampled_from(SAID))
def test_no_second_time_or_place_is_added(seed: int, prompt: str) -> None:
    assert complete_prompt(prompt, seed) == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "a penguin on the ice",
        "a fox in the fog",
        "an owl on a branch",
        "a castle on top of a hill",
        "a horse next to a fence",
        "a cupcake with a candle on top",
    ],
)
def test_a_place_that_the_model_does_not_draw_gets_no_second_one_but_a_time(prompt: str) -> None:
    assert left_open(prompt).backgrounds == TIMES


@pytest.mark.parametrize(
    "prompt",
    [
        "a cat on a sofa",
        "a bird on the back of a cow",
        "an owl to the left of a key",
        "a photo of a dog",
        "a dog photo",
        "Of Mice and Men",
        "a fire truck",
        "a toy train under a christmas tree",
        "a wizard with a wand",
    ],
)
def test_things_named_with_others_may_stand_anywhere(prompt: str) -> None:
    assert left_open(prompt).backgrounds == BACKGROUNDS


def test_white_things_do_not_stand_in_the_snow() -> None:
    assert "in the snow" not in left_open("a white rabbit").backgrounds


@given(SEEDS, st.sampled_from(("a red car", "an owl and a green key", "two cats")))
def test_every_word_of_the_prompt_but_its_joints_stays(seed: int, prompt: str) -> None:
    words = complete_prompt(prompt, seed).split()
    assert {*prompt.split()} - {"and", "an"} <= {*words}


def test_seeds_differ_in_all_that_is_open() -> None:
    texts = [complete_prompt("an apple and a dog", seed) for seed in range(200)]
    for phrase in (*BACKGROUNDS, "to the left of", "to the right of", "above", "below"):
        assert any(phrase in text for text in texts)
    assert any(text.endswith("dog") for text in texts)


@pytest.mark.parametrize("prompt", ["an owl and a key at night", "a photo of an owl and a key"])
def test_the_places_of_two_things_are_open_whatever_is_behind_them(prompt: str) -> None:
    start, end = left_open(prompt).joint or (0, 0)
    assert prompt[start:end] == "and"


@pytest.mark.parametrize(
    "prompt",
    [
        "a cat on the left of a dog",
        "a cat with a hat",
        "",
        "cats",
        "a cat, a dog and a hat",
        "two cats and a dog",
        "a cat and two dogs",
        "an owl and a key on a sofa",
    ],
)
def test_places_are_said_only_of_two_single_things_that_have_none(prompt: str) -> None:
    assert left_open(prompt).joint is None
