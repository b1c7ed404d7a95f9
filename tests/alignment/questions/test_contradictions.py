"""Contradictions are written by a language model and chosen by an inference model."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

import pytest

from alignment.errors import UnsuitableModelError
from alignment.models.catalogue import EMBEDDED
from alignment.models.loading import Models, load_text
from alignment.models.nli import Inference, label_index
from alignment.models.spec import ScoringModel, Templates
from alignment.questions.contradictions import (
    AGREEING,
    CONTRADICTING,
    contradictions,
    disagreeing,
    few_shot,
    learned_contradictions,
)
from tests.alignment.tiny_evaluators import BY_HEART, TEXT


def test_the_examples_are_seven_that_contradict_and_eight_that_do_not() -> None:
    assert (len(CONTRADICTING), len(AGREEING)) == (7, 8)
    lines = few_shot().splitlines()[1:]
    assert ["Contradicts: yes" in line for line in lines] == [False, *[False, True] * 7]


def test_contradictions_are_told_apart_by_how_much_they_contradict(models: Models) -> None:
    found = contradictions(TEXT, models.language, models.inference)
    chances = [each.contradicted for each in models.inference.infer([(TEXT, e) for e in found])]
    assert len(found) > 1
    assert chances == pytest.approx(sorted(chances, reverse=True), abs=1e-5)


def test_what_repeats_the_prompt_or_itself_is_left_out(
    models: Models, text_spec: ScoringModel
) -> None:
    # The tiny T5 knows by heart what to say to this.
    learned = f"answer: black  context: {TEXT}"
    said = BY_HEART[learned]
    pen = load_text(replace(text_spec, templates=Templates(contradict=learned)))
    assert contradictions(TEXT, pen, models.inference) == (said,)
    assert contradictions(f" {said.upper()}. ", pen, models.inference) == ()


def test_a_classifier_of_something_else_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="labels are happy, sad"):
        label_index({0: "happy", 1: "sad"}, "entail")


def test_who_learned_to_contradict_writes_its_likeliest(models: Models) -> None:
    (written,) = models.language.alternatives(
        [models.language.templates.contradict.format(examples="", text=TEXT)], 8
    )
    found = learned_contradictions(TEXT, models.language, count=4)
    assert found
    assert set(found) <= {each.strip() for each in written}


def test_what_agrees_with_a_caption_is_rejected_by_an_inference_model() -> None:
    """One that takes every change of "red" for agreement."""

    class Agreeable:
        def infer(self, texts: Sequence[tuple[str, str]]) -> list[Inference]:
            return [Inference(*((0.9, 0.1) if "red" in each else (0.1, 0.9))) for _, each in texts]

    said = ("a kangaroo and a red bus", "a kangaroo and a blue car")
    assert disagreeing("a kangaroo and a red car", said, Agreeable()) == {said[1]: 0.9}


CONTRADICTOR = EMBEDDED.contradictor or EMBEDDED.reader
PROMPTS = ("a turtle below a purple star", "two yellow balloons in the snow", "a car that is red")


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_embedded_model_contradicts_one_place_after_the_other(prompt: str) -> None:
    found = learned_contradictions(prompt, load_text(CONTRADICTOR), count=6)
    changes = [changed(prompt, each) for each in found]
    assert len(found) >= 4
    assert sum(1 <= len(change) <= 3 for change in changes) >= len(changes) - 1
    assert set(changes[0]).isdisjoint(changes[1])


def changed(prompt: str, other: str) -> range:
    """Which words of a prompt, from the first to the last, another text has otherwise."""
    words = prompt.split()
    codes = SequenceMatcher(None, words, other.split(), autojunk=False).get_opcodes()
    touched = [(a, b) for kind, a, b, _, _ in codes if kind != "equal"]
    return range(touched[0][0], touched[-1][1])


def test_another_article_contradicts_nothing() -> None:
    """The embedded model writes "an crescent moon" among its first."""
    prompt = "three stars and a crescent moon at night"
    found = learned_contradictions(prompt, load_text(CONTRADICTOR))
    assert found
    assert prompt.replace("a cres", "an cres") not in found
