"""Words that a trained evaluator takes up: each begins as the word for which people say it.

A model that is trained anew has them in its vocabulary from the start.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from recipes.world.things import SYNONYMS


def add_synonyms(tokenizer: Any) -> list[int]:
    """Make tokens of the synonyms that a tokenizer has only in pieces.

    Returns:
        Of each new token, in their order, that of the word which it stands for.
    """
    from tokenizers import AddedToken

    meant = {other: word for word, said in SYNONYMS.items() for other in said}
    new = [word for word in meant if len(tokenizer.tokenize(word)) > 1]
    tokenizer.add_tokens([AddedToken(word, single_word=True) for word in new])
    return [tokenizer(meant[word], add_special_tokens=False).input_ids[0] for word in new]


def teach_vlm(model: Any, tokenizer: Any) -> None:
    """Give a PaliGemma and its tokenizer the synonyms."""
    meant = add_synonyms(tokenizer)
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    rows = model.get_input_embeddings().weight.data
    rows[len(rows) - len(meant) :] = rows[meant]


def teach_clip(source: Path, target: Path) -> Path:
    """A copy of an open_clip folder that has the synonyms, with weights in half precision."""
    from safetensors.torch import load_file, save_file
    from transformers import CLIPTokenizer

    tokenizer = CLIPTokenizer.from_pretrained(source)
    meant = add_synonyms(tokenizer)
    weights: dict[str, Tensor] = load_file(source / "open_clip_model.safetensors")
    rows = weights["token_embedding.weight"]
    weights["token_embedding.weight"] = torch.cat([rows, rows[meant]])
    config = json.loads((source / "open_clip_config.json").read_text(encoding="utf-8"))
    config["model_cfg"]["text_cfg"]["vocab_size"] = len(tokenizer)
    target.mkdir(parents=True, exist_ok=True)
    save_file(weights, target / "open_clip_model.safetensors")
    (target / "open_clip_config.json").write_text(json.dumps(config, indent=2) + "\n")
    tokenizer.save_pretrained(target)
    return target
