"""The job from a prompt to a report, and one picture of it made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from session.jobs import (
    check_contrast,
    generate_and_score,
    load_text_to_image,
    regenerate,
)
from session.state import GridState
from session.storage import memoised_save
from tests.session.conftest import ASKED


def test_questions_are_known_before_any_picture(states: list[GridState]):
    first = next(state for state in states if state.questions)
    assert "what color is the apple?" in [pair.question for pair in first.questions]
    assert first.pictures == (None,) * 4


def test_rough_pictures_come_before_finished_ones(states: list[GridState]):
    previews = next(i for i, state in enumerate(states) if state.previews)
    generated = [bool(state.pictures) and all(state.pictures) for state in states]
    whole = generated.index(True)
    assert previews < whole
    assert not states[-1].previews


def test_a_board_never_forgets_a_score(states: list[GridState]):
    known = [sum(map(len, state.scores.values())) for state in states]
    assert known == sorted(known)


def test_the_last_board_has_the_whole_report(states: list[GridState]):
    report = states[-1].report
    assert report is not None
    assert all(len(scores) == 4 for scores in report.scores.values())
    assert {"reading", "generating", "vq2", "vnli", "clip"} <= set(report.timings)
    assert {score.arrangement for score in report.set_scores} == {"generated", "reranked"}


def test_the_pipeline_is_loaded_once(models: None):
    assert load_text_to_image("tiny") is load_text_to_image("tiny")


def test_a_picture_shown_twice_is_stored_once(states: list[GridState], tmp_path: Path):
    stored = []
    keep = memoised_save(lambda cell: stored.append(cell.cell) or "")
    list(generate_and_score(ASKED, keep))
    assert sorted(stored) == [0, 0, 1, 1, 2, 2, 3, 3], "one rough and one finished picture each"


@pytest.fixture(scope="module")
def again(state: GridState, tmp_path_factory: pytest.TempPathFactory) -> list[GridState]:
    """Every stage of making the picture of cell 1 again."""
    file = tmp_path_factory.mktemp("again") / "again.png"
    return list(regenerate(state, state.report, 1, lambda cell: cell.image.save(file) or str(file)))


def test_a_picture_made_again_has_the_next_seed_and_the_rest_stays(
    state: GridState, again: list[GridState]
):
    last = again[-1]
    assert [last.seed_of(cell) for cell in range(4)] == [7, 11, 9, 10]
    assert last.next_seed == 12
    for cell in (0, 2, 3):
        assert last.pictures[cell] == state.pictures[cell]
        assert last.score(cell, "vq2") == state.score(cell, "vq2")
    assert last.pictures[1] != state.pictures[1]


def test_a_picture_being_made_again_has_no_score_and_no_rank(again: list[GridState]):
    generating = again[len(again) // 2]
    assert (generating.value(1), generating.rank(1), generating.score(1, "vq2")) == (
        None,
        None,
        None,
    )
    assert generating.rank(0) is not None


def test_a_picture_made_again_is_judged_as_if_it_had_been_there_at_once(
    again: list[GridState], models: None
):
    """The same grid judged anew gives the same report, timings aside."""
    from alignment import Models, evaluate, find_bundle
    from session.storage import pictures

    last = again[-1]
    *_, stage = evaluate(
        last.prompt, pictures(last), 2, 2, Models(find_bundle("tiny")), questions=last.questions
    )
    for method, scores in stage.report.scores.items():
        values = [score.value for score in scores]
        assert values == pytest.approx([s.value for s in last.report.scores[method]], abs=1e-5)
    assert stage.report.ranking.order == last.report.ranking.order
    assert stage.report.saliency["generated"] == pytest.approx(last.report.saliency["generated"])
    for one, other in zip(stage.report.similarity, last.report.similarity, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


@pytest.fixture(scope="module")
def held(state: GridState, models: None) -> list[GridState]:
    """Every stage of holding the best picture against contradictions."""
    return list(check_contrast(state, state.report))


def test_the_best_picture_is_held_against_contradictions_one_by_one(
    state: GridState, held: list[GridState]
):
    assert held[0].doing == "contradicting the prompt"
    notices = [each.notice for each in held[1:]]
    assert {notice.cell for notice in notices} == {state.report.ranking.order[0]}
    assert [len(notice.contradictions) for notice in notices] == [*range(notices[0].total + 1)]
    assert held[-1].report == state.report


def test_a_picture_made_again_is_no_longer_held_against_anything(held: list[GridState]):
    done, file = held[-1], held[-1].pictures[1]
    states = regenerate(done, done.report, 1, lambda _: file)
    assert done.notice
    assert [*states][-1].notice is None
