"""The benchmark of seeded completion, on two images in each direction."""

import numpy as np
import pytest
from PIL import Image as PillowImage

from alignment.models.loading import Models
from benchmarks.completion import GridFigures, grid_figures, measure, open_prompts
from benchmarks.stickers.detector import load_detector


def test_prompts_leave_the_background_open_and_are_of_every_kind() -> None:
    prompts = open_prompts(each=2)
    assert [prompt.kind for prompt in prompts[::2]] == ["one", "two", "count", "relation", "many"]
    assert not any(prompt.background for prompt in prompts)


def test_images_that_are_alike_have_no_diversity_and_blank_ones_show_nothing(
    models: Models,
) -> None:
    known = open_prompts(1)[0], models, load_detector()
    red, navy = (PillowImage.new("RGB", (128, 128), name) for name in ("red", "navy"))
    assert grid_figures([red, red], *known).diversity == pytest.approx(0, abs=1e-6)
    assert grid_figures([red, navy], *known).diversity > 1e-4
    assert grid_figures([red, navy], *known).right == 0


def test_the_change_of_a_prompt_is_between_its_own_two_grids() -> None:
    """Every prompt gains .25: its interval is that point, whatever lies between prompts."""
    found = [(GridFigures(base, 1.0), GridFigures(base + 0.25, 0.5)) for base in (0.0, 0.125, 0.5)]
    numbers = {n.signature: n for n in measure(found, np.random.default_rng(0), model="m")}
    change = numbers["diversity|of:change|model:m|n:3"]
    assert (change.value, change.low, change.high) == (0.25, 0.25, 0.25)
    assert numbers["right|of:change|model:m|n:3"].value == -0.5
