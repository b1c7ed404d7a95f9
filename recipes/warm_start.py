"""A text model of a larger vocabulary that begins with the weights of a smaller one's."""

from __future__ import annotations

from typing import Any

from torch import nn


def begin_from(other: Any, known: Any, model: Any, tokenizer: Any) -> None:
    """Load a transformers model of the same widths, its words wherever they stand.

    Args:
        other: the model whose weights are taken; its embeddings become those of `model`.
        known: the tokenizer of `other`.
        model: takes the weights; words that `other` does not know begin as they are.
        tokenizer: that of `model`.
    """
    before, own = known.get_vocab(), tokenizer.get_vocab()
    shared = [word for word in own if word in before]
    embeddings = model.get_input_embeddings().weight.detach().clone()
    taken = other.get_input_embeddings().weight.detach()
    embeddings[[own[word] for word in shared]] = taken[[before[word] for word in shared]]
    other.set_input_embeddings(nn.Embedding.from_pretrained(embeddings))
    other.tie_weights()
    model.load_state_dict(other.state_dict())
