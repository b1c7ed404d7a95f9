"""What a prompt claims, as labels of its tokens: an auxiliary loss of the text encoder.

CLIP's text encoder is causal, so that a noun cannot know of the words behind it. The last tokens of
a padded prompt have seen everything: one slot for each group and one, the last, for the background.
A UNet that attends to them finds the claims sorted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from recipes.world.captions import SceneCaption
from recipes.world.things import MOST, OPPOSITE, SIZES, World

SLOT_OF = (-4, -3, -2, -5)
"""The slot of each group of a prompt. The fourth stands before the others: models that were trained
with three groups go on from where they look."""
GROUPS = len(SLOT_OF)
SLOTS = GROUPS + 1
UNSAID = -100
"""Label of what is not asked of a token."""

SEEN_FROM_THE_OTHER = {**OPPOSITE, "on": "below", "in": "below", "wearing": "on"}
"""Where the second of two groups is from the first."""

Labels = NDArray[np.int_]


@dataclass(frozen=True)
class ClaimLabels:
    """What tokens of prompts can claim in a world, as indices."""

    world: World

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of classes; the first is for a group that there is not."""
        return ("", *(thing.name for thing in self.world.things))

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Where a group is from the other one; the first is for unsaid."""
        return ("", *self.world.relations)

    @cached_property
    def backgrounds(self) -> tuple[str, ...]:
        """Those that are spoken of; the first is for unsaid."""
        return ("", *(name for name, words in self.world.backgrounds.items() if words))

    @property
    def parts(self) -> tuple[int, ...]:
        """Widths of what is said of a token."""
        world, others = self.world, (1 + len(SIZES), len(self.roles), len(self.backgrounds))
        return len(self.names), len(world.states), len(world.said_colours), MOST + 1, *others

    def of(self, tokens: Any, row: int, caption: SceneCaption) -> Labels:
        """What each token of a prompt should know: shape (tokens, len(parts)).

        Args:
            tokens: a fast tokenizer's encodings, padded to their full length.
            row: which of them.
            caption: the prompt's text, claim and spans.
        """
        labels = np.full((len(tokens.input_ids[row]), len(self.parts)), UNSAID)
        for token, group in nouns(tokens, row, caption):
            labels[token, [0, 2, 3]] = self._group(caption, group)[[0, 2, 3]]
            if _colour_comes_later(caption, group):
                labels[token, 2] = UNSAID
        if has_slots(tokens, row):
            for group, slot in enumerate(SLOT_OF):
                labels[slot] = self._group(caption, group)
            labels[-1, -1] = self.backgrounds.index(caption.claim.background)
        return labels

    def _group(self, caption: SceneCaption, index: int) -> Labels:
        """The labels of a group; nothing, where the caption has fewer groups."""
        groups = caption.claim.groups
        if index >= len(groups):
            return np.array([0, 0, 0, 0, 0, 0, UNSAID])
        group = groups[index]
        return np.array(
            [
                self.names.index(group.name),
                self.world.states.index(group.state),
                self.world.said_colours.index(group.colour),
                group.count,
                ("", *SIZES).index(group.size),
                self.roles.index(_role(caption.claim.relation, index)),
                UNSAID,
            ]
        )

    def loss(self, said: Tensor, labels: Tensor) -> Tensor:
        """Cross-entropy of what tokens say, summed over the parts.

        Args:
            said: (n, tokens, sum(parts)) logits.
            labels: (n, tokens, len(parts)).
        """
        losses = [
            functional.cross_entropy(part.flatten(0, 1), labels[..., index].flatten())
            for index, part in enumerate(said.float().split(self.parts, dim=-1))
        ]
        return torch.stack(losses).sum()


def nouns(tokens: Any, row: int, caption: SceneCaption) -> Iterator[tuple[int, int]]:
    """The last token of each noun that was not cut off, and the group it names."""
    for span in caption.spans:
        token = tokens.char_to_token(row, span.end - 1)
        if span.kind == "object" and token is not None:
            yield token, span.group


def _colour_comes_later(caption: SceneCaption, group: int) -> bool:
    """Whether a colour is claimed that no word before the noun says."""
    own = {span.kind: span.start for span in caption.spans if span.group == group}
    behind = own.get("colour", len(caption.text)) > own["object"]
    return bool(caption.claim.groups[group].colour) and behind


def has_slots(tokens: Any, row: int) -> bool:
    """Whether a prompt leaves room for the slots behind it."""
    return int(sum(tokens.attention_mask[row])) <= len(tokens.input_ids[row]) - SLOTS


def _role(relation: str, index: int) -> str:
    return SEEN_FROM_THE_OTHER.get(relation, relation) if index else relation
