"""Held-out prompts: each asks for something new, and says what it asks for."""

import numpy as np
import pytest

from recipes.world.held_out_prompts import KINDS, held_out_prompt, line
from recipes.world.splits import is_held_out


@pytest.mark.parametrize("kind", KINDS)
def test_a_prompt_is_of_its_kind_and_holds_what_training_never_shows(kind: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        _, claim = held_out_prompt(rng, kind)
        counts = [group.count for group in claim.groups]
        assert any(map(is_held_out, claim.compositions))
        assert (len(counts) == 1 and counts[0] > 1) == (kind == "count")
        assert bool(claim.relation) == (kind == "relation")
        assert (len(counts) > 1 and sum(counts) > 2) == (kind == "many")
        if kind in ("one", "two"):
            colours = {group.colour for group in claim.groups}
            assert counts == [1] * len(colours)
            assert all(colours)


def test_a_line_leaves_out_what_is_not_asked_for() -> None:
    found = line(np.random.default_rng(3), "one")
    assert set(found) == {"prompt", "kind", "groups", "relation", "background"}
    assert all(set(group) == {"name", "colour", "count"} for group in found["groups"])
