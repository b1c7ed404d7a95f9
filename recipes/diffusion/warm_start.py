"""A larger world begins with the weights of a smaller one: all of the UNet, and words both know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn


def begin_from(folder: Path, unet: nn.Module, text: Any, tokenizer: Any) -> int:
    """Load the UNet and the text encoder of a pipeline, undistilled and of the same widths.

    Args:
        folder: of the pipeline.
        unet: takes all weights.
        text: a CLIPTextModel; words that its tokenizer does not share begin as they are.
        tokenizer: its words.

    Returns:
        How many token embeddings were copied.
    """
    from diffusers import UNet2DConditionModel
    from transformers import CLIPTextModel, CLIPTokenizer

    unet.load_state_dict(
        UNet2DConditionModel.from_pretrained(folder / "unet", dtype=torch.float32).state_dict()
    )
    other = CLIPTextModel.from_pretrained(folder / "text_encoder", dtype=torch.float32)
    known = CLIPTokenizer.from_pretrained(folder / "tokenizer").get_vocab()
    shared = {word: index for word, index in tokenizer.get_vocab().items() if word in known}
    embeddings = text.get_input_embeddings().weight.detach().clone()
    rows = [known[word] for word in shared]
    embeddings[[*shared.values()]] = other.get_input_embeddings().weight.detach()[rows]
    other.set_input_embeddings(nn.Embedding.from_pretrained(embeddings))
    text.load_state_dict(other.state_dict())
    return len(shared)
