"""Real answer models and matchers of the hub's classes with random weights, saved where asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.alignment.tiny_evaluators import (
    MARKS,
    WORDS,
    louder,
    seed,
    t5_config,
    t5_tokenizer,
    word_tokenizer,
)

TOWER = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 1,
}
CHAT = (
    "{% for message in messages %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}IMAGE{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endfor %} answer :"
)


def save(folder: Path, network: Any, processor: Any) -> None:
    """Make the random weights speak up, and save both."""
    louder(network)
    network.save_pretrained(folder)
    processor.save_pretrained(folder)


def save_blip_vqa(folder: Path) -> None:
    """Save a BLIP for questions: a tower, a text encoder and a text decoder."""
    from transformers import BlipForQuestionAnswering

    seed()
    processor, config = blip()
    save(folder, BlipForQuestionAnswering(config), processor)


def save_blip_itm(folder: Path) -> None:
    """Save a BLIP that says whether picture and text belong together."""
    from transformers import BlipForImageTextRetrieval

    seed()
    processor, config = blip()
    save(folder, BlipForImageTextRetrieval(config), processor)


def save_blip2_itm(folder: Path) -> None:
    """Save a BLIP-2 that does the same by its Q-Former."""
    from transformers import (
        Blip2Config,
        Blip2ForImageTextRetrieval,
        Blip2Processor,
        Blip2QFormerConfig,
    )

    seed()
    words = bert_tokenizer()
    processor = Blip2Processor(blip_images(), words, num_query_tokens=3)
    queries = Blip2QFormerConfig(
        **TOWER,
        encoder_hidden_size=32,
        cross_attention_frequency=1,
        vocab_size=len(words),
        max_position_embeddings=40,
        use_qformer_text_input=True,
    )
    config = Blip2Config(
        vision_config=tower_config(),
        qformer_config=queries.to_dict(),
        text_config=t5_config(words).to_dict(),
        num_query_tokens=3,
        image_token_index=words.convert_tokens_to_ids("<image>"),
        image_text_hidden_size=16,
    )
    save(folder, Blip2ForImageTextRetrieval(config), processor)


def save_instructblip(folder: Path, *, decoder_only: bool = False) -> None:
    """Save an InstructBLIP before a T5, or before a Llama as in its Vicuna versions."""
    from transformers import (
        InstructBlipConfig,
        InstructBlipForConditionalGeneration,
        InstructBlipProcessor,
        InstructBlipQFormerConfig,
    )

    seed()
    words, instructions = word_tokenizer() if decoder_only else t5_tokenizer(), bert_tokenizer()
    processor = InstructBlipProcessor(blip_images(), words, instructions, num_query_tokens=3)
    queries = InstructBlipQFormerConfig(
        **TOWER,
        encoder_hidden_size=32,
        cross_attention_frequency=1,
        vocab_size=len(instructions),
        max_position_embeddings=40,
    )
    text = llama_config(words) if decoder_only else t5_config(words)
    config = InstructBlipConfig(
        vision_config=tower_config(),
        qformer_config=queries.to_dict(),
        text_config=text.to_dict(),
        num_query_tokens=3,
        image_token_index=words.convert_tokens_to_ids("<image>"),
    )
    save(folder, InstructBlipForConditionalGeneration(config), processor)


def save_vicuna_instructblip(folder: Path) -> None:
    save_instructblip(folder, decoder_only=True)


def save_idefics3(folder: Path) -> None:
    """Save an Idefics3, which splits a picture into tiles and a view of the whole."""
    from transformers import (
        Idefics3Config,
        Idefics3ForConditionalGeneration,
        Idefics3ImageProcessor,
        Idefics3Processor,
    )

    seed()
    words, chat = tile_tokenizer()
    images = Idefics3ImageProcessor(**tile_sizes())
    processor = Idefics3Processor(images, words, image_seq_len=4, chat_template=chat)
    save(folder, Idefics3ForConditionalGeneration(Idefics3Config(**tiled(words))), processor)


def save_smolvlm(folder: Path) -> None:
    """Save a SmolVLM, the small sister of Idefics3."""
    from transformers import (
        SmolVLMConfig,
        SmolVLMForConditionalGeneration,
        SmolVLMImageProcessor,
        SmolVLMProcessor,
        SmolVLMVideoProcessor,
    )

    seed()
    words, chat = tile_tokenizer()
    processor = SmolVLMProcessor(
        SmolVLMImageProcessor(**tile_sizes()),
        words,
        SmolVLMVideoProcessor(**tile_sizes()),
        image_seq_len=4,
        chat_template=chat,
    )
    save(folder, SmolVLMForConditionalGeneration(SmolVLMConfig(**tiled(words))), processor)


def save_qwen_vl(folder: Path) -> None:
    """Save a Qwen2.5-VL, which sees a picture at its own resolution."""
    from transformers import (
        Qwen2_5_VLConfig,
        Qwen2_5_VLForConditionalGeneration,
        Qwen2_5_VLProcessor,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    seed()
    words = word_tokenizer()
    marks = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
    words.add_special_tokens({"additional_special_tokens": marks})
    start, end, image, video = words.convert_tokens_to_ids(marks)
    sizes = {"patch_size": 4, "merge_size": 2, "temporal_patch_size": 1}
    processor = Qwen2_5_VLProcessor(
        Qwen2VLImageProcessor(**sizes, size={"shortest_edge": 64, "longest_edge": 4096}),
        words,
        Qwen2VLVideoProcessor(**sizes),
        chat_template=CHAT.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>"),
    )
    vision = {
        "depth": 1,
        "hidden_size": 32,
        "out_hidden_size": 32,
        "intermediate_size": 64,
        "num_heads": 4,
        "patch_size": 4,
        "temporal_patch_size": 1,
        "spatial_merge_size": 2,
        "window_size": 16,
        "fullatt_block_indexes": [0],
    }
    text = llama_config(words).to_dict() | {
        "model_type": "qwen2_5_vl_text",
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10000.0,
            "mrope_section": [1, 1, 2],
        },
    }
    config = Qwen2_5_VLConfig(
        vision_config=vision,
        text_config=text,
        image_token_id=image,
        video_token_id=video,
        vision_start_token_id=start,
        vision_end_token_id=end,
    )
    save(folder, Qwen2_5_VLForConditionalGeneration(config), processor)


def save_llava(folder: Path) -> None:
    """Save a LLaVA, the plainest of the chat models."""
    from transformers import (
        CLIPImageProcessor,
        CLIPVisionConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    seed()
    words = word_tokenizer()
    words.add_special_tokens({"additional_special_tokens": ["<image>"]})
    images = CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    processor = LlavaProcessor(
        images,
        words,
        patch_size=16,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=CHAT.replace("IMAGE", "<image>"),
    )
    vision = CLIPVisionConfig(**TOWER | {"num_hidden_layers": 2}, image_size=32, patch_size=16)
    config = LlavaConfig(
        vision_config=vision.to_dict(),
        text_config=llama_config(words).to_dict(),
        image_token_index=words.convert_tokens_to_ids("<image>"),
    )
    save(folder, LlavaForConditionalGeneration(config), processor)


def save_inference(folder: Path) -> None:
    """Save a classifier of two texts with the labels of natural language inference."""
    from transformers import BertConfig, BertForSequenceClassification

    seed()
    words = bert_tokenizer()
    labels = {0: "CONTRADICTION", 1: "neutral", 2: "Entailment"}
    config = BertConfig(
        **TOWER, vocab_size=len(words), max_position_embeddings=256, id2label=labels
    )
    save(folder, BertForSequenceClassification(config), words)


def save_deberta(folder: Path) -> None:
    """Save the same by a DeBERTa, as the bundles of the hub have it."""
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification

    seed()
    words = bert_tokenizer()
    config = DebertaV2Config(
        **TOWER,
        vocab_size=len(words),
        max_position_embeddings=256,
        relative_attention=True,
        position_buckets=8,
        pos_att_type=["p2c", "c2p"],
        id2label={0: "entailment", 1: "neutral", 2: "contradiction"},
    )
    save(folder, DebertaV2ForSequenceClassification(config), words)


def blip() -> tuple[Any, Any]:
    """The processor and the configuration that all BLIP models share."""
    from transformers import BlipConfig, BlipProcessor

    words = bert_tokenizer()
    text = {
        **TOWER,
        "encoder_hidden_size": 32,
        "vocab_size": len(words),
        "max_position_embeddings": 40,
        "bos_token_id": words.convert_tokens_to_ids("[DEC]"),
        "sep_token_id": words.sep_token_id,
        "eos_token_id": words.sep_token_id,
        "pad_token_id": words.pad_token_id,
        "initializer_range": 0.02,
    }
    config = BlipConfig(text_config=text, vision_config=tower_config(), image_text_hidden_size=16)
    return BlipProcessor(blip_images(), words), config


def tower_config() -> dict[str, Any]:
    return {**TOWER, "image_size": 32, "patch_size": 16, "initializer_range": 0.02}


def blip_images() -> Any:
    from transformers import BlipImageProcessor

    return BlipImageProcessor(size={"height": 32, "width": 32})


def bert_tokenizer() -> Any:
    from transformers import BertTokenizer

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[DEC]"]
    pieces = list(dict.fromkeys([*special, *map(str.lower, WORDS), *MARKS]))
    return BertTokenizer(vocab={piece: index for index, piece in enumerate(pieces)})


def llama_config(words: Any) -> Any:
    from transformers import LlamaConfig

    return LlamaConfig(
        **TOWER,
        num_key_value_heads=4,
        vocab_size=len(words),
        pad_token_id=words.pad_token_id,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
    )


def tile_tokenizer() -> tuple[Any, str]:
    """The words, with the marks that Idefics3 puts around its tiles, and its chat template."""
    words = word_tokenizer()
    rows = [f"<row_{row}_col_{column}>" for row in range(1, 5) for column in range(1, 5)]
    marks = ["<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>"]
    words.add_special_tokens({"additional_special_tokens": [*marks, *rows]})
    return words, CHAT.replace("IMAGE", "<image>")


def tile_sizes() -> dict[str, Any]:
    """Tiles of 16 pixels; pictures are first brought to 32."""
    return {"size": {"longest_edge": 32}, "max_image_size": {"longest_edge": 16}}


def tiled(words: Any) -> dict[str, Any]:
    """The configuration of Idefics3 and SmolVLM alike."""
    vision = {**TOWER, "image_size": 16, "patch_size": 4}
    return {
        "vision_config": vision,
        "text_config": {**llama_config(words).to_dict(), "model_type": "llama"},
        "image_token_id": words.convert_tokens_to_ids("<image>"),
        "pad_token_id": words.pad_token_id,
        "scale_factor": 2,
    }
