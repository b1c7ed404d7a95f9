"""Two prompts are generated and compared by tiny real models, stage by stage."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from alignment.prompt_pairs.score import expected_score
from alignment.records import PromptPair
from generation import InvalidRequestError
from session.pair_jobs import check, generate_and_compare, read_prompts
from session.pair_state import PairState
from session.storage import ContentStore

PAIR = PromptPair(("an apple", "a backpack"), ("a black apple", "a green backpack"))
REQUESTED = PairState(PAIR, 2, 7, "tiny", "tiny", "clip")


def pair_of(first: str, second: str, first_shows: str, second_shows: str) -> PairState:
    return replace(REQUESTED, pair=PromptPair((first, second), (first_shows, second_shows)))


@pytest.fixture(scope="module")
def stages(models: None, tmp_path_factory: pytest.TempPathFactory) -> list[PairState]:
    folder = tmp_path_factory.mktemp("pairs")
    return list(generate_and_compare(REQUESTED, ContentStore(folder)))


def test_the_first_prompt_is_generated_before_the_second_and_evaluated_after_both(
    stages: list[PairState],
) -> None:
    order = list(dict.fromkeys((stage.stage, stage.prompt_in_work) for stage in stages))
    assert order == [
        ("loading", 0),
        ("reading", 0),
        ("generating", 0),
        ("generating", 1),
        ("evaluating", 1),
        ("done", 1),
    ]


def test_the_matrix_fills_picture_by_picture(stages: list[PairState]) -> None:
    sizes = [tuple(map(len, stage.matrix.fits)) for stage in stages]
    assert list(dict.fromkeys(sizes)) == [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]


def test_the_last_stage_has_the_score_and_four_pictures(stages: list[PairState]) -> None:
    last = stages[-1]
    assert last.score == expected_score(last.matrix)
    assert all(file and Path(file).is_file() for row in last.files for file in row)
    assert len({file for row in last.files for file in row}) == 4


def test_how_alike_the_texts_are_is_known_before_any_picture(stages: list[PairState]) -> None:
    known = stages[1]
    assert not any(known.files)
    for alike in (known.prompts_alike, known.descriptions_alike):
        assert -1 <= alike < 1


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (pair_of("", "b", "c", "d"), "the first prompt is empty; write both prompts"),
        (pair_of("a", " ", "c", "d"), "the second prompt is empty"),
        (pair_of("a", "b", "c", " "), "the second description is empty; write both descriptions"),
        (pair_of("a", "!", "c", "d"), "the prompt has no words"),
        (pair_of("a", "b" * 1001, "c", "d"), "the second prompt has 1001 characters; it can have"),
        (pair_of("a", "b", "c" * 1001, "d"), "the first description has 1001 characters; it can"),
        (replace(REQUESTED, generations=9), "9 images per prompt were asked for; it can be 1 to 6"),
        (replace(REQUESTED, generations=0), "0 images per prompt were asked for; it can be 1 to 6"),
        (replace(REQUESTED, seed=-3), "the seed is -3; it can be 0 to 4294967294"),
    ],
)
def test_what_cannot_be_compared_is_said(models: None, asked: PairState, says: str) -> None:
    with pytest.raises(InvalidRequestError, match=re.escape(says)):
        check(asked)


def test_words_beyond_the_pipelines_reach_are_known_before_any_picture(models: None) -> None:
    long = " ".join(["an apple"] * 60)
    asked = replace(REQUESTED, pair=PromptPair((long, "an apple"), PAIR.descriptions))
    first, second = read_prompts(asked).truncated_words
    assert set(first) == {"an", "apple"}
    assert second == ()
