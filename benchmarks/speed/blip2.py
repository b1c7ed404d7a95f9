"""A BLIP-2 of any size with random weights, and a tokenizer that reads given questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TEMPLATE = "Question: {question} Answer:"
MARKS = list("?:,.abcdefghijklmnopqrstuvwxyz")


def random_blip2(
    questions: Sequence[str], width: int = 768, layers: int = 12, side: int = 224
) -> tuple[Any, Any]:
    """A network and its processor; as given, ViT-B/14, a BERT-base Q-Former and a T5 base inside.

    Args:
        questions: what its tokenizer reads word by word.
        width: of all three parts, a multiple of 64.
        layers: of each part.
        side: of the images, in pixels, a multiple of 14.
    """
    import torch
    from transformers import Blip2Config, Blip2ForConditionalGeneration

    processor = _processor(questions, side)
    parts = {"hidden_size": width, "intermediate_size": 4 * width, "num_hidden_layers": layers}
    parts["num_attention_heads"] = width // 64
    config = Blip2Config(
        vision_config={**parts, "image_size": side, "patch_size": 14, "initializer_range": 0.02},
        qformer_config={**parts, "encoder_hidden_size": width},
        text_config=_t5(width, layers),
        num_query_tokens=processor.num_query_tokens,
        image_token_index=processor.tokenizer.convert_tokens_to_ids("<image>"),
    )
    torch.manual_seed(0)
    network = Blip2ForConditionalGeneration(config).eval()
    return network.to("cuda" if torch.cuda.is_available() else "cpu"), processor


def _processor(questions: Sequence[str], side: int) -> Any:
    from transformers import Blip2Processor, BlipImageProcessor, T5Tokenizer

    words = {word for text in (TEMPLATE, "yes no", *questions) for word in text.split()}
    pieces = ["<pad>", "</s>", "<unk>", *sorted(f"▁{word}" for word in words), "▁", *MARKS]
    tokenizer = T5Tokenizer(vocab=[(piece, -1.0) for piece in pieces], extra_ids=0)
    images = BlipImageProcessor(size={"height": side, "width": side})
    return Blip2Processor(images, tokenizer, num_query_tokens=32)


def _t5(width: int, layers: int) -> dict[str, Any]:
    """As Flan-T5 base has it, its 32,128 words included."""
    return {
        "model_type": "t5",
        "vocab_size": 32128,
        "d_model": width,
        "d_ff": width * 8 // 3,
        "num_layers": layers,
        "num_heads": width // 64,
        "feed_forward_proj": "gated-gelu",
        "decoder_start_token_id": 0,
        "pad_token_id": 0,
        "eos_token_id": 1,
    }
