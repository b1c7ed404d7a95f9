"""The text encoder of the diffusion model, trained first to say what captions claim."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from recipes.diffusion.attention_loss import word_groups
from recipes.diffusion.canonical_layout import canonical_claim
from recipes.diffusion.claims import ClaimLabels
from recipes.diffusion.latent_cache import training_scene
from recipes.training import device, mixed_precision
from recipes.world.captions import SceneCaption, write_caption
from recipes.world.domains import Domain
from recipes.world.prompt_augmentation import (
    Changes,
    augment_prompt,
    every_change,
)
from recipes.world.scenes import Scene

LENGTH = 32
"""Most tokens of a prompt."""
FORMAL = 0.1
"""How many captions open with words such as "a picture of"."""


class CaptionEncoder(nn.Module):
    """A CLIP text encoder, and a head on its tokens that says what is claimed."""

    def __init__(self, tokenizer: Any, width: int, layers: int, parts: tuple[int, ...]) -> None:
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
        self.claim_head = nn.Linear(width, sum(parts))

    def forward(self, tokens: Any) -> tuple[Tensor, Tensor]:
        """States of the tokens, and logits of what each claims."""
        words = self.text(tokens).last_hidden_state
        return words, self.claim_head(words)


def caption_of(
    rng: np.random.Generator, scene: Scene, domain: Domain, readings: Changes | None = None
) -> SceneCaption:
    """One of many captions of a scene in canonical layout.

    Args:
        readings: how it is changed to what is only read so, the domain's own when None; nothing,
            where its claim must hold.
    """
    readings = domain.readings if readings is None else readings
    claim = canonical_claim(rng, scene, domain.describe(rng, scene), domain.world)
    caption = write_caption(rng, claim, domain.world, formal=FORMAL)
    return augment_prompt(rng, caption, (*readings, *every_change(domain.world)))


def tokenise_captions(
    tokenizer: Any, captions: list[SceneCaption], claims: ClaimLabels
) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens of captions, what they claim, and which group they are about."""
    texts = [caption.text for caption in captions]
    tokens = tokenizer(texts, padding="max_length", truncation=True)
    labels = np.stack([claims.of(tokens, row, c) for row, c in enumerate(captions)])
    about = np.stack([word_groups(tokens, row, c) for row, c in enumerate(captions)])
    ids = torch.tensor(tokens.input_ids, device=device())
    return ids, torch.from_numpy(labels).to(device()), torch.from_numpy(about).to(device())


def claim_losses(
    encoder: CaptionEncoder, tokenizer: Any, domain: Domain, batch: int, rng: np.random.Generator
) -> dict[str, Tensor]:
    """One step of learning to read."""
    claims = ClaimLabels(domain.world)
    captions = [caption_of(rng, training_scene(rng, domain), domain) for _ in range(batch)]
    tokens, labels, _ = tokenise_captions(tokenizer, captions, claims)
    with mixed_precision():
        _, said = encoder(tokens)
    return {"claims": claims.loss(said, labels)}
