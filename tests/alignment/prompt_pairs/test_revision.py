"""Prompts are enriched by a real, tiny language model."""

from __future__ import annotations

from alignment.models.loading import load_text
from alignment.models.spec import ScoringModel
from alignment.prompt_pairs.pairs import EXAMPLES, instruction, revise

PROMPT = "a candle after the birthday wish"


def test_the_enriched_prompt_is_what_the_model_goes_on_to_write(text_spec: ScoringModel) -> None:
    language = load_text(text_spec)
    (written,) = language.complete([instruction(PROMPT)])
    assert revise(PROMPT, language) == (written.strip() or PROMPT)


def test_the_model_is_shown_the_task_every_example_and_the_prompt_last() -> None:
    shown = instruction(PROMPT)
    places = [shown.index(text) for example in EXAMPLES for text in example]
    assert places == sorted(places)
    assert shown.endswith(f"caption: {PROMPT}\npicture:")


def test_each_example_adds_to_its_prompt_and_changes_no_word_of_it() -> None:
    assert all(full.startswith(f"{plain}, ") for plain, full in EXAMPLES)
