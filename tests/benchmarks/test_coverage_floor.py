"""What scores are worth from each coverage on."""

from __future__ import annotations

import numpy as np
import pytest

from alignment.models.catalogue import BUNDLES
from alignment.models.loading import Models
from alignment.questions.settings import RECOMMENDED
from benchmarks.coverage_floor import Draw, hide_words, measure, table_of
from benchmarks.stickers.evaluators import SETS, read_examples


def test_each_floor_is_measured_on_the_draws_that_reach_it() -> None:
    """Of four draws three reach 0.7: the caption is ahead, behind, and at a tie."""
    draws = [
        Draw(0, 1.0, caption=0.9, foil=0.1),
        Draw(1, 0.72, caption=0.2, foil=0.3),
        Draw(2, 0.7, caption=0.5, foil=0.5),
        Draw(3, 0.5, caption=0.9, foil=0.2),
    ]
    found = {each.floor: each for each in measure(draws, "VQ2", np.random.default_rng(7))}
    assert found[0.7].scored.value == 0.75
    assert found[0.7].right.value == pytest.approx(0.5)
    assert found[0.7].right.units == 3
    assert found[0.7].auc.value == pytest.approx(6.5 / 9)
    assert found[0.7].between.value == pytest.approx(0.25)
    assert (found[1.0].scored.value, found[1.0].right.value) == (0.25, 1.0)
    assert found[0.5].right.value == pytest.approx(2.5 / 4)
    assert found[0.5].between.value == 1.0
    rows = [*zip(*(column.cells for column in table_of([found[0.7]]).columns), strict=True)]
    assert rows[0][:2] == ("0.7 (in use)", "75.0%")


@pytest.mark.skipif(
    not BUNDLES["embedded"].answerer.embedded, reason="the embedded models are not there"
)
def test_hidden_words_lower_the_coverage_and_leave_the_other_answers_as_they_are() -> None:
    models, (example,) = Models(BUNDLES["embedded"]), read_examples(SETS["development"], 1)
    draws = [*hide_words(3, example, models, RECOMMENDED, np.random.default_rng(7), draws=30)]
    assert {draw.picture for draw in draws} == {3}
    assert min(draw.coverage for draw in draws) < 0.5
    whole = [draw for draw in draws if draw.coverage == 1]
    assert whole
    assert len({(draw.caption, draw.foil) for draw in whole}) == 1
    assert whole[0].caption > whole[0].foil
