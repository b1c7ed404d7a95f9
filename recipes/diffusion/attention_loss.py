"""The attention loss, an auxiliary loss that keeps the looks of several things apart.

Where a thing is in the image, the cross-attention of the UNet should go to the words about that
thing rather than to those about the others, after TokenCompose (Z. Wang et al., 2023).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from recipes.diffusion.claims import GROUPS, SLOT_OF, Labels, has_slots, nouns
from recipes.world.captions import SceneCaption


class RecordedAttention:
    """Cross-attention as plain matrix products; it records how it was spread over the words."""

    def __init__(self) -> None:
        self.spread = torch.zeros(0)
        """(n, positions, words): the mean over the heads."""

    def __call__(
        self, attn: Any, hidden_states: Tensor, encoder_hidden_states: Tensor, *_: Any, **__: Any
    ) -> Tensor:
        """What diffusers' attention processors do."""
        query, key, value = (
            part.unflatten(-1, (attn.heads, -1)).transpose(1, 2)
            for part in (
                attn.to_q(hidden_states),
                attn.to_k(encoder_hidden_states),
                attn.to_v(encoder_hidden_states),
            )
        )
        weights = (query @ key.transpose(-1, -2) * attn.scale).softmax(-1)
        self.spread = weights.mean(1)
        looked_up = (weights.to(value.dtype) @ value).transpose(1, 2).flatten(2)
        return attn.to_out[0](looked_up)


def record_attention(unet: nn.Module) -> list[RecordedAttention]:
    """Let every cross-attention of a UNet record its spread."""
    recorded = []
    for name, module in unet.named_modules():
        if name.endswith("attn2"):
            processor = RecordedAttention()
            module.set_processor(processor)
            recorded.append(processor)
    return recorded


def word_groups(tokens: Any, row: int, caption: SceneCaption) -> Labels:
    """Which tokens are about which group: shape (GROUPS, tokens), 0 or 1."""
    about = np.zeros((GROUPS, len(tokens.input_ids[row])), int)
    for token, group in nouns(tokens, row, caption):
        about[group, token] = 1
    if has_slots(tokens, row):
        for group, slot in enumerate(SLOT_OF[: len(caption.claim.groups)]):
            about[group, slot] = 1
    return about


def attention_loss(recorded: list[RecordedAttention], about: Tensor, cover: Tensor) -> Tensor:
    """How much attention to things goes to the words about other things.

    Args:
        recorded: of a UNet that has just run.
        about: (n, GROUPS, words), from `word_groups`; nothing where there is no caption.
        cover: (n, GROUPS, 8, 8), 1 where the image shows that group.
    """
    several = (about.amax(-1).sum(-1) > 1).float()[:, None, None]
    losses = []
    for each in recorded:
        side = int(each.spread.shape[1] ** 0.5)
        there = functional.adaptive_avg_pool2d(cover, side).flatten(2).mT * several
        mass = each.spread.float() @ about.float().mT + 1e-4
        share = (mass / mass.sum(-1, keepdim=True)).log()
        losses.append(-(there * share).sum() / there.sum().clamp(min=1))
    return torch.stack(losses).mean()
