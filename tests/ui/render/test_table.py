"""The ranking as a terminal shows it."""

from dataclasses import replace

from rich.console import Console
from rich.table import Table

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Evidence, ImageScore
from cli.generate import metrics_table, ranked_table
from session.state import GridState
from tests.ui.conftest import unjudged


def printed(table: Table, width: int = 200) -> str:
    """A table as a terminal of so many columns shows it."""
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def ranked(state: GridState, question: str, answer: str, probability: float) -> str:
    """The table of a grid whose images were all asked the same, with the same result."""
    pair = QuestionAnswer(question, AnswerSpan(answer, 0, len(answer)), 1.0)
    score = ImageScore("vq2", probability, evidence=(Evidence(pair, probability),))
    report = replace(state.report, scores={"vq2": (score,) * state.size})
    return printed(ranked_table(state.with_report(report)))


def test_rows_go_from_best_to_worst_with_the_answer_that_fails_most(state: GridState):
    lines = printed(ranked_table(state)).splitlines()
    rows = [line for line in lines if line.startswith("│") and line.split("│")[1].strip()]
    assert [row.split("│")[1].strip() for row in rows] == ["1", "2", "3", "4"]
    assert [row.split("│")[2].strip() for row in rows] == ["9", "7", "8", "10"]
    assert "The backpack is not green." in rows[2]


def test_an_image_of_which_every_answer_holds_has_no_failure(state: GridState):
    table = ranked(state, "what color is the car?", "red", 0.9)
    assert table.count("every answer holds") == state.size


def test_an_image_without_a_score_has_no_rank(state: GridState):
    rows = [line for line in printed(ranked_table(unjudged(state))).splitlines() if "speak" in line]
    assert [row.split("│")[1].strip() for row in rows] == ["–"] * 4


def test_brackets_in_a_prompt_are_printed_as_they_are(state: GridState):
    table = ranked(state, "what does the sign say?", "[red] [/b]", 0.2)
    assert table.count("No [red] [/b].") == state.size


def test_metrics_go_from_generated_to_reranked(state: GridState):
    lines = printed(metrics_table(state), width=100).splitlines()
    (err,) = [line for line in lines if "ERR" in line]
    assert [cell.strip() for cell in err.split("│")[2:4]] == ["0.52", "0.78"]


def test_without_a_calibration_the_table_of_metrics_says_why_it_is_empty(state: GridState):
    bare = state.with_report(replace(state.report, set_scores=()))
    said = " ".join(printed(metrics_table(bare)).split())
    assert "VQ2 has no calibration with these models" in said
