"""Keys and values of what a causal language model reads before a question, kept for all questions.

In a causal model nothing that stands before a question depends on it: neither the tokens of the
image nor the words before them, in any layer. So they are read once, and each question reads them
from memory. A model whose image tokens attend to the question (PaliGemma, the encoder of a T5) has
no such part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alignment.models.token_rows import Row, Rows, padded

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import DynamicCache


@dataclass(frozen=True)
class Prefix:
    """What is kept of one image and the words before it."""

    row: Row
    """Its tokens, the last of the image's at the end."""
    layers: tuple[tuple[Tensor, Tensor], ...]
    """Keys and values of each layer that has its own, of shape (heads, tokens, width)."""
    position: int
    """Of the token after it: Qwen-VL counts the rows or columns of an image, not its tokens."""

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return sum(part.nbytes for layer in self.layers for part in layer)


def divided(row: Row, image_token: int) -> tuple[Row, Row]:
    """A row up to its last image token, and the rest of it.

    >>> divided({"input_ids": [1, 9, 9, 2, 3]}, 9)
    ({'input_ids': [1, 9, 9]}, {'input_ids': [2, 3]})
    """
    tokens = row["input_ids"]
    end = len(tokens) - tokens[::-1].index(image_token)
    before, after = (
        {name: column[part] for name, column in row.items()}
        for part in (slice(end), slice(end, None))
    )
    return before, after


def read_prefixes(network: Any, rows: Rows, inputs: Mapping[str, Any]) -> list[Prefix]:
    """Read what stands before the questions about some images, in one forward of the network.

    Each image's part is a copy: a view would hold the memory of all.

    Args:
        network: causal, with an image in each row.
        rows: the tokens of each image.
        inputs: the same as tensors, padded on the left, and what else the network wants of them.
    """
    import torch
    from transformers import DynamicCache

    places, following = _positions(network, inputs)
    with torch.inference_mode():
        cache = network(
            **inputs,
            position_ids=places,
            past_key_values=DynamicCache(),
            use_cache=True,
            logits_to_keep=1,
        ).past_key_values
    layers = [(layer.keys, layer.values) for layer in cache.layers]
    return [
        Prefix(
            row,
            tuple(
                tuple(part[place, :, -len(row["input_ids"]) :].clone() for part in layer)
                for layer in layers
            ),
            position,
        )
        for place, (row, position) in enumerate(zip(rows, following.tolist(), strict=True))
    ]


def after_prefixes(
    prefixes: Sequence[Prefix], suffixes: Rows, pad_token: int, device: Any
) -> dict[str, Any]:
    """What `generate` reads of questions, one after each prefix; it computes the suffixes only.

    Both parts are padded on the left, so that all rows end at the same place.

    Args:
        prefixes: one for each question.
        suffixes: the tokens of each question and of all that follows it.
        pad_token: of the tokenizer.
        device: of the network.
    """
    import torch

    columns = ("input_ids", "attention_mask")
    before, after = (
        padded([{name: row[name] for name in columns} for row in part], pad_token, "left", device)
        for part in ([prefix.row for prefix in prefixes], suffixes)
    )
    starts = torch.tensor([[prefix.position] for prefix in prefixes], device=device)
    places = (after["attention_mask"].cumsum(-1) - 1).clamp(min=0)
    joined = {name: torch.cat([before[name], after[name]], 1) for name in columns}
    return {**joined, "position_ids": starts + places, "past_key_values": _cache(prefixes)}


def _cache(prefixes: Sequence[Prefix]) -> DynamicCache:
    """One row for each prefix, the shorter ones filled up on the left.

    Layers with a sliding window keep all of it: the mask says what they look at.
    """
    from torch import stack
    from torch.nn.functional import pad
    from transformers import DynamicCache

    most, cache = max(len(prefix.row["input_ids"]) for prefix in prefixes), DynamicCache()
    for index in range(len(prefixes[0].layers)):
        keys, values = (
            stack([pad(part, (0, 0, most - part.shape[1], 0)) for part in parts])
            for parts in zip(*(prefix.layers[index] for prefix in prefixes), strict=True)
        )
        cache.update(keys, values, index)
    return cache


def _positions(network: Any, inputs: Mapping[str, Any]) -> tuple[Tensor, Tensor]:
    """Where each token stands, and where the next one of each row would."""
    if hasattr(network.model, "get_rope_index"):  # positions in time, height and width
        places, _ = network.model.get_rope_index(**inputs)
        return places, places.amax((0, 2)) + 1
    places = (inputs["attention_mask"].cumsum(-1) - 1).clamp(min=0)
    return places, places[:, -1] + 1
