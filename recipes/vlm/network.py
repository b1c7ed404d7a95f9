"""The network of the VLM: a PaliGemma of small width, and the heads of its auxiliary losses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from recipes.vlm.grounding import NounLabels
from recipes.world.domains import Domain
from recipes.world.word_tokenizers import word_tokenizer

PLACES = 64
"""Tokens of an image: patches of 16 x 16 pixels."""


def processor(words: tuple[str, ...]) -> Any:
    """The PaliGemma processor of some words and 128 x 128 images."""
    from transformers import PaliGemmaProcessor, SiglipImageProcessor

    images = SiglipImageProcessor(size={"height": 128, "width": 128})
    images.image_seq_length = PLACES
    return PaliGemmaProcessor(images, word_tokenizer(words))


def build(width: int, vision_layers: int, text_layers: int, tokenizer: Any) -> Any:
    """The untrained PaliGemma."""
    from transformers import (
        GemmaConfig,
        PaliGemmaConfig,
        PaliGemmaForConditionalGeneration,
        SiglipVisionConfig,
    )

    heads = width // 64
    vision = SiglipVisionConfig(
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=vision_layers,
        num_attention_heads=heads,
        image_size=128,
        patch_size=16,
        projection_dim=width,
        vision_use_head=False,
    )
    text = GemmaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=width * 8 // 3,
        num_hidden_layers=text_layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=64,
        max_position_embeddings=512,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    image = tokenizer.convert_tokens_to_ids("<image>")
    return PaliGemmaForConditionalGeneration(
        PaliGemmaConfig(
            vision_config=vision,
            text_config=text,
            image_token_id=image,
            projection_dim=width,
            hidden_size=width,
        )
    )


def read_vlm(folder: Path) -> tuple[Any, Any]:
    """The PaliGemma of a folder, in fp32, and its tokenizer."""
    from transformers import PaliGemmaForConditionalGeneration, PaliGemmaProcessor

    model = PaliGemmaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    return model, PaliGemmaProcessor.from_pretrained(folder).tokenizer


class VlmWithHeads(nn.Module):
    """The model, and heads on its patches, its nouns and the words of descriptions."""

    def __init__(self, model: Any, domain: Domain) -> None:
        super().__init__()
        width = model.config.text_config.hidden_size
        self.model = model
        self.patch_head = nn.Linear(width, domain.patch_logits)
        self.noun_head = nn.Linear(width, sum(NounLabels(domain).parts))
        self.claim_head = nn.Linear(width, 1)

    def see(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Image features (n, 64, width), and logits of what covers each patch (n, 64, labels)."""
        seen = self.model.model.get_image_features(pixels)
        return seen.pooler_output, self.patch_head(seen.last_hidden_state).float()
