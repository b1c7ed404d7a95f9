"""Two prompts and a pipeline come in; how alike they are to what the text-to-image model reads goes
out.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline


def prompt_similarity(first: str, second: str, pipeline: DiffusionPipeline) -> float:
    """Cosine of two prompts in the pipeline's first text encoder, a CLIP in every known
    text-to-image model.

    Where it is near 1 the text-to-image model can hardly tell the prompts apart, whatever they
    mean.

    Returns:
        In [-1, 1]; 1 for equal prompts.

    Source: Fu et al., "Commonsense-T2I Challenge", 2024: pairs whose embeddings lie nearer to each
    other are failed more often.
    """
    import torch

    tokenizer = copy.deepcopy(pipeline.tokenizer)  # the original may be reading just now
    encoder = pipeline.text_encoder
    tokens = tokenizer([first, second], padding="max_length", truncation=True, return_tensors="pt")
    with torch.inference_mode():
        output = encoder(tokens.input_ids.to(encoder.device))
        one, other = output.get("text_embeds", output.get("pooler_output")).float()
        return float(torch.nn.functional.cosine_similarity(one, other, dim=0).clamp(-1, 1))
