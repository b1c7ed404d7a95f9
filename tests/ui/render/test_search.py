"""The strip of a search: what was tried, what came of it, and what it cost."""

from dataclasses import replace

from alignment.answers import answer_table
from alignment.records import Coverage, UncoveredWord
from search import Budget, Cost, Plan
from session.search_state import SearchState, Tried
from session.state import GridState, Replaced
from tests.ui.conftest import APPLE, BACKPACK, PROMPT, scored
from tests.ui.reading import read
from ui.render.search import attempts

NEVER = Plan("resample", 11)
AGAIN = Plan("repair", 12, parent=0, claim=1)


def tried(plan: Plan, green: float, number: int, **changes: object) -> Tried:
    score = scored((0.9, green))
    spent = Cost(4 * (number + 1), 6, 2.0, 0.4)
    made = Tried(
        number=number,
        plan=plan,
        score=score,
        table=answer_table(PROMPT, (APPLE, BACKPACK), [score]),
        chance=None,
        holds=green >= 0.5,
        mended=(),
        broken=(),
        cost=spent,
        spent=spent,
        best=number,
        file=f"{number}.png",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


FAILED = tried(NEVER, 0.04, 0)
MENDED = tried(AGAIN, 0.9, 1, mended=(1,), box=(0.5, 0.0, 0.5, 0.25))


def searched(state: GridState, *found: Tried, cell: int | None = None) -> GridState:
    return replace(state, search=SearchState(Budget(64, seconds=120), cell, found))


def test_each_attempt_says_what_was_tried_and_what_it_mended(state: GridState):
    strip = read(attempts(searched(state, FAILED, MENDED)))
    cards = strip.all("button")[:2]
    assert [each["aria-label"] for each in cards] == [
        "Attempt 1, new seed: the backpack is not green",
        "Attempt 2, repair: green: every answer holds; mended green",
    ]
    assert strip.one("h2").text == "Attempt 2 shows everything."
    assert strip.one("p", "spent").text == (
        "2 attempts, 12 % of the budget, 2 s; a link keeps an attempt once it is in the grid"
    )
    assert strip.one("section")["data-opened"] == "1"


def test_the_attempts_are_folded_while_one_of_them_is_in_the_grid(state: GridState):
    found = searched(state, FAILED, MENDED)
    assert "open" in read(attempts(found)).one("details").attributes
    files = ("1.png", *state.images.files[1:])
    joined = replace(found, images=replace(state.images, files=files), replaced=Replaced(0, found))
    assert "open" not in read(attempts(joined)).one("details").attributes


def test_a_search_in_vain_names_the_attempt_that_scores_highest(state: GridState):
    found = read(attempts(searched(state, FAILED, FAILED))).one("h2").text
    assert found == "None of 2 attempts shows everything; attempt 1 scores highest."
    (alone,) = read(attempts(searched(state, FAILED))).all("h2")
    assert alone.text == "One attempt, and it does not show everything."


def test_a_search_of_which_the_best_attempt_is_in_doubt_says_so(state: GridState):
    doubted = tried(AGAIN, 0.8, 0, mended=(1,), holds=None)
    found = read(attempts(searched(state, doubted, replace(doubted, number=1))))
    said = "None of 2 attempts clearly shows everything; attempt 1 may."
    assert found.one("h2").text == said
    assert not found.all("span", "holds")
    (alone,) = read(attempts(searched(state, doubted))).all("h2")
    assert alone.text == "One attempt, and it may show everything."


def test_words_that_fail_in_every_one_of_several_attempts_are_named(state: GridState):
    found = read(attempts(searched(state, *[FAILED] * 4))).one("h2").text
    assert found == (
        "None of 4 attempts shows everything; attempt 1 scores highest. "
        '"green" fails in each. If you see it, the evaluator is mistaken; otherwise other words or '
        "another model may help more."
    )


def test_what_could_not_be_judged_is_said_where_all_else_holds(state: GridState):
    shiny = Coverage(4, (UncoveredWord("black", 2, "no question asks about it"),))
    score = replace(MENDED.score, coverage=shiny)
    table = answer_table(PROMPT, (BACKPACK,), [score])
    strip = read(attempts(searched(state, replace(MENDED, score=score, table=table))))
    said = 'Attempt 1 shows all that could be judged. Not judged: "black".'
    assert strip.one("h2").text == said
    assert strip.one("span", "verdict").text == "(✓) judged part"


def test_while_it_runs_every_attempt_is_news_once(state: GridState):
    first = read(attempts(searched(state), running=True)).one("section")["data-said"]
    second = read(attempts(searched(state, FAILED), running=True)).one("section")["data-said"]
    assert (first, second) == (
        "The search begins.",
        "Attempt 1, new seed: the backpack is not green.",
    )


def test_a_repair_is_shown_over_what_it_was_made_from_with_its_outline(state: GridState):
    shown = attempts(searched(state, FAILED, MENDED))
    assert 'class="before" src="images/0.png"' in shown
    assert "left: 50.0%; top: 0.0%; width: 50.0%; height: 25.0%" in shown
    assert 'aria-label="before (attempt 1) and after"' in shown


def test_each_finished_attempt_can_be_put_in_the_grid(state: GridState):
    hopeless = replace(FAILED, given_up=True)
    shown = read(attempts(searched(state, FAILED, MENDED, hopeless)))
    assert [each["data-attempt"] for each in shown.all("button", "join")] == ["0", "1"]
    itself = read(attempts(searched(state, FAILED, cell=1)))
    assert itself.all("button", "join") == []
    assert "as generated" in itself.one("button")["aria-label"]


def test_words_of_which_one_claim_is_mended_and_another_broken_are_neither(state: GridState):
    other = tried(AGAIN, 0.04, 1, mended=(1,), broken=(1,))
    strip = read(attempts(searched(state, FAILED, other)))
    assert (
        strip.all("button")[1]["aria-label"]
        == "Attempt 2, repair: green: the backpack is not green"
    )
