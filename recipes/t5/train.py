"""Training of sticker-t5, a small T5 with three tasks, told apart by the input.

    answer: green  context: a black apple and a <hl> green <hl> backpack
        -> what color is the backpack?
    question: what color is the backpack?  context: ... green backpack -> green
    contradict: a black apple and a green backpack -> a black apple and a pink backpack

Nearly half of the captions speak of stickers or icons, some as people type; the others speak of
anything, so that it learns to copy words it never saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from recipes.t5.examples import TextExample, icon_caption, sticker_caption, text_examples
from recipes.training import Schedule, device, fit, mixed_precision
from recipes.world.open_captions import free_caption
from recipes.world.prompt_augmentation import AROUND, augment_prompt

STICKERS = 0.4
"""Share of the captions of known things that come from the sticker world."""


@dataclass(frozen=True)
class T5Settings:
    """What decides the trained weights."""

    run: Path = Path("runs/sticker-t5")
    start: Path | None = None
    """Folder of the checkpoint that is trained further, with its tokenizer; else from nothing."""
    vocabulary: int = 2400
    """Byte-pair tokens, the 256 bytes included."""
    width: int = 128
    heads: int = 4
    feed_forward: int = 384
    layers: int = 3
    """Of the encoder, and as many of the decoder."""
    captions: int = 8
    """In a batch; each gives five examples."""
    known: float = 0.45
    """Share of the captions that come from the worlds of stickers and icons."""
    schedule: Schedule = Schedule(steps=20_500, lr=8e-4, warmup=60, ema=0.995)


def _draw_batch(rng: np.random.Generator, settings: T5Settings) -> list[TextExample]:
    """A batch of examples; captions of known things are as somebody might type them."""
    batch: list[TextExample] = []
    for _ in range(settings.captions):
        known = rng.random() < settings.known
        of_stickers = rng.random() < STICKERS
        drawn = (sticker_caption if of_stickers else icon_caption) if known else free_caption
        caption, world = drawn(rng)
        caption = augment_prompt(rng, caption, AROUND) if known else caption
        batch += text_examples(rng, caption, world)
    return batch


def load_tokenizer(settings: T5Settings) -> Any:
    """That of the checkpoint that the run begins with, else its own, built when it starts."""
    from transformers import AutoTokenizer

    folder = settings.start or settings.run / "tokenizer"
    if not settings.start and not folder.exists():
        build_tokenizer(settings).save_pretrained(folder)
    return AutoTokenizer.from_pretrained(folder)


def build_tokenizer(settings: T5Settings) -> Any:
    """Lower-casing byte-pair encoding: common words are one token, every other can be spelled."""
    from tokenizers import (
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
        trainers,
    )
    from transformers import PreTrainedTokenizerFast

    bytewise = Tokenizer(models.BPE())
    bytewise.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    bytewise.decoder = decoders.Sequence([decoders.ByteLevel(), decoders.Strip(" ", 1, 0)])
    trainer = trainers.BpeTrainer(
        vocab_size=settings.vocabulary,
        special_tokens=["<pad>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bytewise.train_from_iterator(_sample_text(settings), trainer)
    bytewise.post_processor = processors.TemplateProcessing("$A </s>", None, [("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=bytewise, pad_token="<pad>", eos_token="</s>", model_max_length=1024
    )


def _sample_text(settings: T5Settings) -> Iterator[str]:
    rng = np.random.default_rng((settings.schedule.seed, 1))
    for _ in range(200):
        for example in _draw_batch(rng, settings):
            yield from (example.source, example.target)


def _begin(settings: T5Settings, tokenizer: Any) -> Any:
    from transformers import T5ForConditionalGeneration

    if settings.start:
        return T5ForConditionalGeneration.from_pretrained(settings.start)
    model = build(settings, tokenizer)
    prepare(model)
    return model


def build(settings: T5Settings, tokenizer: Any) -> Any:
    """The untrained T5ForConditionalGeneration."""
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=settings.width,
        d_kv=settings.width // settings.heads,
        num_heads=settings.heads,
        d_ff=settings.feed_forward,
        num_layers=settings.layers,
        relative_attention_max_distance=64,
        dropout_rate=0.0,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
    )
    return T5ForConditionalGeneration(config)


@torch.no_grad()
def prepare(model: Any) -> None:
    """Let attention begin where this work needs it (loss after 200 steps: 2.25 instead of 2.41).

    Values come back as they are (output = value transposed). Half of the heads look at equal words
    (query = key), in the encoder not at themselves; one looks at the word before, one at the next.

    Source: Trockman and Kolter, "Mimetic Initialization of Self-Attention Layers".
    """
    config = model.config
    half = config.num_heads * config.d_kv // 2
    for block in (*model.encoder.block, *model.decoder.block):
        for attention in (_attention(layer) for layer in block.layer[:-1]):
            attention.q.weight[half:] = attention.k.weight[half:] * config.d_kv**-0.5
            attention.o.weight.copy_(attention.v.weight.T)
    here, before, after = 0, 1, config.relative_attention_num_buckets // 2 + 1
    encoder, decoder = (
        stack.block[0].layer[0].SelfAttention.relative_attention_bias.weight
        for stack in (model.encoder, model.decoder)
    )
    encoder[before, 0] = encoder[after, 1] = decoder[before, 0] = 5
    encoder[here, config.num_heads // 2 :] = -5


def _attention(layer: Any) -> Any:
    return layer.SelfAttention if hasattr(layer, "SelfAttention") else layer.EncDecAttention


def encode(tokenizer: Any, batch: Sequence[TextExample]) -> dict[str, Tensor]:
    """Examples as the model takes them: token ids (examples, longest), padded at the end."""
    inputs = tokenizer([example.source for example in batch], padding=True, return_tensors="pt")
    outputs = tokenizer([example.target for example in batch], padding=True, return_tensors="pt")
    tensors = {
        "input_ids": inputs.input_ids,
        "attention_mask": inputs.attention_mask,
        "labels": outputs.input_ids.masked_fill(outputs.attention_mask == 0, -100),
    }
    return {name: tensor.to(device()) for name, tensor in tensors.items()}


def train(settings: T5Settings) -> Path:
    """Train the model; its folder is for AutoModelForSeq2SeqLM and AutoTokenizer."""
    torch.manual_seed(settings.schedule.seed)
    tokenizer = load_tokenizer(settings)
    model = _begin(settings, tokenizer).to(device())

    def losses(rng: np.random.Generator) -> dict[str, Tensor]:
        with mixed_precision():
            batch = encode(tokenizer, _draw_batch(rng, settings))
            return {"loss": model(**batch).loss}

    fit(model, losses, settings.schedule, settings.run)
    model.eval().save_pretrained(settings.run / "finished")
    tokenizer.save_pretrained(settings.run / "finished")
    return settings.run / "finished"
