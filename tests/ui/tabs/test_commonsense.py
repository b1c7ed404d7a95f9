"""What the fields of the commonsense tab ask for."""

import gradio as gr
import pytest

from generation import InvalidRequestError
from session.offer import Offer
from ui.pair_fields import PairFields, requested
from ui.render.vocabulary import unknown_words
from ui.tabs.commonsense import on_words


@pytest.mark.parametrize(
    ("generations", "seed", "says"),
    [
        (None, 7, "there is no number of images each; write a whole number from 1"),
        (2, None, "there is no seed; write a whole number from 0"),
        (2, 1.5, r"the seed is 1\.5; write a whole number from 0"),
        (2.5, 7, r"the number of images each is 2\.5; write a whole"),
    ],
)
def test_a_number_that_is_missing_or_not_whole_is_asked_for(
    generations: float | None, seed: float | None, says: str
) -> None:
    with pytest.raises(InvalidRequestError, match=says):
        requested("a", "b", "c", "d", generations, seed, "clip", "stickers", "embedded")


def test_words_an_embedded_pipeline_never_learned_are_known_and_those_of_others_are_not() -> None:
    assert unknown_words("an umbrella in a downpour", "", "stickers") == ("downpour",)
    assert unknown_words("an umbrella in a downpour", "", "sdxl") == ()


def test_an_unknown_word_of_prompt_and_description_is_named_once() -> None:
    texts = ("a wizard at night", "a cat", "a wizard", "a cat")
    assert on_words("embedded", "icons", *texts).count("Not known here") == 1
    assert "wizard" in on_words("embedded", "sd-1.5", "a cat", "a dog", "a wizard", "a cat")


def test_a_field_of_evaluators_that_was_only_left_undoes_no_later_choice() -> None:
    with gr.Blocks():
        fields = PairFields()
        fields.lay_out_settings(Offer(("icons",), ("embedded",)))
    assert "value" not in fields.on_bundle("embedded", "clip")[fields.evaluator]
    assert fields.on_bundle("embedded", "vlm")[fields.evaluator]["value"] == "vnli"
