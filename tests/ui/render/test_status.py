"""What the page says while it works, and when it cannot."""

from dataclasses import replace

import pytest

from session.state import GridState
from tests.ui.conftest import with_images, with_prompt
from tests.ui.reading import read
from ui.render import status
from ui.render.status import about_unknown, activity, begun, mistake, progress
from ui.render.vocabulary import words_outside


def test_progress_says_what_how_far_and_how_long(state: GridState):
    document = read(progress(activity(state.at("generating")), 3, 12, 4.4))
    assert document.one("progress")["value"] == "0.250"
    assert document.one("div").text == "generating 4 images4 s"


def test_an_image_that_joins_is_named_by_its_own_seed(state: GridState):
    joining = with_images(state, previews=frozenset({2}))
    assert activity(joining.at("rescoring")) == f"scoring seed {state.seed_of(2)}"


def test_the_seconds_are_shown_and_not_read_out_again_and_again():
    for line in (progress("generating", 3, 12, 4.4), begun("waiting for its turn")):
        assert read(line).one("div")["role"] == "status"
        assert read(line).one("span", "seconds")["aria-hidden"] == "true"


def test_how_images_were_made_is_told_where_no_field_says_it(state: GridState):
    assert status.generated(state) == "4 images"
    made = replace(state.request, steps=100, guidance=2.5, wording="{prompt}, 4k")
    said = status.generated(replace(state, request=made))
    assert said == f'4 images (100 steps, guidance 2.5, as "{state.prompt}, 4k")'


def test_a_mistake_is_announced_as_a_sentence():
    line = read(mistake("the prompt is <empty>")).one("div")
    assert line["role"] == "alert"
    assert line.text == "✗ The prompt is <empty>."


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("astronaut", "moon"), '"astronaut" and "moon"'),
        (tuple("abcdefg"), '"a", "b", "c", "d", "e" and 2 more words'),
    ],
)
def test_unknown_words_are_named_and_beyond_five_counted(words: tuple[str, ...], named: str):
    assert about_unknown(words) == f"Not known here: {named}."


KNOWN = {"a", "red", "apple", "apples", "and"}


@pytest.mark.parametrize(
    ("prompt", "unknown"),
    [
        ("a red apple", ()),
        ("A RED Apple!", ()),
        ("an apple by my dragon and the dragon's egg", ("dragon", "egg")),
        ("a 1950s red apple, 8k", ("1950s", "8k")),
        ("a Käfer, 3 apples & 🍎", ("käfer", "🍎")),
        ("", ()),
    ],
)
def test_words_are_unknown_once_each_whatever_their_case(prompt: str, unknown: tuple[str, ...]):
    assert words_outside(KNOWN | {"an", "the"}, prompt) == unknown


def test_a_stop_says_whose_results_are_below(state: GridState, unscored: GridState):
    """A run that is stopped before its first step leaves the images of the prompt before."""
    under = f"“{state.prompt}”"
    assert status.stopped(unscored) == f"stopped; below are the results so far for {under}"
    assert status.stopped(state) == f"stopped; below are the results for {under}, as they were"
    assert status.stopped(None) == "stopped before there was an image"
    endless = with_prompt(state, "a red balloon and " * 50)
    assert len(status.stopped(endless)) < 150
