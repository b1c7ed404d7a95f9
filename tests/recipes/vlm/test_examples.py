"""Examples of the VLM: the answers that they ask for are true of their scenes."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipes.vlm.examples import ExampleWriter
from recipes.vlm.grounding import NounLabels
from recipes.vlm.train import SETTINGS
from recipes.world.domains import ICONS, PRACTICE_STICKERS, Domain
from recipes.world.scenes import Box, Group, Scene
from tests.recipes.art import needs_art

SEEDS = st.integers(0, 2**32 - 1)

DOMAINS = st.sampled_from([ICONS, PRACTICE_STICKERS])
ANSWERS = {"p": {"yes", "no"}, "s": {"yes", "no"}, "e": {"yes", "no"}, "v": {"yes", "no"}}
ANSWERS["b"] = {"1", "0"}


@given(SEEDS, DOMAINS, st.sampled_from(sorted(ANSWERS)))
def test_each_kind_of_question_has_its_answers(seed: int, domain: Domain, kind: str) -> None:
    rng = np.random.default_rng(seed)
    (example,) = ExampleWriter(domain).examples(rng, domain.sample(rng, "train"), kind)
    assert example.answer in ANSWERS[kind]
    assert all(0 <= at < len(example.prompt) for at, _ in example.claims)


@pytest.mark.parametrize("kind", "pesvb")
def test_true_and_false_are_about_as_frequent(kind: str) -> None:
    rng = np.random.default_rng(1)
    writer = ExampleWriter(ICONS)
    scenes = [ICONS.sample(rng, "train") for _ in range(400)]
    answers = [writer.examples(rng, scene, kind)[0].answer for scene in scenes]
    assert 0.3 < np.mean([answer in ("yes", "1") for answer in answers]) < 0.7


def test_the_settings_of_every_world_ask_known_kinds() -> None:
    for settings in SETTINGS.values():
        assert {*settings.naming, *settings.answering} <= {*ANSWERS, "f"}


@given(SEEDS)
def test_of_twins_no_answer_is_asked_that_could_be_either(seed: int) -> None:
    twins = Group("balloon", "red"), Group("balloon", "blue")
    scene = Scene(twins, ((Box(0, 32, 64),), (Box(64, 32, 64),)), "plain")
    example, *_ = ExampleWriter(ICONS).examples(np.random.default_rng(seed), scene, "f")
    assert not re.search(
        "how many balloons|color (is|are) the balloon|where (is|are) the balloon", example.prompt
    )


def test_nothing_is_said_to_have_two_colours() -> None:
    balls = Group("sports ball", "red"), Group("sports ball", "blue")
    scene = Scene(balls, ((Box(0, 32, 64),), (Box(64, 32, 64),)), "plain")
    writer, twice = (
        ExampleWriter(ICONS),
        re.compile("(red and blue|blue and red) *(sports ball| true)"),
    )
    for kind, no in (("p", "no"), ("e", "no"), ("b", "0")):
        examples = [
            writer.examples(np.random.default_rng(seed), scene, kind)[0] for seed in range(400)
        ]
        answers = {each.answer for each in examples if twice.search(each.prompt)}
        assert answers == {no}, kind


def test_names_of_several_words_are_found_whole() -> None:
    labels = NounLabels(ICONS)
    text = "two wine glasses next to a tv remote"
    found = [
        (text[: end + 1].split(" ", 1)[1], labels.things[at]) for end, at in labels.nouns(text)
    ]
    assert found[0] == ("wine glasses", "wine glass")
    assert found[1][1] == "tv remote"


@needs_art
def test_a_noun_that_means_two_looks_is_asked_for_neither_colour() -> None:
    twins = Group("balloon", "red"), Group("balloon", "blue")
    scene = Scene(twins, ((Box(0, 32, 64),), (Box(64, 32, 64),)), "plain")
    labels = NounLabels(PRACTICE_STICKERS)
    count, colour, state, *covered = labels.of([scene])[0, labels.things.index("balloon")].tolist()
    assert (count, colour, state) == (2, -100, -100)
    assert 8 < sum(covered) <= 32
