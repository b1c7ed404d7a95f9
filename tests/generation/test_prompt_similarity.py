"""How alike two prompts are to a text-to-image model's text encoder."""

import pytest

from generation import ModelSpec, load_pipeline
from generation.prompt_similarity import prompt_similarity


def test_the_order_of_the_prompts_does_not_matter(tiny_pipeline: ModelSpec) -> None:
    pipeline = load_pipeline(tiny_pipeline)
    there = prompt_similarity("a cat", "two dogs", pipeline)
    assert prompt_similarity("two dogs", "a cat", pipeline) == pytest.approx(there)


def test_prompts_that_differ_only_where_the_encoder_no_longer_reads_are_the_same_to_it(
    tiny_pipeline: ModelSpec,
) -> None:
    pipeline = load_pipeline(tiny_pipeline)
    long = "one unlit candle"  # the tiny tokenizer reads 14 letters
    assert prompt_similarity(f"{long} here", f"{long} there", pipeline) == pytest.approx(1)


def test_reading_leaves_the_tokenizer_as_it_was(tiny_pipeline: ModelSpec) -> None:
    pipeline = load_pipeline(tiny_pipeline)
    before = pipeline.tokenizer("a cat").input_ids
    prompt_similarity("a cat", "two dogs", pipeline)
    assert pipeline.tokenizer("a cat").input_ids == before
