"""What a prompt claims, as labels of its tokens: the teacher of a text encoder.

CLIP's text encoder reads from left to right, so that a noun cannot know of the words behind it. The
last tokens of a padded prompt have read everything: one slot for each group, in the order of the
prompt, and one for the background. A painter that looks at them has no puzzle to solve.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from recipes.world.captions import Caption
from recipes.world.things import OPPOSITE, RELATIONS, SIZES, WORLD

NAMES = ("", *(thing.name for thing in WORLD.things))
STATES = ("", *sorted({state for thing in WORLD.things for state in thing.states}))
COLOURS = ("", *WORLD.colours)
SIZED = ("", *SIZES)
ROLES = ("", *RELATIONS)
"""Where a group is from the other one."""
PLACES = ("", *(place for place, words in WORLD.backgrounds.items() if words))
PARTS = (len(NAMES), len(STATES), len(COLOURS), WORLD.most + 1, len(SIZED), len(ROLES), len(PLACES))
"""Widths of what is said of a token."""
GROUPS = 3
SLOTS = GROUPS + 1
UNSAID = -100
"""Label of what is not asked of a token."""

Labels = NDArray[np.int_]


def claim_labels(tokens: Any, row: int, caption: Caption) -> Labels:
    """What each token of a prompt should know: shape (tokens, len(PARTS)).

    Args:
        tokens: a fast tokenizer's encodings, padded to their full length.
        row: which of them.
        caption: the prompt's text, claim and spans.
    """
    labels = np.full((len(tokens.input_ids[row]), len(PARTS)), UNSAID)
    for token, group in nouns(tokens, row, caption):
        labels[token, [0, 2, 3]] = _group(caption, group)[[0, 2, 3]]
        if _colour_comes_later(caption, group):
            labels[token, 2] = UNSAID
    if has_slots(tokens, row):
        for slot in range(GROUPS):
            labels[slot - SLOTS] = _group(caption, slot)
        labels[-1, -1] = PLACES.index(caption.claim.background)
    return labels


def nouns(tokens: Any, row: int, caption: Caption) -> Iterator[tuple[int, int]]:
    """The last token of each noun that was not cut off, and the group it names."""
    for span in caption.spans:
        token = tokens.char_to_token(row, span.end - 1)
        if span.kind == "object" and token is not None:
            yield token, span.group


def _colour_comes_later(caption: Caption, group: int) -> bool:
    """Whether a colour is claimed that no word before the noun says."""
    own = {span.kind: span.start for span in caption.spans if span.group == group}
    behind = own.get("colour", len(caption.text)) > own["object"]
    return bool(caption.claim.groups[group].colour) and behind


def has_slots(tokens: Any, row: int) -> bool:
    """Whether a prompt leaves room for the slots behind it."""
    return int(sum(tokens.attention_mask[row])) <= len(tokens.input_ids[row]) - SLOTS


def _group(caption: Caption, index: int) -> Labels:
    """The labels of a group; nothing, where the caption has fewer groups."""
    groups = caption.claim.groups
    if index >= len(groups):
        return np.array([0, 0, 0, 0, 0, 0, UNSAID])
    group = groups[index]
    return np.array(
        [
            NAMES.index(group.name),
            STATES.index(group.state),
            COLOURS.index(group.colour),
            group.count,
            SIZED.index(group.size),
            ROLES.index(_role(caption.claim.relation, index)),
            UNSAID,
        ]
    )


def _role(relation: str, index: int) -> str:
    return OPPOSITE.get(relation, "") if index else relation


def claim_loss(said: Tensor, labels: Tensor) -> Tensor:
    """How badly tokens know what is claimed.

    Args:
        said: (n, tokens, sum(PARTS)) logits.
        labels: (n, tokens, len(PARTS)).
    """
    losses = [
        functional.cross_entropy(part.flatten(0, 1), labels[..., index].flatten())
        for index, part in enumerate(said.float().split(PARTS, dim=-1))
    ]
    return torch.stack(losses).sum()
