"""A comparison of systems by tiny real models: what is generated, shared and refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from generation import InvalidRequestError
from session.comparison import ComparisonState, check, compare
from session.png_text import read_settings
from session.storage import ContentStore
from session.systems.system import System
from tests.tiny_models import PROMPT

TINY = System("tiny", "tiny")
REQUESTED = ComparisonState((PROMPT,), (TINY, replace(TINY, seed=9)), rows=1, columns=1)


@pytest.fixture(scope="module")
def stages(models: None, folder: Path) -> list[ComparisonState]:
    """Of a comparison whose columns have another wording, other steps and other settings of VQ2."""
    others = ({"wording": "{prompt} at night"}, {"steps": 1, "guidance": 7.5}, {"vq2": "weakest"})
    requested = replace(REQUESTED, systems=(TINY, *(replace(TINY, **each) for each in others)))
    return list(compare(requested, ContentStore(folder)))


@pytest.fixture
def last(stages: list[ComparisonState]) -> ComparisonState:
    return stages[-1]


def test_grids_are_finished_one_after_the_other(stages: list[ComparisonState]):
    finished = list(dict.fromkeys(tuple(stage.finished) for stage in stages))
    assert finished == [tuple((0, system) for system in range(end)) for end in range(5)]


def test_however_a_column_words_a_prompt_it_is_scored_against_the_prompt_of_the_row(
    last: ComparisonState,
):
    grids = [last.grids[0, system] for system in (0, 1)]
    first, second = (grid.report for grid in grids)
    assert second.prompt == PROMPT
    assert second.questions == first.questions
    settings = [read_settings(str(grid.file(0))) for grid in grids]
    assert [each and each.given for each in settings] == [PROMPT, f"{PROMPT} at night"]


def test_a_column_has_its_own_steps_and_its_images_say_so(last: ComparisonState):
    """The tiny model takes four steps and a guidance of 3, unless others are asked for."""
    settings = [read_settings(str(last.grids[0, system].file(0))) for system in (0, 2)]
    assert [(each.steps, each.guidance) for each in settings if each] == [(4, 3.0), (1, 7.5)]
    asked = [each.request for each in settings if each]
    assert [(each.steps, each.guidance) for each in asked] == [(None, None), (1, 7.5)]
    assert last.called(2) == "tiny, scored by tiny, seed 7, steps 1, guidance 7.5, 1 x 1 by vq2"


def test_a_model_that_was_made_to_do_without_guidance_takes_none(models: None):
    systems = (System(), System(guidance=7.5))
    with pytest.raises(InvalidRequestError, match="icons was made to do without guidance"):
        check(replace(REQUESTED, systems=systems))


def test_images_that_two_systems_generate_alike_are_generated_once(
    models: None, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    import alignment

    bundle = replace(alignment.find_bundle("tiny"), name="small")
    bundles = {**alignment.models.catalogue.BUNDLES, "twin": bundle}
    monkeypatch.setattr("alignment.models.catalogue.BUNDLES", bundles)
    requested = replace(REQUESTED, systems=(TINY, replace(TINY, bundle="twin")))
    *_, last = compare(requested, ContentStore(folder))
    first, second = last.grids[0, 0], last.grids[0, 1]
    assert first.images.files == second.images.files
    assert second.report.timings["generating"] == first.report.timings["generating"]  # type: ignore[union-attr]
    assert second.request.revision == first.request.revision
    assert second.truncated_words == first.truncated_words


def test_a_system_has_its_own_settings_of_vq2_and_the_same_images(last: ComparisonState):
    """By the weakest answer the score is the smallest probability; else a mean over claims."""
    usual, weakest = last.grids[0, 0], last.grids[0, 3]
    assert usual.images.files == weakest.images.files
    (found,), (least,) = usual.scores["vq2"], weakest.scores["vq2"]
    assert least.value == pytest.approx(min(each.probability for each in least.evidence))
    assert found.signature != least.signature
    assert last.called(3) == "tiny, scored by tiny, seed 7, VQ2 weakest, 1 x 1 by vq2"


@pytest.mark.parametrize(
    ("requested", "says"),
    [
        (replace(REQUESTED, prompts=()), "there are 0 prompts; write 1 to 100, one per line"),
        (replace(REQUESTED, prompts=("a",) * 101), "there are 101 prompts"),
        (replace(REQUESTED, prompts=("?!",)), "the prompt has no words"),
        (
            replace(REQUESTED, prompts=("a" * 1001,)),
            "prompt. has 1001 characters; it can be",
        ),
        (replace(REQUESTED, systems=(TINY,)), "there are 1 columns; compare 2 to 4"),
        (replace(REQUESTED, systems=(TINY, TINY)), "columns A and B are the same"),
        (
            replace(
                REQUESTED, prompts=("a", "b"), systems=(TINY, replace(TINY, wording="a red cat"))
            ),
            r"the wording of column B has no {prompt}, .* the same for all 2 prompts",
        ),
        (replace(REQUESTED, rows=9), "the grid is 9 x 1"),
        (
            replace(REQUESTED, prompts=tuple(map(str, range(20))), rows=6, columns=6),
            "the comparison has 1440 images; it can have 1000",
        ),
    ],
)
def test_what_cannot_be_compared_is_said_before_any_work(
    models: None, requested: ComparisonState, says: str
):
    with pytest.raises(InvalidRequestError, match=says):
        check(requested)


def test_one_prompt_may_be_compared_under_two_wordings_of_its_own(models: None):
    systems = (replace(TINY, wording="a cat"), replace(TINY, wording="a red cat"))
    check(replace(REQUESTED, systems=systems))
