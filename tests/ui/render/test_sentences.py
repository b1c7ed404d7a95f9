"""What is wrong with an image, as a person would say it."""

from pathlib import Path

from alignment import load_report
from alignment.answers import answer_table
from ui.render.sentences import faults

EXAMPLES = Path(__file__).parents[3] / "assets" / "examples"


def told_of(name: str) -> set[str]:
    report = load_report(next(EXAMPLES.glob(name)) / "report.json").report
    scores = report.scores["vq2"]
    tables = [answer_table(report.prompt, report.questions, [score]) for score in scores]
    return {fault for table in tables for fault in faults(table)}


def test_what_else_the_prompt_asks_for_is_not_told_in_place_of_what_is_missing() -> None:
    assert told_of("*frogs*") == {"No dog."}


def test_where_a_thing_and_its_colour_are_there_its_number_is_what_is_wrong() -> None:
    told = {each for each in told_of("*books*") if "below" not in each}
    assert told == {"Not three books. Asked how many books there are, the model says: two."}
