"""What is wrong with an image, as a person would say it."""

from pathlib import Path

from alignment import load_report
from alignment.answers import answer_table
from ui.render.sentences import faults

EXAMPLE = next((Path(__file__).parents[3] / "assets" / "examples").glob("*balloons*"))


def test_what_else_the_prompt_asks_for_is_not_told_in_place_of_what_is_missing() -> None:
    report = load_report(EXAMPLE / "report.json").report
    scores = report.scores["vq2"]
    tables = [answer_table(report.prompt, report.questions, [score]) for score in scores]
    told = {fault for table in tables for fault in faults(table)}
    assert told == {
        "No bear.",
        "Not two balloons. Asked how many balloons there are, the model says: one.",
    }
