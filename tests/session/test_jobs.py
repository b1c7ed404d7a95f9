"""The job from a prompt to a report, one image of it regenerated, and where its faults are."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from alignment.judgements import METHOD
from alignment.questions.settings import Vq2Settings
from alignment.records import ImageScore
from session.jobs import check_contrast, find_faults, generate_and_score, regenerate, resume
from session.png_text import read_settings
from session.state import GridImages, GridState
from session.storage import ContentStore, load_image
from tests.session.conftest import REQUESTED


def test_questions_are_known_before_any_image(states: list[GridState]):
    first = next(state for state in states if state.questions)
    assert "what color is the apple?" in [pair.question for pair in first.questions]
    assert first.images.files == (None,) * 4


def test_previews_come_before_finished_images(states: list[GridState]):
    previews = next(i for i, state in enumerate(states) if state.images.previews)
    generated = [bool(state.images.files) and all(state.images.files) for state in states]
    whole = generated.index(True)
    assert previews < whole
    assert not states[-1].images.previews


def test_a_later_state_never_forgets_a_score(states: list[GridState]):
    known = [sum(map(len, state.scores.values())) for state in states]
    assert known == sorted(known)


def test_the_last_state_has_the_whole_report(states: list[GridState]):
    report = states[-1].report
    assert all(len(scores) == 4 for scores in report.scores.values())
    assert {"reading", "generating", "vq2", "vnli", "clip"} <= set(report.timings)
    assert {score.arrangement for score in report.set_scores} == {"generated", "reranked"}


@pytest.fixture(scope="module")
def again(state: GridState, tmp_path_factory: pytest.TempPathFactory) -> list[GridState]:
    """Every stage of making the image of cell 1 again."""
    store = ContentStore(tmp_path_factory.mktemp("again"))
    return list(regenerate(state, state.report, 1, store))


def test_a_regenerated_image_has_the_next_seed_and_the_rest_stays(
    state: GridState, again: list[GridState]
):
    last = again[-1]
    assert [last.seed_of(cell) for cell in range(4)] == [7, 11, 9, 10]
    assert last.next_seed == 12
    for cell in (0, 2, 3):
        assert last.file(cell) == state.file(cell)
        assert last.score(cell, "vq2") == state.score(cell, "vq2")
    assert last.file(1) != state.file(1)
    alone = read_settings(last.file(1)).request
    assert alone == replace(state.request, rows=1, columns=1, seed=11)


def test_an_image_is_scored_again_with_the_settings_of_its_report(state: GridState, tmp_path: Path):
    other = Vq2Settings(aggregation="weakest", filter=0)
    asked = replace(state, request=replace(state.request, vq2=other))
    *_, last = regenerate(asked, state.report, 1, ContentStore(tmp_path))
    scored = last.score(1, "vq2").signature
    assert Vq2Settings.parse(scored) == other


def test_a_regenerated_image_can_be_taken_back(state: GridState, again: list[GridState]):
    assert again[-1].replaced.cell == 1
    assert again[-1].replaced.before == state
    assert again[0].replaced is None


def test_an_image_being_regenerated_has_no_score_and_no_rank(again: list[GridState]):
    generating = again[len(again) // 2]
    assert (generating.value(1), generating.rank(1), generating.score(1, "vq2")) == (
        None,
        None,
        None,
    )
    assert generating.rank(0) is not None


def test_a_grid_whose_image_was_regenerated_is_made_and_scored_again_from_its_seeds(
    again: list[GridState], tmp_path: Path
):
    """The report is the same, timings aside: the one image was scored as if always there."""
    last = again[-1]
    wanted = replace(REQUESTED, images=GridImages(regenerated=last.images.regenerated))
    states = [*generate_and_score(wanted, ContentStore(tmp_path))]
    made, begun = states[-1], next(each for each in states if each.questions)
    assert not any(begun.images.files)
    assert begun.seed_of(1) == 11  # so that it is 11 if the run is stopped here and gone on with
    names = [[Path(str(file)).name for file in each.images.files] for each in (made, last)]
    assert names[0] == names[1]
    assert [made.seed_of(cell) for cell in range(4)] == [7, 11, 9, 10]
    for method, scores in made.report.scores.items():
        values = [score.value for score in scores]
        assert values == pytest.approx([s.value for s in last.report.scores[method]], abs=1e-5)
    assert made.report.ranking.order == last.report.ranking.order
    assert made.report.saliency["generated"] == pytest.approx(last.report.saliency["generated"])
    for one, other in zip(made.report.similarity, last.report.similarity, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


@pytest.fixture(scope="module")
def checked(state: GridState, models: None) -> list[GridState]:
    """Every stage of a contrast check of the best image."""
    return list(check_contrast(state, state.report))


def test_the_best_image_is_scored_under_contradictions_one_by_one(
    state: GridState, checked: list[GridState]
):
    assert checked[0].stage.name == "contradicting"
    found = [each.contrast_check for each in checked[1:]]
    assert {check.cell for check in found} == {state.report.ranking.order[0]}
    assert [len(check.contradictions) for check in found] == [*range(found[0].total + 1)]
    assert checked[-1].report == state.report


def test_contradictions_are_scored_with_the_settings_of_the_grid(state: GridState, models: None):
    strict = Vq2Settings(aggregation="weakest", filter=0)
    asked = replace(state, request=replace(state.request, vq2=strict))
    *_, last = check_contrast(asked, asked.report)
    scores = [each.scores["vq2"] for each in last.contrast_check.contradictions]
    signatures = [score.signature.by_name for score in scores if score.signature]
    assert signatures
    assert {each["aggregation"] for each in signatures} == {"weakest"}


def test_a_regenerated_image_ends_the_contrast_check(checked: list[GridState], tmp_path: Path):
    done = checked[-1]
    states = regenerate(done, done.report, 1, ContentStore(tmp_path))
    assert done.contrast_check
    assert [*states][-1].contrast_check is None


def test_every_stage_can_be_handed_from_one_process_to_another(states: list[GridState]):
    """As on a Space whose GPU is in a process of its own."""
    assert [pickle.loads(pickle.dumps(state)) for state in states] == states


@pytest.fixture(scope="module")
def stopped(states: list[GridState]) -> GridState:
    """The job as it was with two images finished and two in preview."""
    return next(state for state in states if len(state.missing) == 2 and state.images.previews)


def test_a_stopped_job_gone_on_with_ends_like_one_that_never_stopped(
    state: GridState, stopped: GridState, tmp_path: Path
):
    last = [*resume(stopped, ContentStore(tmp_path))][-1]
    assert last.report.ranking.order == state.report.ranking.order
    for cell in range(4):
        assert load_image(last.file(cell)).tobytes() == load_image(state.file(cell)).tobytes()
        settings = read_settings(last.file(cell))
        assert (settings.seed, settings.request.grid) == (7 + cell, state.request.grid)


def test_a_job_stopped_before_its_first_image_can_be_gone_on_with_however_large_its_grid(
    states: list[GridState], tmp_path: Path
):
    """Eight images are missing; a row of eight would be wider than a grid can be."""
    read = next(each for each in states if each.questions)
    request = replace(read.request, rows=2, columns=4)
    stopped = replace(read, request=request, images=GridImages((None,) * 8))
    last = [*resume(stopped, ContentStore(tmp_path))][-1]
    assert last.report is not None
    assert (last.missing, last.size) == ((), 8)


def test_a_stopped_job_can_be_scored_as_it_is_and_then_gone_on_with(
    stopped: GridState, tmp_path: Path
):
    last = [*resume(stopped, ContentStore(tmp_path), generate_rest=False)][-1]
    assert [last.value(cell) is None for cell in range(4)] == [False, False, True, True]
    assert not list(tmp_path.iterdir())
    whole = [*resume(last, ContentStore(tmp_path))][-1]
    assert [whole.value(cell) is None for cell in range(4)] == [False] * 4


def test_a_job_stopped_among_images_made_again_goes_on_with_the_others_kept(
    state: GridState, tmp_path: Path
):
    files, seed = state.images.files, state.request.seed + 40
    images = GridImages((files[0], None, *files[2:]), regenerated={1: seed})
    stopped = replace(state, images=images, stage=replace(state.stage, report=None))
    last = [*resume(stopped, ContentStore(tmp_path))][-1]
    assert (last.file(0), *last.images.files[2:]) == (files[0], *files[2:])
    assert last.file(1) not in {None, files[1]}
    assert last.seed_of(1) == seed
    assert last.report is not None


def test_an_image_that_was_taken_back_is_not_made_again(state: GridState):
    assert replace(state, tried=state.next_seed).next_seed == state.next_seed + 1


def failing(state: GridState) -> GridState:
    """The same state, with an image in cell 0 of which nothing holds."""
    scores = state.scores[METHOD]
    entries = tuple(replace(each, probability=0.1) for each in scores[0].evidence)
    first: ImageScore = replace(scores[0], evidence=entries)
    report = replace(state.report, scores={**state.report.scores, METHOD: (first, *scores[1:])})
    return state.with_report(report)


def test_every_fault_of_an_image_is_looked_for_and_kept_with_its_file(state: GridState):
    before = failing(state)
    *_, last = find_faults(before, 0)
    found = last.regions[before.file(0) or ""]
    assert [*last.regions] == [before.file(0)]
    assert found
    assert len({each.claim for each in found}) == len(found)
    assert last.report == before.report
    assert pickle.loads(pickle.dumps(last)).regions == last.regions


def test_nothing_is_looked_for_where_there_is_no_image(state: GridState):
    files = (None, *state.images.files[1:])
    assert [*find_faults(replace(state, images=replace(state.images, files=files)), 0)] == []
