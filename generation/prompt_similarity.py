"""How alike two prompts are to a text-to-image model."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from generation.validation import longest_sequence

if TYPE_CHECKING:
    import torch
    from diffusers import DiffusionPipeline


def prompt_similarity(first: str, second: str, pipeline: DiffusionPipeline) -> float:
    """Cosine of two prompts in the pipeline's first text encoder.

    Where it is near 1 the model can hardly tell the prompts apart, whatever they mean. A CLIP
    encoder has an embedding of the whole text; of a language model, such as Qwen3, the mean of the
    last hidden states is taken.

    Returns:
        In [-1, 1]; 1 for equal prompts.

    Source: Fu et al., "Commonsense-T2I Challenge", 2024: pairs whose embeddings lie nearer to each
    other are failed more often.
    """
    import torch

    tokenizer = copy.deepcopy(pipeline.tokenizer)  # the original may be in use just now
    longest = min(tokenizer.model_max_length, longest_sequence(pipeline))
    encoder = pipeline.text_encoder
    tokens = tokenizer(
        [first, second],
        padding="max_length",
        truncation=True,
        max_length=longest,
        return_tensors="pt",
    ).to(encoder.device)
    with torch.inference_mode():
        one, other = _embeddings(encoder, tokens)
        return float(torch.nn.functional.cosine_similarity(one, other, dim=0).clamp(-1, 1))


def _embeddings(encoder: Any, tokens: Any) -> torch.Tensor:
    """One vector per text."""
    if encoder.config.model_type == "clip_text_model":
        output = encoder(tokens.input_ids)
        embeddings: torch.Tensor = output.get("text_embeds", output.get("pooler_output"))
        return embeddings.float()
    output = encoder(tokens.input_ids, tokens.attention_mask, output_hidden_states=True)
    states, mask = output.hidden_states[-1].float(), tokens.attention_mask[..., None]
    mean: torch.Tensor = (states * mask).sum(dim=1) / mask.sum(dim=1)
    return mean
