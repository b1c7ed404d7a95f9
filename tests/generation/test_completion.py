"""What the seed says of what a prompt leaves open, and what it leaves alone."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.completion import ASPECTS, BACKGROUNDS, complete_prompt

SEEDS = st.integers(0, 2**32 - 1)
SAID = (
    "two large cats on the beach",
    "three small red cars at night",
    "a tiny owl above a huge key in the snow",
)
"""Prompts that leave nothing open."""


@given(SEEDS, st.sampled_from(SAID))
def test_a_prompt_that_leaves_nothing_open_stays_as_it_is(seed: int, prompt: str) -> None:
    assert complete_prompt(prompt, seed) == prompt


@given(SEEDS, st.sampled_from(("a red car", "an owl and a green key", "two cats")))
def test_every_word_of_the_prompt_but_its_joints_stays(seed: int, prompt: str) -> None:
    words = complete_prompt(prompt, seed).split()
    assert {*prompt.split()} - {"and", "an"} <= {*words}


def test_seeds_differ_in_all_that_is_open() -> None:
    texts = [complete_prompt("an apple and a dog", seed) for seed in range(200)]
    for phrase in (*BACKGROUNDS, "to the left of", "to the right of", "above", "below"):
        assert any(phrase in text for text in texts)
    assert any(text.endswith("dog") for text in texts)


@pytest.mark.parametrize("prompt", ["a cat on the left of a dog", "a cat with a hat", "", "cats"])
def test_places_are_said_only_of_two_things_that_have_none(prompt: str) -> None:
    assert {ASPECTS["place"](prompt, Random(seed)) for seed in range(30)} == {prompt}
