"""Prompts are enriched by a real, tiny language model."""

from __future__ import annotations

from alignment.models.loading import load_text
from alignment.models.spec import ScoringModel
from alignment.prompt_pairs.pairs import instruction, revise

PROMPT = "a candle after the birthday wish"


def test_the_enriched_prompt_is_what_the_model_goes_on_to_write(text_spec: ScoringModel) -> None:
    language = load_text(text_spec)
    (written,) = language.complete([instruction(PROMPT)])
    assert revise(PROMPT, language) == (written.strip() or PROMPT)
