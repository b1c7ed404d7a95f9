"""Textual inference: does one text entail another, contradict it, or neither?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from alignment.errors import UnsuitableModelError
from alignment.models.batching import in_batches, row_bytes

PAIR_TOKENS = 256
"""What is set aside for two texts when batches are sized."""


class Inference(NamedTuple):
    """What follows from a text for another; the rest of the mass is on neither."""

    entailed: float
    """The chance in [0, 1] that the second text is true when the first is."""
    contradicted: float
    """The chance in [0, 1] that the second text is false when the first is true."""


class PairClassifier:
    """A sequence classifier with a label for entailment and one for contradiction.

    Both texts together are read up to the length that the tokeniser names, 512 tokens for most:
    some 350 words.
    """

    def __init__(self, network: Any, tokenizer: Any) -> None:
        self._network = network
        self._tokenizer = tokenizer
        self._entailed = label_index(network.config.id2label, "entail")
        self._contradicted = label_index(network.config.id2label, "contra")

    def infer(self, texts: Sequence[tuple[str, str]]) -> list[Inference]:
        """What follows from the first text of each pair for the second."""
        network = self._network
        needed = row_bytes(network.config, PAIR_TOKENS, network.dtype.itemsize)
        found = in_batches(self._chances, texts, needed, network.device)
        return [Inference(each[self._entailed], each[self._contradicted]) for each in found]

    def _chances(self, texts: Sequence[tuple[str, str]]) -> list[list[float]]:
        import torch

        first, second = map(list, zip(*texts, strict=True))
        inputs = self._tokenizer(first, second, padding=True, truncation=True, return_tensors="pt")
        with torch.inference_mode():
            logits = self._network(**inputs.to(self._network.device)).logits
        chances: list[list[float]] = logits.float().softmax(-1).tolist()
        return chances


def label_index(labels: dict[int, str], beginning: str) -> int:
    """The output whose label begins so, in any casing.

    Raises:
        UnsuitableModelError: there is none.

    >>> label_index({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, "entail")
    2
    """
    for index, label in labels.items():
        if label.casefold().startswith(beginning):
            return index
    raise UnsuitableModelError(
        f"the inference model's labels are {', '.join(labels.values())}; "
        "choose one with labels for entailment and contradiction"
    )
