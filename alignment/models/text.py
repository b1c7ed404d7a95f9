"""Text-to-text models: question generators, QA models, language models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from alignment.models.batching import in_batches, row_bytes
from alignment.models.spec import Templates

READ_AND_WRITTEN = 256
"""Tokens that are set aside for a text and its continuation."""
ROWS = 32
"""Texts that go together, at most."""


class SequenceToSequence:
    """An encoder-decoder language model with relative positions, which reads texts of any length.

    T5 and its kind; the length that their tokenisers name is that of training, and nothing is cut
    there.
    """

    def __init__(self, network: Any, tokenizer: Any, templates: Templates) -> None:
        self.templates = templates
        self._network = network
        self._tokenizer = tokenizer
        self._row_bytes = row_bytes(network.config, READ_AND_WRITTEN, network.dtype.itemsize)

    def complete(self, texts: Sequence[str]) -> list[str]:
        """The most likely continuation of each text, at most 48 tokens."""
        return [first for (first,) in self.alternatives(texts, 1)]

    def alternatives(
        self, texts: Sequence[str], count: int, seed: int | None = None
    ) -> list[list[str]]:
        """`count` continuations of each text, at most 48 tokens each.

        Without a seed the most likely ones: greedy for one, by beam search for several. With a
        seed they are sampled, and the process's own generator is left as it was.
        """
        import torch

        with torch.random.fork_rng(enabled=seed is not None):
            if seed is not None:
                torch.manual_seed(seed)
            decoding: dict[str, Any] = {
                "do_sample": seed is not None,
                "num_beams": count if seed is None else 1,
            }
            work = partial(self._continue, count=count, **decoding)
            return in_batches(work, texts, count * self._row_bytes, self._network.device, ROWS)

    def _continue(self, texts: Sequence[str], count: int, **decoding: Any) -> list[list[str]]:
        inputs = self._tokenizer(list(texts), padding=True, verbose=False, return_tensors="pt")
        tokens = self._network.generate(
            input_ids=inputs.input_ids.to(self._network.device),
            attention_mask=inputs.attention_mask.to(self._network.device),
            max_new_tokens=48,
            num_return_sequences=count,
            **decoding,
        )
        decoded = self._tokenizer.batch_decode(tokens, skip_special_tokens=True)
        return [decoded[at : at + count] for at in range(0, len(decoded), count)]
