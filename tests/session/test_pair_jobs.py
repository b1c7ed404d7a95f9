"""Two prompts are generated and compared by tiny real models, stage by stage."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from alignment.prompt_pairs.score import expected_score
from generation import InvalidRequestError
from session.pair_jobs import check, generate_and_compare, read_prompts
from session.pair_state import AskedPair, PairState
from session.storage import ContentStore

ASKED = AskedPair("an apple", "a backpack", "a black apple", "a green backpack", 2, 7, "clip")
REQUESTED = PairState(replace(ASKED, model="tiny", bundle="tiny"))


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


def test_the_matrix_fills_image_by_image(stages: list[PairState]) -> None:
    sizes = [tuple(map(len, stage.matrix.fits)) for stage in stages]
    assert list(dict.fromkeys(sizes)) == [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]


def test_the_last_stage_has_the_score_and_four_images(stages: list[PairState]) -> None:
    last = stages[-1]
    assert last.score == expected_score(last.matrix)
    assert all(file and Path(file).is_file() for row in last.files for file in row)
    assert len({file for row in last.files for file in row}) == 4


def test_how_alike_the_texts_are_is_known_before_any_image(stages: list[PairState]) -> None:
    known = stages[1]
    assert not any(known.files)
    for alike in (known.prompts_alike, known.descriptions_alike):
        assert -1 <= alike < 1


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (("", "b", "c", "d"), "the first prompt is empty; write both prompts"),
        (("a", " ", "c", "d"), "the second prompt is empty"),
        (("a", "b", "c", " "), "the second description is empty; write both descriptions"),
        (("a", "!", "c", "d"), "the prompt has no words"),
    ],
)
def test_what_cannot_be_compared_is_said(texts: tuple[str, ...], says: str) -> None:
    with pytest.raises(InvalidRequestError, match=re.escape(says)):
        check(AskedPair(*texts))


def test_what_cannot_be_asked_for_is_said() -> None:
    with pytest.raises(InvalidRequestError, match='"second" has 1001 characters; it can be at'):
        replace(ASKED, second="b" * 1001)
    with pytest.raises(InvalidRequestError, match='"pictures" is 9; it can be a whole number'):
        replace(ASKED, pictures=9)


def test_words_beyond_the_pipelines_reach_are_known_before_any_image(models: None) -> None:
    long = " ".join(["an apple"] * 60)
    asked = replace(REQUESTED.request, first=long, second="an apple")
    first, second = read_prompts(PairState(asked)).truncated_words
    assert set(first) == {"an", "apple"}
    assert second == ()
