"""Whether a score falls when the prompt says something else than the picture shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment import Models, StoredReport, find_bundle, load_report
from alignment.contrast_check import contrast_check, repeats
from alignment.models.catalogue import BUNDLES
from alignment.records import ContrastCheck, ImageScore, ScoredCaption

EXAMPLES = Path(__file__).parents[2] / "assets" / "examples"
MISSING = [m.name for m in BUNDLES["embedded"].models if not Path(m.source).is_dir()]


def held(text: str, value: float | None) -> ScoredCaption:
    return ScoredCaption(text, {"clip": ImageScore("clip", value)})


@pytest.mark.parametrize(
    ("said", "other", "noticed"),
    [(0.9, 0.6, True), (0.6, 0.6, False), (0.6, 0.9, False), (None, 0.6, None), (0.9, None, None)],
)
def test_a_contradiction_is_noticed_when_it_scores_strictly_lower(
    said: float | None, other: float | None, noticed: bool | None
) -> None:
    notice = ContrastCheck(0, held("a red pie", said), (held("a blue pie", other),), 1)
    assert notice.noticed("clip") == (noticed,)


@pytest.fixture(scope="module")
def example() -> tuple[StoredReport, list[Image | None]]:
    """The worked example whose best picture shows what was asked for."""
    if MISSING:
        pytest.skip(f"embedded models not there yet: {', '.join(MISSING)}")
    (folder,) = EXAMPLES.glob("*turtle-below-a-purple-star")
    found = load_report(folder / "report.json")
    return found, [file and PillowImage.open(folder / file).convert("RGB") for file in found.images]


@pytest.fixture(scope="module")
def notices(example: tuple[StoredReport, list[Image | None]]) -> list[ContrastCheck]:
    stored, images = example
    return [*contrast_check(stored.report, images, Models(find_bundle("embedded")))]


@pytest.mark.skipif(bool(MISSING), reason="embedded models not there yet")
@pytest.mark.parametrize(
    ("text", "change", "again"),
    [
        ("two cats, a turtle and a robot", "two cats, a turtle and a cat", True),
        ("two cats, a turtle and a robot", "two cats, a turtle and a house", False),
        ("an owl without a hat", "an owl without a frog without a hat", True),
        ("an owl without a hat", "an owl without a key", False),
        ("a red car and a blue balloon", "a red car and a red balloon", False),
        ("a white dog and a black dog", "a black dog and a black dog", False),
    ],
)
def test_a_change_that_names_a_thing_again_is_no_contrast(
    text: str, change: str, again: bool
) -> None:
    assert repeats(text, change, Models(find_bundle("embedded")).parser) == again


def test_the_embedded_models_contradict_a_sticker_prompt(notices: list[ContrastCheck]) -> None:
    said = notices[-1].prompt.text.split()
    changes = [
        [(a, b) for a, b in zip(said, each.text.split(), strict=True) if a != b]
        for each in notices[-1].contradictions
    ]
    assert len(changes) >= 2
    assert all(1 <= len(change) <= 2 for change in changes), "one answer, or two, are others"
    assert {change[0][0] for change in changes if len(change) == 1} >= {"below", "purple"}


def test_the_scores_of_the_embedded_bundle_notice(notices: list[ContrastCheck]) -> None:
    for method in ("vq2", "vnli"):
        assert all(notices[-1].noticed(method))


def test_the_prompt_comes_first_with_the_scores_of_the_report(
    notices: list[ContrastCheck], example: tuple[StoredReport, list[Image | None]]
) -> None:
    report = example[0].report
    best = report.ranking.order[0]
    assert [len(each.contradictions) for each in notices] == [*range(notices[0].total + 1)]
    assert notices[0].cell == best
    assert notices[0].prompt.scores == {m: report.scores[m][best] for m in report.scores}
