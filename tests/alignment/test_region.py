"""Where in an image the answer to a question is seen."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Images
from PIL.Image import Image

import alignment
from alignment import Models
from alignment.answers import Answer, AnswerTable, Claim, answer_table
from alignment.models.loading import load_vision
from alignment.models.partial_view import seen_in_part
from alignment.models.spec import ScoringModel
from alignment.models.vlm import ImageQuestion
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Evidence, ImageScore
from alignment.region import (
    SIDE,
    mean_by_place,
    region_of,
    seen_at,
    shown_instead,
    thing_of,
    uncovered,
    windows,
)
from alignment.scorers.vq2 import predicate

SCENES = Path(__file__).parents[2] / "assets" / "benchmarks" / "stickers"


def pair(question: str, answer: str, negated: bool = False) -> QuestionAnswer:
    return QuestionAnswer(question, AnswerSpan(answer, 0, len(answer)), 1.0, negated=negated)


THING, COLOUR = pair("what animal is there?", "cat"), pair("what color is the cat?", "red")


def table(thing: Answer, colour: Answer, negated: bool = False) -> AnswerTable:
    first = replace(THING, negated=negated)
    claims = (Claim(first.answer, (first,)), Claim(COLOUR.answer, (COLOUR,), rests_on=(0,)))
    return AnswerTable("a red cat", claims, ((thing, colour),), (False,))


SHOWN, MISSING = Answer(0.9, "cat"), Answer(0.1, "dog")
WRONG = Answer(0.1, "blue")


NO_CAT, DOG = table(MISSING, WRONG), pair(THING.question, "dog")
FAULTS = {
    "where a thing is, what is wrong of it": (table(SHOWN, WRONG), 1, THING),
    "in the place of what is missing, what is seen": (NO_CAT, 0, DOG),
    "nothing, where nothing is seen instead": (table(replace(MISSING, seen=""), WRONG), 0, None),
    "nothing that is asked for": (replace(NO_CAT, prompt="a red cat and two dogs"), 0, None),
    "a word that only begins alike": (replace(NO_CAT, prompt="a red cat and dogma"), 0, DOG),
    "what is ruled out": (
        table(replace(MISSING, seen="cat"), WRONG, negated=True), 0, replace(THING, negated=True),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("told", "claim", "wanted"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_shown_by(told: AnswerTable, claim: int, wanted: QuestionAnswer | None):
    assert shown_instead(told, 0, claim) == wanted


def test_a_place_that_is_wrong_is_looked_for_at_the_thing_that_it_is_said_of():
    text, where = "a banana in a bowl", "where is the banana?"
    said = {"banana": "thing", "in a bowl": "place", "bowl": "thing"}
    pairs = [
        QuestionAnswer(
            where if kind == "place" else "what is there?",
            AnswerSpan(words, text.index(words), text.index(words) + len(words), kind),
            1.0,
        )
        for words, kind in said.items()
    ]
    chances = (0.9, 0.1, 0.95)
    evidence = tuple(map(Evidence, pairs, chances))
    told = answer_table(text, pairs, [ImageScore("vq2", 0.5, evidence=evidence)])
    assert told.failing(0) == (1,)
    assert thing_of(told, 0, 1) == 0


@given(st.floats(0, 1))
def test_where_every_window_says_the_same_every_place_does(value: float):
    assert mean_by_place([value] * len(windows())) == pytest.approx(np.full((SIDE, SIDE), value))


@given(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
def test_a_place_without_which_nothing_is_seen_has_the_most(row: int, column: int):
    found = mean_by_place([float(window[row, column]) for window in windows()])
    assert found[row, column] == found.max() == 1


def scene(file: str) -> tuple[Image, dict[str, list[dict[str, int]]]]:
    """A drawn scene, and the boxes of each of its things."""
    lines = map(json.loads, (SCENES / "scenes.jsonl").read_text("utf-8").splitlines())
    (drawn,) = (line["scene"] for line in lines if line["image"] == file)
    names = [group["name"] for group in drawn["groups"]]
    image = Images.open(SCENES / file).convert("RGB")
    return image, dict(zip(names, drawn["boxes"], strict=True))


@pytest.fixture(scope="module")
def embedded() -> Models:
    return Models(alignment.find_bundle("embedded"))


@pytest.mark.parametrize(
    ("file", "question", "name"),
    [
        ("000.png", "what shape is there?", "star"),
        ("001.png", "what animal is there?", "duck"),
        ("009.png", "what animal is there?", "owl"),
    ],
)
def test_a_thing_is_found_where_it_was_drawn(embedded: Models, file: str, question: str, name: str):
    (image, boxes), model, side = scene(file), embedded.answerer, 128 // SIDE
    region = region_of(pair(question, name), image, model, model.encode([image]))
    drawn = np.zeros((SIDE, SIDE), dtype=bool)
    for box in boxes[name]:
        top, left, places = (box[each] // side for each in ("y", "x", "size"))
        drawn[top : top + places, left : left + places] = True
    assert region is not None
    assert (region & drawn).sum() / (region | drawn).sum() > 0.6, "intersection over union"
    assert (region & ~drawn).sum() <= 0.25 * drawn.sum()


def test_a_thing_that_is_not_there_has_no_region(embedded: Models):
    (image, _), model = scene("000.png"), embedded.answerer
    cat, seen = pair("what animal is there?", "cat"), model.encode([image])
    assert region_of(cat, image, model, seen) is None


def test_a_model_whose_tokens_have_no_places_is_shown_the_pixels_of_each_window(
    blip2_spec: ScoringModel, monkeypatch: pytest.MonkeyPatch
):
    model = load_vision(blip2_spec)
    image = Images.effect_mandelbrot((48, 48), (-2, -1.5, 1, 1.5), 60).convert("RGB")
    seen = model.encode([image])
    assert seen_in_part(seen[0], windows()) is None
    monkeypatch.setattr("alignment.region.AS_LIKELY_AS_NOT", 0.0)
    asks = [ImageQuestion(at, predicate(THING, model.templates)) for at in range(len(windows()))]
    parts = model.encode([uncovered(image, window) for window in windows()])
    expected = mean_by_place([each.probability for each in model.p_yes(parts, asks)])
    assert seen_at(THING, image, model, seen) == pytest.approx(expected)


def test_outside_the_window_an_image_has_its_mean_colour():
    image = Images.new("RGB", (16, 16), "red")
    image.paste("blue", (8, 0, 16, 16))
    pixels = np.asarray(uncovered(image, windows()[0]))
    assert (pixels[:4, :4] == (255, 0, 0)).all()
    assert (pixels[:, 8:] == (127, 0, 127)).all()
