"""The attention that places draw is the same estimate everywhere."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from alignment.evaluation import attention_of
from alignment.ranking import rank
from alignment.records import GridReport
from request import Request
from session.attention import SHOWN_SIDE, attention, saliency_overlay
from session.state import GridImages, GridState
from session.storage import load_images

SIDE = 512


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> GridState:
    """Two by two images of 512 px, noise of different strength, ranked."""
    folder = tmp_path_factory.mktemp("large")
    files = tuple(noise(folder, cell) for cell in range(4))
    images = GridImages(files)
    state = GridState(Request("noise", 2, 2), images)
    ranking = rank((0.1, 0.9, 0.4, 0.6))
    report = GridReport("noise", 2, 2, "embedded", (), {}, {"vq2": ranking}, "vq2", {}, ())
    return state.with_report(report)


def noise(folder: Path, cell: int) -> str:
    file = folder / f"{cell}.png"
    pixels = np.random.default_rng(cell).integers(0, 60 * cell + 20, (SIDE, SIDE, 3))
    Image.fromarray(pixels.astype(np.uint8)).save(file)
    return str(file)


def test_a_layout_is_measured_as_the_report_measures_its_own_arrangements(state: GridState):
    """At 512 px a thumbnail of the grid would give other attention."""
    known = attention_of(state.report, load_images(state))
    assert attention(state, (0, 1, 2, 3)) == known["generated"]
    assert attention(state, state.report.ranking.order) == known["reranked"]


def test_the_overlay_is_no_larger_than_the_page_shows_it(state: GridState):
    assert max(saliency_overlay(state, (0, 1, 2, 3)).size) <= SHOWN_SIDE
