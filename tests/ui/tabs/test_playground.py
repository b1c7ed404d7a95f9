"""What the fields of the playground ask for."""

import re
from dataclasses import replace

import gradio as gr
import pytest

from app import EXAMPLES
from generation import InvalidRequestError
from session.limits import Runs
from session.link import read_link
from session.offer import Offer
from session.state import NOT_STARTED, GridState
from session.storage import load_example
from session.viewer_utility import ViewingSettings
from tests.tiny_models import PROMPT
from ui.grid_panel import places
from ui.request_fields import requested
from ui.tabs.playground import Playground, not_again, to_make


@pytest.mark.parametrize(
    ("size", "seed", "says"),
    [
        ("nine", 7, "the grid is 'nine'; write rows x columns, such as 3 x 3"),
        ("3 x 3", None, "there is no seed; write a whole number from 0"),
        ("3 x 3", 1.5, "the seed is 1.5; write a whole number from 0"),
    ],
)
def test_fields_that_make_no_request_say_so(size: str, seed: float | None, says: str):
    with pytest.raises(InvalidRequestError, match=re.escape(says)):
        requested(PROMPT, size, seed, "vq2", "tiny", "tiny")


def test_the_sign_between_rows_and_columns_may_be_any():
    states = [requested(PROMPT, size, 7, "vq2", "stickers", "tiny") for size in SIGNS]
    assert {(state.request.rows, state.request.columns) for state in states} == {(2, 5)}


SIGNS = ("2x5", "2 x 5", " 2×5 ", "2*5")


@pytest.mark.parametrize(("chosen", "completed"), [("auto", True), ("on", True), ("off", False)])
def test_what_a_prompt_leaves_open_is_drawn_by_the_seed_or_not(chosen: str, completed: bool):
    state = requested("two red hearts", "1 x 1", 7, "vq2", "stickers", "tiny", chosen)
    assert state.request.completion == completed


def test_an_image_that_is_opened_while_a_run_works_stays_open_at_its_end(
    state: GridState, unscored: GridState
):
    with gr.Blocks():
        panel = Playground(Offer(), [], Runs()).panel
    view, grow = ("reranked", "saliency", 0.8, False), panel.grow_anew()
    assert grow(unscored)[panel.selected] is None  # whatever was open in the last grid
    assert panel.selected not in grow(state)  # then it is what the visitor opened
    assert panel.rank("vq2", state, 0, *view)[panel.selected] == 0
    assert panel.rank("vq2", state, None, *view)[panel.selected] == state.worst


def test_the_places_of_a_grid_that_nobody_looked_at_are_those_of_its_ranking(state: GridState):
    unseen = state.with_report(replace(state.report, saliency={}))
    assert places(unseen, ViewingSettings("reranked")) == state.report.ranking.order
    assert places(state, ViewingSettings("reranked")) == state.report.ranking.order
    assert places(unseen, ViewingSettings("generated")) == tuple(range(state.size))


example = load_example(min(EXAMPLES.glob("*/report.json")))
asked = GridState(replace(example.request, vq2=None, rank_by="clip"))


def test_images_that_are_on_show_are_not_generated_again():
    again = not_again(asked, example).request
    assert again == replace(asked.request, seed=example.request.seed + example.size)


@pytest.mark.parametrize(
    "shown",
    [
        None,
        replace(example, stage=NOT_STARTED),
        replace(example, request=replace(example.request, prompt="a cat")),
        replace(example, request=replace(example.request, revision="0" * 12)),
        replace(example, images=replace(example.images, previews=frozenset({8}))),
    ],
    ids=["nothing", "unscored", "another prompt", "an earlier model", "unfinished"],
)
def test_what_is_not_yet_on_show_is_generated_as_asked(shown: GridState | None):
    assert not_again(asked, shown) == asked


def test_a_link_that_waits_for_the_button_is_made_as_it_asks_where_the_fields_agree():
    link, _ = read_link("prompt=a+red+car&grid=2x2&seed=3&steps=100&again=1:99")
    fields = ("a red car", "2 x 2", 3, "clip", "icons", "embedded", "off")
    made = to_make(requested(*fields), None, link.state)
    assert (made.request.steps, made.request.rank_by) == (100, "clip")
    assert made.images == link.state.images
    seeded = to_make(requested(*fields[:2], 9, *fields[3:]), None, link.state)
    assert (seeded.request.steps, seeded.request.seed) == (100, 9)
    assert not seeded.images.regenerated
    others = requested("a red cat", *fields[1:])
    assert to_make(others, None, link.state) == others


def test_what_no_field_says_stays_as_it_is_on_show_for_the_same_prompt_and_model():
    shown = replace(example, request=replace(example.request, steps=100, wording="{prompt} here"))
    again = GridState(replace(asked.request, seed=500, bundle="small"))
    made = to_make(again, shown, None).request
    assert made == replace(again.request, steps=100, wording="{prompt} here")


@pytest.mark.parametrize("other", [{"prompt": "a cat"}, {"model": "stickers"}])
def test_another_prompt_or_model_begins_with_the_defaults(other: dict[str, str]):
    shown = replace(example, request=replace(example.request, steps=100))
    asked = GridState(replace(example.request, **other, seed=500))
    assert to_make(asked, shown, None) == asked


def test_what_a_link_asked_for_is_made_once():
    link = replace(example.request, steps=100)
    shown = replace(example, request=link)
    again = to_make(asked, shown, GridState(link)).request
    assert (again.steps, again.seed) == (100, link.seed + example.size)
