"""Tokenizers with one token for each word of a world, and letters for all others."""

from __future__ import annotations

import re
import string
from itertools import chain
from typing import Any

import numpy as np

from recipes.world.captions import describe, write_caption
from recipes.world.plural import pluralise
from recipes.world.questions import ask
from recipes.world.scenes import sample_scene
from recipes.world.things import SIZES, SYNONYMS, World
from recipes.world.truth import answer
from recipes.world.worlds import WORLD

PROMPT_WORDS = (
    "is true for in this image ? does entail the description : yes no nothing "
    "photo drawing of painting cute some"
)
"""Words of the evaluators' questions and of the wrappers people put around a prompt."""
EVALUATION_WORDS = (
    "are the same answer to this figure show please or can you tell me if generally fits "
    'descriptions it then return otherwise give number only 0 1 " , .'
)
"""Words of further questions: type B of VQ2, VQAScore's and Commonsense-T2I's."""
SAMPLES = 4000
"""Captions whose words are taken."""


def world_words(world: World = WORLD) -> tuple[str, ...]:
    """Every word that captions, questions and answers use, lower case, sorted."""
    rng = np.random.default_rng(0)
    words = {*PROMPT_WORDS.split(), *world.numbers, *world.colours, *SIZES}
    words.update(other for word, said in SYNONYMS.items() if word in words for other in said)
    phrases = [
        p
        for said in (world.backgrounds, world.places, world.relations)
        for p in chain(*said.values())
    ]
    for thing in world.things:
        phrases += [thing.name, thing.plural_name, thing.category, *thing.states]
        phrases += [name for each in thing.synonyms for name in (each, pluralise(each))]
    words.update(word for phrase in phrases for word in phrase.split())
    for _ in range(SAMPLES):
        words.update(_sampled_words(rng, world))
    return tuple(sorted(words))


def _sampled_words(rng: np.random.Generator, world: World) -> set[str]:
    scene = sample_scene(rng, world, split=None)
    caption = write_caption(rng, describe(rng, scene), world, formal=0.2)
    span = caption.spans[int(rng.integers(len(caption.spans)))]
    seen = answer(caption.claim, span.kind, span.group, scene, world)
    text = " ".join((caption.text, ask(caption, span, world), seen)).lower()
    return set(re.findall(r"\w+|[^\w\s]", text))


def clip_tokenizer(words: tuple[str, ...], length: int) -> Any:
    """A CLIPTokenizer with one token a word and letters for every other word.

    Byte pairs would read a word that is not among them by one that ends it: "seahorse" as a horse.

    >>> clip_tokenizer(("a", "horse"), 16).tokenize("a horse, a seahorse")
    ['a</w>', 'horse', ',</w>', 'a</w>', 's', 'e', 'a', 'h', 'o', 'r', 's', 'e</w>']
    """
    from tokenizers import AddedToken, pre_tokenizers
    from transformers import CLIPTokenizer

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*letters, *(f"{letter}</w>" for letter in letters)]
    vocab = {piece: at for at, piece in enumerate([*pieces, "<|startoftext|>", "<|endoftext|>"])}
    tokenizer = CLIPTokenizer(vocab=vocab, merges=[], model_max_length=length)
    tokenizer.add_tokens([AddedToken(word, single_word=True) for word in words if len(word) > 1])
    return tokenizer


def word_tokenizer(words: tuple[str, ...]) -> Any:
    """A fast tokenizer with one token a word and letters for every other word.

    It has `<bos>`, `<eos>`, `<pad>`, `<unk>`, `<image>` and the line break as tokens of their own.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["<pad>", "<bos>", "<eos>", "<unk>", "<image>", "\n"]
    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    pieces = [*special, *words, *letters, *(f"##{letter}" for letter in letters)]
    vocab = {piece: index for index, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token="<unk>", max_input_chars_per_word=40))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_tokens([AddedToken("\n", normalized=False)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<bos>",
        eos_token="<eos>",
        pad_token="<pad>",
        unk_token="<unk>",
    )
