"""Words that a trained model takes up: each begins as the word for which people say it.

An evaluator that is trained anew has its synonyms in its vocabulary from the start.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from torch import Tensor

from recipes.world.things import JUDGED_LATER, SYNONYMS

Said: TypeAlias = Mapping[str, tuple[str, ...]]
"""Word that a model knows -> what is to be read as it: words, or groups of them."""


def in_pieces(tokenizer: Any, said: Said) -> Said:
    """What of it is no token yet."""
    return {
        word: tuple(each for each in others if len(tokenizer.tokenize(each)) > 1)
        for word, others in said.items()
    }


def take_up(tokenizer: Any, said: Said) -> tuple[list[int], list[int]]:
    """Make each a token of its own; one that is a piece of other words has that piece's token.

    Returns:
        These tokens, and those of the words as which they are read.
    """
    from tokenizers import AddedToken

    meant = {each: word for word, others in said.items() for each in others}
    tokenizer.add_tokens([AddedToken(each, single_word=True) for each in meant])
    words = [tokenizer(word, add_special_tokens=False).input_ids[0] for word in meant.values()]
    return tokenizer.convert_tokens_to_ids([*meant]), words


def teach(model: Any, tokenizer: Any, said: Said) -> None:
    """Let a transformers model read them so: what it has learned of a word is copied."""
    new, words = take_up(tokenizer, said)
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    rows = model.get_input_embeddings().weight.data
    rows[new] = rows[words]


def teach_clip(folder: Path) -> None:
    """Give the words that are read as others to an open_clip model in its folder."""
    from safetensors.torch import load_file, save_file
    from transformers import CLIPTokenizer

    tokenizer = CLIPTokenizer.from_pretrained(folder)
    new, words = take_up(tokenizer, in_pieces(tokenizer, {**SYNONYMS, **JUDGED_LATER}))
    weights: dict[str, Tensor] = load_file(folder / "open_clip_model.safetensors")
    before = weights["token_embedding.weight"]
    rows = before.new_zeros(len(tokenizer), before.shape[1])
    rows[: len(before)] = before
    rows[new] = rows[words]
    weights["token_embedding.weight"] = rows
    config = json.loads((folder / "open_clip_config.json").read_text(encoding="utf-8"))
    config["model_cfg"]["text_cfg"]["vocab_size"] = len(tokenizer)
    save_file(weights, folder / "open_clip_model.safetensors")
    (folder / "open_clip_config.json").write_text(json.dumps(config, indent=2) + "\n")
    tokenizer.save_pretrained(folder)
