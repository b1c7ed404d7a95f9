"""Whether a score falls when the prompt says something else than the image shows."""

from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment import Models, StoredReport, find_bundle, load_report
from alignment.contrast_check import contrast_check, stands_in
from alignment.records import ContrastCheck, ImageScore, ScoredCaption

EXAMPLES = Path(__file__).parents[2] / "assets" / "examples"


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
    """The worked example whose best image shows what was asked for."""
    (folder,) = EXAMPLES.glob("*turtle-below-a-purple-star")
    found = load_report(folder / "report.json")
    return found, [file and PillowImage.open(folder / file).convert("RGB") for file in found.images]


@pytest.fixture(scope="module")
def notices(example: tuple[StoredReport, list[Image | None]]) -> list[ContrastCheck]:
    stored, images = example
    return [*contrast_check(stored.report, images, Models(find_bundle("embedded")))]


@pytest.mark.parametrize(
    ("text", "change", "does"),
    [
        ("two cats, a turtle and a robot", "two cats, a turtle and a cat", False),
        ("two cats, a turtle and a robot", "two cats, a turtle and a house", True),
        ("two cats and a robot", "three cats and a robot", True),
        ("an owl without a hat", "an owl without a frog without a hat", False),
        ("an owl without a hat", "an owl without a key", True),
        ("a bird without a hat", "a bird without a h house", False),
        ("an owl left of a pink umbrella", "an owl to the right of a pink umbrella", True),
        ("two children playing football", "two children playing cat playing football", False),
        ("a giraffe behind a fence", "a giraffe in the snow behind a fence", False),
        ("a white dress", "a white dresses", False),
        ("three cats", "three dress", False),
        ("a bowl of oranges", "a bowl of snowman", False),
        ("no cats", "house", False),
        ("a red car and a blue balloon", "a red car and a red balloon", True),
        ("a white dog and a black dog", "a black dog and a black dog", True),
    ],
)
def test_a_contrast_has_one_noun_of_the_same_number_in_the_place_of_each(
    text: str, change: str, does: bool
) -> None:
    assert stands_in(text, change, Models(find_bundle("embedded")).parser) == does


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
        found = notices[-1].noticed(method)  # None of a star that is teal, which it does not know
        assert False not in found
        assert found.count(True) >= 4


def test_the_prompt_comes_first_with_the_scores_of_the_report(
    notices: list[ContrastCheck], example: tuple[StoredReport, list[Image | None]]
) -> None:
    report = example[0].report
    best = report.ranking.order[0]
    assert [len(each.contradictions) for each in notices] == [*range(notices[0].total + 1)]
    assert notices[0].cell == best
    assert notices[0].prompt.scores == {m: report.scores[m][best] for m in report.scores}
