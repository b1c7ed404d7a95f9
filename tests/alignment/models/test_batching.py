"""Batches are as large as memory allows, and smaller where the accelerator says so."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import GemmaConfig, T5Config

from alignment.models.batching import in_batches, row_bytes

ROOM = 5
"""Items that fit into the accelerator of these tests."""


@given(st.lists(st.integers(), max_size=40), st.integers(1, 64))
def test_every_item_gets_its_result_in_order(items: list[int], most: int) -> None:
    def doubled(batch: Sequence[int]) -> list[int]:
        assert 1 <= len(batch) <= most
        return [2 * each for each in batch]

    assert in_batches(doubled, items, 1.0, "cpu", most) == [2 * each for each in items]


@given(st.lists(st.integers(), max_size=40))
def test_a_batch_that_does_not_fit_is_tried_again_in_parts(items: list[int]) -> None:
    sizes: list[int] = []

    def crowded(batch: Sequence[int]) -> Sequence[int]:
        sizes.append(len(batch))
        if len(batch) > ROOM:
            raise torch.OutOfMemoryError
        return batch

    assert in_batches(crowded, items, 1.0, "cpu") == items
    assert sum(size for size in sizes if size <= ROOM) == len(items)


def test_an_item_that_does_not_fit_alone_is_an_error() -> None:
    def full(_: Sequence[int]) -> Sequence[int]:
        raise torch.OutOfMemoryError

    with pytest.raises(torch.OutOfMemoryError):
        in_batches(full, [1, 2, 3], 1.0, "cpu")


def test_a_row_of_paligemma_needs_megabytes() -> None:
    gemma = GemmaConfig(
        hidden_size=2048,
        intermediate_size=16384,
        num_hidden_layers=18,
        num_attention_heads=8,
        num_key_value_heads=1,
        head_dim=256,
    )
    assert 50e6 < row_bytes(gemma, 256 + 128, 2) < 100e6
    assert row_bytes(gemma, 100, 4) == 2 * row_bytes(gemma, 100, 2)


def test_a_t5_is_sized_by_its_own_names() -> None:
    small = row_bytes(T5Config(d_model=512, d_ff=1024, num_layers=6, num_heads=8), 100, 4)
    large = row_bytes(T5Config(d_model=512, d_ff=4096, num_layers=6, num_heads=8), 100, 4)
    assert large - small == 4 * 100 * 4 * (4096 - 1024)
