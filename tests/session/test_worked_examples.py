"""What the worked examples of the page are there to show."""

from functools import partial
from pathlib import Path

import pytest

from session.attention import attention
from session.pair_state import load_pair_example
from session.state import GridState
from session.storage import ContentStore, load_example
from session.viewer_utility import ViewingSettings, viewer_utility
from ui.page import PAIR
from ui.render.outcome import RIGHT, WRONG, outcome
from ui.render.vocabulary import unknown_words

EXAMPLES = sorted((Path(__file__).parents[2] / "assets" / "examples").glob("*/report.json"))


@pytest.fixture(scope="module")
def examples() -> list[GridState]:
    return [load_example(path) for path in EXAMPLES]


@pytest.mark.parametrize(
    ("number", "missing", "right"),
    [
        (0, {("dog",)}, 4),
        (1, {("three", "below a clock")}, 0),
        (2, set(), 9),
        (3, set(), 9),
    ],
)
def test_each_teaches_one_thing(examples, number: int, missing: set[tuple[str, ...]], right: int):
    state = examples[number]
    told = [outcome(state, cell) for cell in range(state.size)]
    assert len(examples) == 4
    wrong = {
        tuple(fault.words.text for fault in each.faults) for each in told if each.sign == WRONG
    }
    assert wrong == missing
    assert [each.sign for each in told].count(RIGHT) == right


def test_where_images_are_wrong_the_best_layout_matters_to_a_viewer_drawn_by_saliency(examples):
    view = ViewingSettings("best", "saliency", 0.8, novelty=False)
    found = viewer_utility(examples[0].report, view, partial(attention, examples[0]))
    err = {each.arrangement: each.value for each in found.scores if each.metric == "ERR"}
    assert err["best"] > err["reranked"] + 0.02


def test_what_the_last_image_is_said_to_miss_is_not_what_it_is_said_to_show(examples):
    for state in examples:
        last = state.ranked[-1]
        weakest = state.score(last, "vq2").weakest
        assert outcome(state, last).sign != WRONG or weakest.seen != weakest.pair.answer.text


def test_the_models_know_every_word_of_the_stored_pair(tmp_path: Path):
    plain, said = load_pair_example(PAIR, ContentStore(tmp_path).image)
    for words in (*plain.pair.prompts, *plain.pair.descriptions):
        assert unknown_words(words, "", plain.request.model) == ()
    assert (plain.score, said.revised) == (0.0, True)
