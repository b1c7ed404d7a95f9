"""A finished grid of four plain images, its numbers made by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from alignment import Stage
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import (
    Coverage,
    Evidence,
    GridReport,
    ImageScore,
    Ranking,
    SetScore,
    UncoveredWord,
)
from request import Request
from session.state import GridImages, GridState

PROMPT = "a black apple and a green backpack"
COLOURS = ("navy", "pink", "olive", "tomato")
APPLE = QuestionAnswer("what color is the apple?", AnswerSpan("black", 2, 7), 1.0)
BACKPACK = QuestionAnswer("what color is the backpack?", AnswerSpan("green", 20, 25), 1.0)
PROBABILITIES = ((0.6, 0.9), (0.5, 0.04), (0.97, 0.98), (0.3, 0.2))
"""P(yes) of apple and backpack, by cell."""
APART = tuple(tuple(float(one == other) for one in range(4)) for other in range(4))
"""How alike the images are: no image is like another."""
PARTLY = Coverage(4, (UncoveredWord("shiny", 2, "no question asks about it"),))
"""One of four words could not be judged."""


@pytest.fixture
def state(tmp_path: Path) -> GridState:
    """Two by two, ranked by VQ2: cells 2, 0, 1, 3; the backpack of cell 1 is pink."""
    scores = {
        "vq2": tuple(map(scored, PROBABILITIES)),
        "clip": tuple(map(near, (0.6, 0.7, 0.5, 0.4))),
    }
    values = tuple(score.value for score in scores["vq2"])
    report = GridReport(
        prompt=PROMPT,
        rows=2,
        columns=2,
        bundle="embedded",
        questions=(APPLE, BACKPACK),
        scores=scores,
        rankings={"vq2": Ranking((2, 0, 1, 3), values)},
        ranked_by="vq2",
        saliency={"generated": (0.25,) * 4, "reranked": (0.25,) * 4},
        set_scores=tuple(set_scores("positional", 0.52, 0.78)),
    )
    files = tuple(generated(tmp_path, colour) for colour in COLOURS)
    requested = GridState(Request(PROMPT, 2, 2), GridImages(files))
    return requested.with_report(report)


@pytest.fixture
def unscored(state: GridState) -> GridState:
    """The same, just generated."""
    return replace(state, stage=Stage("generating", 4, 4, state.questions))


def scored(probabilities: tuple[float, float]) -> ImageScore:
    apple, backpack = probabilities
    seen = "green" if backpack >= 0.5 else "pink"
    evidence = (Evidence(APPLE, apple, seen="black"), Evidence(BACKPACK, backpack, seen=seen))
    return ImageScore("vq2", (apple + backpack) / 2, evidence=evidence)


def near(value: float) -> ImageScore:
    return ImageScore("clip", value)


def set_scores(order: str, before: float, after: float) -> list[SetScore]:
    return [
        SetScore(metric, order, arrangement, value, value / 2, f"{metric}|p:0.8|order:{order}")
        for metric in ("ERR", "RBP", "ERR+novelty", "RBP+novelty")
        for arrangement, value in (("generated", before), ("reranked", after))
    ]


def generated(folder: Path, colour: str) -> str:
    file = folder / f"{colour}.png"
    Image.new("RGB", (16, 16), colour).save(file)
    return str(file)


def with_scores(state: GridState, **scores: tuple[ImageScore, ...]) -> GridState:
    """The same grid with other scores, and no report."""
    return replace(state, stage=replace(state.stage, scores=scores))


def unjudged(state: GridState) -> GridState:
    """The same finished grid, about which too little could be asked for a score."""
    scores = {"vq2": tuple(withheld(score) for score in state.scores["vq2"])}
    ranking = Ranking((0, 1, 2, 3), (None,) * 4)
    report = replace(state.report, scores=scores, rankings={"vq2": ranking}, set_scores=())
    return state.with_report(report)


def withheld(score: ImageScore) -> ImageScore:
    return replace(score, value=None, reason="a score would speak about 2 of 3 words")


def ruling_out(state: GridState) -> GridState:
    """The same finished grid, whose prompt rules the green backpack out."""
    ruled = replace(BACKPACK, negated=True)
    found = tuple(
        replace(score, evidence=(score.evidence[0], replace(score.evidence[1], pair=ruled)))
        for score in state.scores["vq2"]
    )
    scores = {**state.report.scores, "vq2": found}
    return state.with_report(replace(state.report, questions=(APPLE, ruled), scores=scores))


def with_prompt(state: GridState, prompt: str) -> GridState:
    return replace(state, request=replace(state.request, prompt=prompt))


def with_seed(state: GridState, seed: int) -> GridState:
    return replace(state, request=replace(state.request, seed=seed))


def with_images(state: GridState, **images: object) -> GridState:
    return replace(state, images=replace(state.images, **images))
