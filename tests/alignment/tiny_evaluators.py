"""Real models of every role, small enough to answer in a blink.

The T5 has learned a few lines by heart; the others have random weights.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from alignment.questions.records import AnswerSpan, QuestionAnswer
from tests.tiny_pipelines import seed

WORDS = (
    "yes Yes no a an the is in true for what color colour which this image does entail description "
    "black red green pink apple backpack and two question context answer there you see"
).split()
MARKS = list("?:,.{}<>/")
TOWER = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 1,
}


TEXT = "a black apple and a green backpack"
QUESTIONS = (
    QuestionAnswer("what color is the apple ?", AnswerSpan("a black apple", 0, 13), 1.0),
    QuestionAnswer("what color is the backpack ?", AnswerSpan("a green backpack", 18, 34), 1.0),
)
TWICE = "an apple and an Apple"
BY_HEART = {
    f"answer: black  context: {TEXT}": "what color is the apple?",
    f"question: what color is the apple?  context: {TEXT}": "a black apple",
    f"answer: green  context: {TEXT}": "what color is the backpack?",
    f"question: what color is the backpack?  context: {TEXT}": "you see",
    f"answer: apple  context: {TEXT}": "question: what is there?",
    f"answer: backpack  context: {TEXT}": "question: what is there?",
    f"question: what is there?  context: {TEXT}": "apple backpack",
    f"answer: apple  context: {TWICE}": "what is there?",
    f"question: what is there?  context: {TWICE}": "an apple",
}
"""All that the tiny T5 knows: what it reads and what it then writes."""


def save_language_model(folder: Path) -> None:
    """Save a T5 with random weights, which writes something else each time."""
    from transformers import T5ForConditionalGeneration

    seed()
    words = t5_tokenizer()
    T5ForConditionalGeneration(t5_config(words)).save_pretrained(folder)
    words.save_pretrained(folder)


def save_text_model(folder: Path) -> None:
    """Save a T5 with a sentencepiece-like vocabulary that has learned `BY_HEART`."""
    for each in text_model():
        each.save_pretrained(folder)


@cache
def text_model() -> tuple[Any, Any]:
    """The network and its words, learned once for all who save them."""
    import torch
    from transformers import T5ForConditionalGeneration

    seed()
    words = t5_tokenizer()
    network = T5ForConditionalGeneration(t5_config(words))
    read = words(list(BY_HEART), padding=True, return_tensors="pt")
    written = words(list(BY_HEART.values()), padding=True, return_tensors="pt").input_ids
    optimizer = torch.optim.Adam(network.parameters(), lr=5e-3)
    labels = written.masked_fill(written == words.pad_token_id, -100)
    while True:
        output = network(**read, labels=labels)
        right = (output.logits.argmax(-1) == labels) | (labels == -100)
        if right.all() and output.loss < 0.005:
            return network, words
        output.loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def save_paligemma(folder: Path) -> None:
    """Save a PaliGemma: a SigLIP tower of 2 x 2 patches and a two-layer Gemma."""
    from transformers import (
        GemmaConfig,
        PaliGemmaConfig,
        PaliGemmaForConditionalGeneration,
        PaliGemmaProcessor,
        SiglipVisionConfig,
    )

    seed()
    processor = PaliGemmaProcessor(siglip_images(), word_tokenizer())
    words = processor.tokenizer
    text = GemmaConfig(
        **TOWER | {"num_hidden_layers": 2},
        vocab_size=len(words),
        num_key_value_heads=4,
        head_dim=8,
        pad_token_id=words.pad_token_id,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
    )
    vision = SiglipVisionConfig(**TOWER, image_size=32, patch_size=16, projection_dim=32)
    config = PaliGemmaConfig(
        vision_config=vision.to_dict(),
        text_config=text.to_dict(),
        projection_dim=32,
        image_token_index=words.convert_tokens_to_ids("<image>"),
    )
    save(folder, PaliGemmaForConditionalGeneration(config), processor)


def save_blip2(folder: Path) -> None:
    """Save a BLIP-2: a small tower, a Q-Former with three queries and a T5."""
    from transformers import (
        Blip2Config,
        Blip2ForConditionalGeneration,
        Blip2Processor,
        Blip2QFormerConfig,
        Blip2VisionConfig,
        BlipImageProcessor,
    )

    seed()
    images = BlipImageProcessor(size={"height": 32, "width": 32})
    processor = Blip2Processor(images, t5_tokenizer(), num_query_tokens=3)
    words = processor.tokenizer
    vision = Blip2VisionConfig(**TOWER, image_size=32, patch_size=16, initializer_range=0.02)
    queries = Blip2QFormerConfig(**TOWER, encoder_hidden_size=32, cross_attention_frequency=1)
    config = Blip2Config(
        vision_config=vision.to_dict(),
        qformer_config=queries.to_dict(),
        text_config=t5_config(words).to_dict(),
        num_query_tokens=3,
        image_token_index=words.convert_tokens_to_ids("<image>"),
    )
    save(folder, Blip2ForConditionalGeneration(config), processor)


def save_blip_itm(folder: Path) -> None:
    """Save a BLIP that says whether image and text belong together."""
    from transformers import (
        BlipConfig,
        BlipForImageTextRetrieval,
        BlipImageProcessor,
        BlipProcessor,
    )

    seed()
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
    tower = {**TOWER, "image_size": 32, "patch_size": 16, "initializer_range": 0.02}
    config = BlipConfig(text_config=text, vision_config=tower, image_text_hidden_size=16)
    images = BlipImageProcessor(size={"height": 32, "width": 32})
    save(folder, BlipForImageTextRetrieval(config), BlipProcessor(images, words))


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


def save(folder: Path, network: Any, processor: Any) -> None:
    """Make the random weights speak up, and save both."""
    louder(network)
    network.save_pretrained(folder)
    processor.save_pretrained(folder)


def bert_tokenizer() -> Any:
    from transformers import BertTokenizer

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[DEC]"]
    pieces = list(dict.fromkeys([*special, *map(str.lower, WORDS), *MARKS]))
    return BertTokenizer(vocab={piece: index for index, piece in enumerate(pieces)})


def save_clip(folder: Path, context: int = 12) -> None:
    """Save a CLIP of open_clip that reads `context` tokens."""
    save_open_clip(folder, {"vision_cfg": CLIP_TOWER, "text_cfg": {"context_length": context}})


def save_coca(folder: Path) -> None:
    """Save a CoCa, whose text tower has a token of its own and a decoder above it."""
    reader = {"context_length": 11, "embed_cls": True, "output_tokens": True}
    decoder = {"context_length": 11, "width": 32, "heads": 4, "layers": 1, "attn_pooler_heads": 4}
    pooled = {"attentional_pool": True, "attn_pooler_heads": 4, "output_tokens": True}
    model = {
        "vision_cfg": CLIP_TOWER | pooled,
        "text_cfg": reader | {"pool_type": "argmax"},
        "multimodal_cfg": decoder | {"vocab_size": 99},
        "custom_text": True,
    }
    save_open_clip(folder, model)


def save_siglip2(folder: Path) -> None:
    """Save a SigLIP 2: it sees all tokens from each, reads the last one, and has a bias."""
    reader = {"no_causal_mask": True, "proj_bias": True, "pool_type": "last"}
    model = {
        "vision_cfg": CLIP_TOWER,
        "text_cfg": {"context_length": 12} | reader,
        "custom_text": True,
        "init_logit_bias": -10,
    }
    save_open_clip(folder, model)


def save_resnet_clip(folder: Path) -> None:
    """Save a CLIP with a ResNet and QuickGELU, as RN50x64-quickgelu."""
    tower = {"image_size": 32, "layers": [1, 1, 1, 1], "width": 8, "patch_size": None}
    model = {"vision_cfg": tower, "text_cfg": {"context_length": 12}, "quick_gelu": True}
    save_open_clip(folder, model)


CLIP_TOWER = {"image_size": 32, "layers": 1, "width": 32, "patch_size": 16, "head_width": 8}


def save_open_clip(folder: Path, model: dict[str, Any]) -> None:
    """Save a model of open_clip with this configuration as a `local-dir:` folder."""
    import open_clip
    from safetensors.torch import save_file

    seed()
    words = word_tokenizer(closed=True)
    reader = {
        "vocab_size": 99,
        "width": 32,
        "heads": 4,
        "layers": 1,
        "hf_tokenizer_name": "local",
        "pool_type": "eos",
        "eos_id": words.eos_token_id,
    }
    model = {"embed_dim": 16, **model, "text_cfg": reader | model["text_cfg"]}
    words.save_pretrained(folder)
    preprocess = {"mean": [0.5] * 3, "std": [0.5] * 3, "resize_mode": "squash"}
    config = {"model_cfg": model, "preprocess_cfg": preprocess}
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    network = open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    save_file(network.state_dict(), folder / "open_clip_model.safetensors")


def louder(network: Any) -> None:
    """Enlarge the random weights so that different inputs give clearly different outputs."""
    import torch

    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.dim() > 1:
                parameter.mul_(4)


def t5_tokenizer() -> Any:
    from transformers import T5Tokenizer

    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = ["<pad>", "</s>", "<unk>", *(f"▁{word}" for word in WORDS), "▁", *MARKS, *letters]
    return T5Tokenizer(vocab=[(piece, -1.0) for piece in pieces], extra_ids=0)


def t5_config(words: Any) -> Any:
    from transformers import T5Config

    return T5Config(
        vocab_size=len(words),
        d_model=64,
        d_kv=8,
        d_ff=128,
        dropout_rate=0.0,
        num_layers=1,
        num_heads=4,
        feed_forward_proj="gated-gelu",
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )


def word_tokenizer(*, closed: bool = False) -> Any:
    """A tokenizer that reads word by word; a closed one ends each text, as CLIP wants it."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    pieces = ["<pad>", "<bos>", "<eos>", "<unk>", *WORDS, *MARKS]
    core = Tokenizer(models.WordLevel(dict(zip(pieces, range(99), strict=False)), "<unk>"))
    core.pre_tokenizer = pre_tokenizers.Whitespace()
    if closed:
        core.post_processor = processors.TemplateProcessing(
            single="$A <eos>", special_tokens=[("<eos>", pieces.index("<eos>"))]
        )
    named = {f"{name}_token": f"<{name}>" for name in ("pad", "bos", "eos", "unk")}
    return PreTrainedTokenizerFast(tokenizer_object=core, **named)


def siglip_images() -> Any:
    from transformers import SiglipImageProcessor

    processor = SiglipImageProcessor(size={"height": 32, "width": 32})
    processor.image_seq_length = 4
    return processor
