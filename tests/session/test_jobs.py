"""The job from a prompt to a report, and one picture of it made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from session.jobs import (
    hold_against_contradictions,
    load_painter,
    paint_again,
    paint_and_judge,
)
from session.state import Board
from session.storage import once_each
from tests.session.conftest import ASKED


def test_questions_are_known_before_any_picture(boards: list[Board]):
    first = next(board for board in boards if board.questions)
    assert "what color is the apple?" in [pair.question for pair in first.questions]
    assert first.pictures == (None,) * 4


def test_rough_pictures_come_before_finished_ones(boards: list[Board]):
    rough = next(i for i, board in enumerate(boards) if board.rough)
    painted = [bool(board.pictures) and all(board.pictures) for board in boards]
    whole = painted.index(True)
    assert rough < whole
    assert not boards[-1].rough


def test_a_board_never_forgets_a_score(boards: list[Board]):
    known = [sum(map(len, board.scores.values())) for board in boards]
    assert known == sorted(known)


def test_the_last_board_has_the_whole_report(boards: list[Board]):
    report = boards[-1].report
    assert report is not None
    assert all(len(scores) == 4 for scores in report.scores.values())
    assert {"reading", "painting", "vq2", "vnli", "clip"} <= set(report.timings)
    assert {score.arrangement for score in report.set_scores} == {"generated", "reranked"}


def test_the_painter_is_loaded_once(models: None):
    assert load_painter("tiny") is load_painter("tiny")


def test_a_picture_shown_twice_is_stored_once(boards: list[Board], tmp_path: Path):
    stored = []
    keep = once_each(lambda cell: stored.append(cell.cell) or "")
    list(paint_and_judge(ASKED, keep))
    assert sorted(stored) == [0, 0, 1, 1, 2, 2, 3, 3], "one rough and one finished picture each"


@pytest.fixture(scope="module")
def again(board: Board, tmp_path_factory: pytest.TempPathFactory) -> list[Board]:
    """Every stage of making the picture of cell 1 again."""
    file = tmp_path_factory.mktemp("again") / "again.png"
    return list(
        paint_again(board, board.report, 1, lambda cell: cell.image.save(file) or str(file))
    )


def test_a_picture_made_again_has_the_next_seed_and_the_rest_stays(
    board: Board, again: list[Board]
):
    last = again[-1]
    assert [last.seed_of(cell) for cell in range(4)] == [7, 11, 9, 10]
    assert last.next_seed == 12
    for cell in (0, 2, 3):
        assert last.pictures[cell] == board.pictures[cell]
        assert last.score(cell, "vq2") == board.score(cell, "vq2")
    assert last.pictures[1] != board.pictures[1]


def test_a_picture_being_made_again_has_no_score_and_no_rank(again: list[Board]):
    painting = again[len(again) // 2]
    assert (painting.value(1), painting.rank(1), painting.score(1, "vq2")) == (None, None, None)
    assert painting.rank(0) is not None


def test_a_picture_made_again_is_judged_as_if_it_had_been_there_at_once(
    again: list[Board], models: None
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
def held(board: Board, models: None) -> list[Board]:
    """Every stage of holding the best picture against contradictions."""
    return list(hold_against_contradictions(board, board.report))


def test_the_best_picture_is_held_against_contradictions_one_by_one(
    board: Board, held: list[Board]
):
    assert held[0].doing == "contradicting the prompt"
    notices = [each.notice for each in held[1:]]
    assert {notice.cell for notice in notices} == {board.report.ranking.order[0]}
    assert [len(notice.contradictions) for notice in notices] == [*range(notices[0].total + 1)]
    assert held[-1].report == board.report


def test_a_picture_made_again_is_no_longer_held_against_anything(held: list[Board]):
    done, file = held[-1], held[-1].pictures[1]
    boards = paint_again(done, done.report, 1, lambda _: file)
    assert done.notice
    assert [*boards][-1].notice is None
