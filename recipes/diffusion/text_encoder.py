"""Captions become a text encoder that knows what they claim, before any picture is painted."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from recipes.diffusion.attention_loss import word_groups
from recipes.diffusion.canonical_layout import settling
from recipes.diffusion.claims import PARTS, claim_labels, claim_loss
from recipes.diffusion.latent_cache import training_scene
from recipes.training import mixed_precision
from recipes.world.captions import Caption, describe, write_caption
from recipes.world.prompt_augmentation import as_typed
from recipes.world.scenes import Scene
from recipes.world.things import FREE_WORLD, WORLD

LENGTH = 32
"""Most tokens of a prompt."""
FREE = 0.4
"""How many captions are of the free world."""


class Reader(nn.Module):
    """The text encoder and the teacher of its tokens."""

    def __init__(self, tokenizer: Any, width: int, layers: int) -> None:
        from transformers import CLIPTextConfig, CLIPTextModel

        super().__init__()
        config = CLIPTextConfig(
            vocab_size=len(tokenizer),
            hidden_size=width,
            intermediate_size=4 * width,
            projection_dim=width,
            num_hidden_layers=layers,
            num_attention_heads=width // 64,
            max_position_embeddings=LENGTH,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
        self.text = CLIPTextModel(config)
        self.teacher = nn.Linear(width, sum(PARTS))

    def forward(self, tokens: Any) -> tuple[Tensor, Tensor]:
        """States of the tokens, and what each says is claimed."""
        words = self.text(tokens).last_hidden_state
        return words, self.teacher(words)


def caption_of(rng: np.random.Generator, scene: Scene) -> Caption:
    """One of many captions of a settled scene.

    Unusual colours are always named: without a word of it, a cat is as cats are.
    """
    unusual = any(group.colour and WORLD.thing(group.name).hue is None for group in scene.groups)
    claim = describe(rng, scene, terse=0.0 if unusual else 0.08)
    claim = settling(rng, scene, claim)
    return as_typed(rng, write_caption(rng, claim, formal=0.1))


def read_captions(tokenizer: Any, captions: list[Caption]) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens of captions, what they should know, and which group they are about."""
    texts = [caption.text for caption in captions]
    tokens = tokenizer(texts, padding="max_length", truncation=True)
    labels = np.stack([claim_labels(tokens, row, c) for row, c in enumerate(captions)])
    about = np.stack([word_groups(tokens, row, c) for row, c in enumerate(captions)])
    return torch.tensor(tokens.input_ids), torch.from_numpy(labels), torch.from_numpy(about)


def reading_losses(
    reader: Reader, tokenizer: Any, batch: int, rng: np.random.Generator
) -> dict[str, Tensor]:
    """One step of learning to read."""
    worlds = [FREE_WORLD if rng.random() < FREE else WORLD for _ in range(batch)]
    captions = [caption_of(rng, training_scene(rng, world)) for world in worlds]
    tokens, labels, _ = read_captions(tokenizer, captions)
    with mixed_precision():
        _, said = reader(tokens)
    return {"claims": claim_loss(said, labels)}
