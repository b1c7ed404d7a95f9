"""What a network writes, greedily, to rows of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from torch import Tensor


class Continuation(NamedTuple):
    """What a language model says, token by token, to a batch of questions."""

    first: Tensor
    """Logits of the first answer token, shape (questions, vocabulary)."""
    tokens: Tensor
    """The greedy answer, shape (questions, length)."""


def continued(generate: Callable[..., Any], length: int, **inputs: Any) -> Continuation:
    """What a network's `generate` says, greedily, with the raw logits of its first token."""
    import torch

    with torch.inference_mode():
        output = generate(
            **inputs,
            max_new_tokens=length,
            do_sample=False,
            num_beams=1,
            return_dict_in_generate=True,
            output_logits=True,
        )
    steps = output.logits
    return Continuation(steps[0].float(), output.sequences[:, -len(steps) :])


def by_length(
    reply: Callable[[Sequence[int]], Continuation], lengths: Sequence[int], pad_token: int
) -> Continuation:
    """The replies to rows of these lengths, those of one length together, padded at their ends."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    replies: dict[int, tuple[Tensor, Tensor]] = {}
    for each in set(lengths):
        places = [place for place, length in enumerate(lengths) if length == each]
        replies.update(zip(places, zip(*reply(places), strict=True), strict=True))
    first, tokens = zip(*(replies[place] for place in range(len(lengths))), strict=True)
    return Continuation(torch.stack(first), pad_sequence(tokens, True, pad_token))
