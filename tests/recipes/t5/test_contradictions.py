"""A contradiction says the same in the same words, but for one thing that is not so."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recipes.t5.contradictions import contradicting, contradiction
from recipes.t5.examples import sticker_caption
from recipes.world.captions import Description, SceneCaption, Span
from recipes.world.scenes import Group
from recipes.world.worlds import WORLD

seeds = st.integers(0, 2**32 - 1)
OWL_LEFT = SceneCaption(
    "An owl to the left of a red car at night",
    Description((Group("owl"), Group("car", "red")), "left", "night"),
    (
        Span("object", 0, 3, 6),
        Span("relation", 0, 7, 31),
        Span("colour", 1, 24, 27),
        Span("background", -1, 32, 40),
    ),
)


@given(seeds)
def test_one_span_is_changed_beside_the_article_before_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    caption, world = sticker_caption(rng)
    text, changed = caption.text.lower(), contradiction(rng, caption, world)
    assert changed != text
    kept = [(text[: max(0, s.start - len("an "))], text[s.end :]) for s in caption.spans]
    assert any(changed.startswith(before) and changed.endswith(after) for before, after in kept)


def test_relations_turn_to_their_opposite() -> None:
    (changed,) = contradicting(OWL_LEFT, WORLD)["relation"]
    assert changed == "an owl to the right of a red car at night"


def test_articles_fit_the_new_word() -> None:
    assert (
        "an owl to the left of an orange car at night" in (contradicting(OWL_LEFT, WORLD)["colour"])
    )
    assert "a cat to the left of a red car at night" in (contradicting(OWL_LEFT, WORLD)["object"])


def test_no_other_thing_of_the_caption_is_named_again() -> None:
    assert "car to the left of a red car" not in (
        " ".join(contradicting(OWL_LEFT, WORLD)["object"])
    )


def test_one_of_a_thing_keeps_its_number() -> None:
    assert "count" not in contradicting(OWL_LEFT, WORLD)
