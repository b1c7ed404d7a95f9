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
    shared = _counterparts(tokenizer, known)
    embeddings = model.get_input_embeddings().weight.detach().clone()
    taken = other.get_input_embeddings().weight.detach()
    embeddings[[*shared]] = taken[[*shared.values()]]
    other.set_input_embeddings(nn.Embedding.from_pretrained(embeddings))
    other.tie_weights()
    model.load_state_dict(other.state_dict())


def _counterparts(tokenizer: Any, known: Any) -> dict[int, int]:
    """Token -> the one of another tokenizer: of a whole word what reads it, of a piece its like."""
    before, words = known.get_vocab(), tokenizer.get_added_vocab()
    read = {
        token: known(piece, add_special_tokens=False).input_ids
        if piece in words
        else [before[piece]]
        for piece, token in tokenizer.get_vocab().items()
        if piece in words or piece in before
    }
    return {token: others[0] for token, others in read.items() if len(others) == 1}
