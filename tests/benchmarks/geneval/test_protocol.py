"""GenEval's protocol on detected stickers, and its published figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.geneval.command import PUBLISHED, PictureResult, accuracies
from benchmarks.geneval.protocol import (
    PARTS,
    PLACES,
    GenevalPrompt,
    RequiredObject,
    failure,
    places,
    read_prompts,
)
from benchmarks.stickers.detector import DetectedScene, Sticker
from session.errors import DataError

DOG, TIE = Sticker("dog", "red", "", 64, 0, 32), Sticker("tie", "blue", "", 64, 64, 32)
LINES = (
    {"tag": "single_object", "include": [{"class": "dog", "count": 1}], "prompt": "a dog"},
    {
        "tag": "counting",
        "include": [{"class": "dog", "count": 2}],
        "exclude": [{"class": "dog", "count": 3}],
        "prompt": "two dogs",
    },
    {
        "tag": "position",
        "include": [
            {"class": "tie", "count": 1},
            {"class": "dog", "count": 1, "position": ["left of", 0]},
        ],
        "prompt": "a dog left of a tie",
    },
    {
        "tag": "color_attr",
        "include": [
            {"class": "dog", "count": 1, "color": "red"},
            {"class": "tie", "count": 1, "color": "blue"},
        ],
        "prompt": "a red dog and a blue tie",
    },
)
SQUARES = st.builds(
    Sticker,
    st.just("dog"),
    st.just(""),
    st.just(""),
    st.sampled_from((32, 48, 64)),
    st.integers(0, 64),
    st.integers(0, 64),
)


@pytest.fixture
def prompts(tmp_path: Path) -> dict[str, GenevalPrompt]:
    file = tmp_path / "prompts.jsonl"
    file.write_text("\n".join(map(json.dumps, LINES)))
    return {prompt.part: prompt for prompt in read_prompts(file)}


def shown(*stickers: Sticker) -> DetectedScene:
    return DetectedScene(stickers, "plain")


def test_objects_that_nobody_asked_for_do_no_harm(prompts: dict[str, GenevalPrompt]) -> None:
    assert not failure(prompts["single_object"], shown(DOG, TIE))
    assert failure(prompts["single_object"], shown(TIE)) == "0 instead of 1 of dog"


def test_a_count_is_exact_because_more_are_excluded(prompts: dict[str, GenevalPrompt]) -> None:
    assert not failure(prompts["counting"], shown(DOG, DOG))
    assert failure(prompts["counting"], shown(DOG)) == "1 instead of 2 of dog"
    assert failure(prompts["counting"], shown(DOG, DOG, DOG)) == "3 or more of dog"


def test_colours_belong_to_their_own_things(prompts: dict[str, GenevalPrompt]) -> None:
    assert not failure(prompts["color_attr"], shown(DOG, TIE))
    swapped = Sticker("dog", "blue", "", 64, 0, 32), Sticker("tie", "red", "", 64, 64, 32)
    assert failure(prompts["color_attr"], shown(*swapped)) == "dog is blue instead of red"


def test_a_place_is_from_the_other_required_object(prompts: dict[str, GenevalPrompt]) -> None:
    assert not failure(prompts["position"], shown(DOG, TIE))
    across = Sticker("dog", "", "", 64, 64, 32), Sticker("tie", "", "", 64, 0, 32)
    assert failure(prompts["position"], shown(*across)) == "dog is not left of its neighbour"


@given(SQUARES, SQUARES)
def test_places_are_mirrored(one: Sticker, other: Sticker) -> None:
    mirrored = dict(zip(PLACES, ("right of", "left of", "below", "above"), strict=True))
    assert {mirrored[place] for place in places(one, other)} == places(other, one)


def test_things_on_one_another_are_nowhere_from_each_other() -> None:
    assert places(DOG, DOG) == frozenset()
    assert places(DOG, Sticker("tie", "", "", 64, 12, 32)) == frozenset()


def test_overall_is_the_mean_of_the_parts_not_of_the_pictures() -> None:
    results = [PictureResult("a", "colors", seed, "") for seed in range(3)]
    results.append(PictureResult("b", "position", 0, "wrong"))
    assert accuracies(results) == {"colors": 1.0, "position": 0.0, "overall": 0.5}
    assert accuracies([]) == {}


def test_a_file_that_is_not_geneval_says_what_a_line_looks_like(tmp_path: Path) -> None:
    file = tmp_path / "prompts.jsonl"
    with pytest.raises(DataError, match=r"evaluation_metadata\.jsonl"):
        read_prompts(file)
    file.write_text('{"prompt": "a dog"}\n')
    with pytest.raises(DataError, match="prompts.jsonl:1 is not a line"):
        read_prompts(file)
    file.write_text('{"tag": "beauty", "include": [], "prompt": "a dog"}\n')
    with pytest.raises(DataError, match="known: single_object, two_object"):
        read_prompts(file)


def test_limit_takes_the_first_of_each_part(tmp_path: Path) -> None:
    file = tmp_path / "prompts.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in LINES for _ in range(3)))
    assert [prompt.part for prompt in read_prompts(file, limit=1)] == [
        part for part in PARTS if part in {line["tag"] for line in LINES}
    ]


def test_published_overall_figures_are_the_means_of_their_parts() -> None:
    for row in PUBLISHED:
        if row.parts:
            mean = sum(row.parts.values()) / len(row.parts)
            assert mean == pytest.approx(row.overall, abs=0.01), row.model


def test_a_required_object_is_one_of_any_colour_unless_said() -> None:
    assert not failure(GenevalPrompt("", "colors", (RequiredObject("dog"),)), shown(DOG))
