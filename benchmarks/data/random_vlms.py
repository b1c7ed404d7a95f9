"""Vision language models of four families with random weights, at any size, and their processors.

Their tokenizers read word by word. What they say is noise; how long they take is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

VOCABULARY = 32_128
"""Words that each language model can say, as Flan-T5."""
MARKS = list("?:,.abcdefghijklmnopqrstuvwxyz")
CHAT = (
    "{% for part in messages[0]['content'] %}{% if part['type'] == 'image' %}IMAGE"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}"
)
"""A chat template of one turn."""


def random_vlm(family: str, texts: Sequence[str], width: int = 768, layers: int = 12) -> Any:
    """A network and its processor; as given, of base size in each of its parts.

    Args:
        family: one of `FAMILIES`.
        texts: what its tokenizer reads word by word.
        width: of all parts, a multiple of 64.
        layers: of each part.
    """
    import torch

    torch.manual_seed(0)
    network, processor = FAMILIES[family](texts, width, layers)
    return network.eval().to("cuda" if torch.cuda.is_available() else "cpu"), processor


def _tower(width: int, layers: int) -> dict[str, Any]:
    """A vision transformer or a Q-Former."""
    parts = {"hidden_size": width, "intermediate_size": 4 * width, "num_hidden_layers": layers}
    return {**parts, "num_attention_heads": width // 64}


def _language_model(width: int, layers: int, kind: str) -> dict[str, Any]:
    """A decoder with gated layers, whose heads share keys and values in threes."""
    heads = width // 64
    return {
        **_tower(width, layers),
        "model_type": kind,
        "intermediate_size": width * 8 // 3,
        "num_key_value_heads": max(1, heads // 3),
        "head_dim": 64,
        "vocab_size": VOCABULARY,
    }


def _blip2(texts: Sequence[str], width: int, layers: int) -> tuple[Any, Any]:
    """ViT/14 at 224 pixels, a Q-Former of 32 queries and a T5."""
    from transformers import (
        Blip2Config,
        Blip2ForConditionalGeneration,
        Blip2Processor,
        BlipImageProcessor,
        T5Tokenizer,
    )

    words = {"yes", "no", *(word for text in texts for word in text.split())}
    pieces = ["<pad>", "</s>", "<unk>", *sorted(f"▁{word}" for word in words), "▁", *MARKS]
    tokenizer = T5Tokenizer(vocab=[(piece, -1.0) for piece in pieces], extra_ids=0)
    images = BlipImageProcessor(size={"height": 224, "width": 224})
    processor = Blip2Processor(images, tokenizer, num_query_tokens=32)
    tower = _tower(width, layers)
    config = Blip2Config(
        vision_config={**tower, "image_size": 224, "patch_size": 14, "initializer_range": 0.02},
        qformer_config={**tower, "encoder_hidden_size": width},
        text_config={
            "model_type": "t5",
            "vocab_size": VOCABULARY,
            "d_model": width,
            "d_ff": width * 8 // 3,
            "num_layers": layers,
            "num_heads": width // 64,
            "feed_forward_proj": "gated-gelu",
            "decoder_start_token_id": 0,
            "pad_token_id": 0,
            "eos_token_id": 1,
        },
        num_query_tokens=32,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
    )
    return Blip2ForConditionalGeneration(config), processor


def _paligemma(texts: Sequence[str], width: int, layers: int) -> tuple[Any, Any]:
    """SigLIP/14 at 224 pixels, 256 tokens before a Gemma."""
    from transformers import (
        PaliGemmaConfig,
        PaliGemmaForConditionalGeneration,
        PaliGemmaProcessor,
        SiglipImageProcessor,
    )

    tokenizer = word_tokenizer(texts, ["<image>"])
    images = SiglipImageProcessor(size={"height": 224, "width": 224})
    images.image_seq_length = 256
    processor = PaliGemmaProcessor(images, tokenizer)
    vision = {"model_type": "siglip_vision_model", "image_size": 224, "patch_size": 14}
    config = PaliGemmaConfig(
        vision_config={**_tower(width, layers), **vision, "projection_dim": width},
        text_config={**_language_model(width, layers, "gemma"), "num_image_tokens": 256},
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        projection_dim=width,
    )
    return PaliGemmaForConditionalGeneration(config), processor


def _smolvlm(texts: Sequence[str], width: int, layers: int) -> tuple[Any, Any]:
    """SigLIP/16 at 512 pixels, 64 tokens before a Llama."""
    from transformers import SmolVLMConfig, SmolVLMForConditionalGeneration

    processor = smolvlm_processor(texts, 1)
    config = SmolVLMConfig(
        scale_factor=4,
        tie_word_embeddings=False,
        vision_config={**_tower(width, layers), "image_size": 512, "patch_size": 16},
        text_config=_language_model(width, layers, "llama"),
        image_token_id=processor.tokenizer.convert_tokens_to_ids("<image>"),
        pad_token_id=0,
    )
    return SmolVLMForConditionalGeneration(config), processor


def _qwen(texts: Sequence[str], width: int, layers: int) -> tuple[Any, Any]:
    """A tower of patches of 16 pixels, put together in fours: 256 tokens at 512 pixels."""
    from transformers import (
        Qwen2VLImageProcessor,
        Qwen3VLConfig,
        Qwen3VLForConditionalGeneration,
        Qwen3VLProcessor,
        Qwen3VLVideoProcessor,
    )

    marks = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
    tokenizer = word_tokenizer(texts, marks)
    start, end, image, video = tokenizer.convert_tokens_to_ids(marks)
    sizes = {"patch_size": 16, "size": {"shortest_edge": 512**2, "longest_edge": 512**2}}
    processor = Qwen3VLProcessor(
        Qwen2VLImageProcessor(**sizes),
        tokenizer,
        Qwen3VLVideoProcessor(**sizes),
        chat_template=CHAT.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>"),
    )
    rope = {"rope_type": "default", "rope_theta": 5e6, "mrope_interleaved": True}
    config = Qwen3VLConfig(
        vision_config={
            "depth": layers,
            "hidden_size": width,
            "intermediate_size": 4 * width,
            "num_heads": width // 64,
            "out_hidden_size": width,
            "deepstack_visual_indexes": [0],
        },
        text_config={
            **_language_model(width, layers, "qwen3_vl_text"),
            "rope_parameters": {**rope, "mrope_section": [12, 10, 10]},
        },
        image_token_id=image,
        video_token_id=video,
        vision_start_token_id=start,
        vision_end_token_id=end,
    )
    return Qwen3VLForConditionalGeneration(config), processor


def word_tokenizer(texts: Sequence[str], marks: Sequence[str]) -> Any:
    """A tokenizer that reads word by word.

    Args:
        texts: with all words that it knows, besides yes and no.
        marks: its special tokens.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = (word for text in texts for word in text.split())
    pieces = list(dict.fromkeys(["<pad>", "<unk>", "<s>", "</s>", "yes", "no", *words]))
    core = Tokenizer(models.WordLevel({each: at for at, each in enumerate(pieces)}, "<unk>"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    named = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, **named)
    tokenizer.add_special_tokens({"additional_special_tokens": [*marks]})
    return tokenizer


def smolvlm_processor(texts: Sequence[str], tiles: int) -> Any:
    """Its true image processor; a picture becomes at most tiles x tiles tiles of 512 pixels."""
    from transformers import SmolVLMImageProcessor, SmolVLMProcessor, SmolVLMVideoProcessor

    rows = [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]
    marks = ["<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>", *rows]
    sizes = {"size": {"longest_edge": 512 * tiles}, "max_image_size": {"longest_edge": 512}}
    return SmolVLMProcessor(
        SmolVLMImageProcessor(**sizes, do_image_splitting=tiles > 1),
        word_tokenizer(texts, marks),
        SmolVLMVideoProcessor(**sizes),
        image_seq_len=64,
        chat_template=CHAT.replace("IMAGE", "<image>"),
    )


FAMILIES: Mapping[str, Callable[[Sequence[str], int, int], tuple[Any, Any]]] = MappingProxyType(
    {"blip-2": _blip2, "qwen3-vl": _qwen, "paligemma": _paligemma, "smolvlm": _smolvlm}
)
"""Family -> what makes its network and processor from texts, width and layers."""
