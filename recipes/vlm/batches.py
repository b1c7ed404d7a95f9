"""Rows of tokens, and the losses on them.

The tokens of an image do not see the text, and are read once for all its questions: much cheaper
than one image a question, as PaliGemma is used, and measured to be as good there.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from recipes.training import device
from recipes.vlm.examples import VqaExample
from recipes.vlm.grounding import NounLabels
from recipes.vlm.network import PLACES, VlmWithHeads
from recipes.world.scenes import Scene

PARTS = 4
"""Rows are read in so many parts, the short ones first, so that little of them is padding."""

Kept = list[tuple[Tensor, Tensor]]
"""Keys and values of each layer: (rows, heads, tokens, width of a head)."""


@dataclass(frozen=True)
class Batch:
    """Token rows: 64 image places, the prompt, its answer."""

    ids: Tensor
    mask: Tensor
    types: Tensor
    """0 for image and prompt, which see each other; 1 for the answer."""
    claims: Tensor
    """At the tokens of claims 1 where they hold and 0 where not; -1 elsewhere."""
    nouns: Tensor
    """At the tokens of nouns the index of their thing in `NounLabels.things`; -1 elsewhere."""


def collate(tokenizer: Any, examples: list[VqaExample], labels: NounLabels) -> Batch:
    """Rows of the same length, padded on the right."""
    image = tokenizer.convert_tokens_to_ids("<image>")
    encoded = tokenizer([f"<bos>{e.prompt}\n" for e in examples])
    prompts = encoded.input_ids
    answers = tokenizer([f"{e.answer}<eos>" for e in examples]).input_ids
    rows = [[image] * PLACES + p + a for p, a in zip(prompts, answers, strict=True)]
    longest = max(map(len, rows))
    ids = torch.full((len(rows), longest), tokenizer.pad_token_id)
    mask, types = torch.zeros_like(ids), torch.ones_like(ids)
    claims, things = torch.full_like(ids, -1), torch.full_like(ids, -1)
    for index, (row, prompt) in enumerate(zip(rows, prompts, strict=True)):
        ids[index, : len(row)] = torch.tensor(row)
        mask[index, : len(row)] = 1
        types[index, : PLACES + len(prompt)] = 0
        nouns = labels.nouns(examples[index].prompt)
        for marks, found in ((claims, examples[index].claims), (things, nouns)):
            for character, value in found:
                token = encoded.char_to_token(index, len("<bos>") + character)
                marks[index, PLACES + token] = int(value)
    return Batch(*(marks.to(device()) for marks in (ids, mask, types, claims, things)))


def packed_losses(
    vlm: VlmWithHeads, features: Tensor, batch: Batch, scenes: list[Scene], labels: NounLabels
) -> dict[str, Tensor]:
    """Losses of answers, claims and nouns, of all questions about some images.

    Args:
        features: (images, 64, width).
        batch: (images * questions) rows.
        scenes: what the images show.
    """
    images, text = len(features), _text_of(batch)
    last, middle = _hidden_states(vlm.model, features, text)
    rows, tokens = torch.where(text.nouns >= 0)
    every = labels.of(scenes).to(features.device)
    truth = every[rows // (len(text.nouns) // images), text.nouns[rows, tokens]]
    judged = vlm.claim_head(last[text.claims >= 0]).float().squeeze(-1)
    holds = text.claims[text.claims >= 0].float()
    claim = functional.binary_cross_entropy_with_logits(judged, holds, reduction="sum")
    return {
        "answer": _next_token_loss(vlm.model, last, text),
        "claim": 0.5 * claim / max(1, len(holds)),
        "noun": 0.5 * labels.loss(vlm.noun_head(middle[rows, tokens]), truth),
    }


def answer_loss(vlm: VlmWithHeads, features: Tensor, batch: Batch) -> Tensor:
    """The loss of answers alone, about images of which nothing else is known; see above."""
    text = _text_of(batch)
    last, _ = _hidden_states(vlm.model, features, text)
    return _next_token_loss(vlm.model, last, text)


def _text_of(batch: Batch) -> Batch:
    return Batch(*(marks[:, PLACES:] for marks in astuple(batch)))


def _hidden_states(model: Any, features: Tensor, text: Batch) -> tuple[Tensor, Tensor]:
    """States of the text's tokens after the last layer and after half of them, row by row.

    The tokens of an image are read once, and what the layers kept of them serves all its rows.
    """
    seen = _read_images(model.model.language_model, features)
    by_length = text.mask.sum(1).argsort()
    images = by_length // (len(text.ids) // len(features))
    parts = [
        _read_rows(model, [(keys[own], values[own]) for keys, values in seen], text, rows)
        for rows, own in zip(by_length.chunk(PARTS), images.chunk(PARTS), strict=True)
    ]
    back = by_length.argsort()
    last, middle = (torch.cat(states)[back] for states in zip(*parts, strict=True))
    return last, middle


def _read_images(language: Any, features: Tensor) -> Kept:
    """What each layer keeps of the tokens of images, which see each other."""
    from transformers import DynamicCache

    images, places = features.shape[:2]
    cache = DynamicCache()
    language(
        inputs_embeds=features,
        attention_mask=features.new_zeros(images, 1, places, places),
        position_ids=torch.arange(1, places + 1, device=features.device)[None],
        past_key_values=cache,
    )
    return [(layer.keys, layer.values) for layer in cache.layers]


def _read_rows(model: Any, seen: Kept, text: Batch, rows: Tensor) -> list[Tensor]:
    """States of some rows after the last layer and after half of them, padded as the text is.

    Args:
        seen: of the image of each row.
    """
    from transformers import DynamicCache

    places, longest = seen[0][0].shape[2], int(text.mask[rows].sum(1).max())
    some = Batch(*(marks[rows, :longest] for marks in astuple(text)))
    embedded = model.get_input_embeddings()(some.ids).to(seen[0][0].dtype)
    read = model.model.language_model(
        inputs_embeds=embedded,
        attention_mask=_mask(some, places).to(embedded.dtype),
        position_ids=torch.arange(places + 1, places + 1 + longest, device=embedded.device)[None],
        past_key_values=DynamicCache(seen),
        output_hidden_states=True,
    )
    padding = (0, 0, 0, text.ids.shape[1] - longest)
    half_way = read.hidden_states[len(read.hidden_states) // 2]
    return [functional.pad(states, padding) for states in (read.last_hidden_state, half_way)]


def _mask(text: Batch, places: int) -> Tensor:
    """0 where a token may look, else very low: its image, its question, its answer so far."""
    rows, length = text.ids.shape
    causal = torch.ones(length, length, device=text.ids.device).tril().bool()
    own = (causal | (text.types == 0)[:, None, :]) & (text.mask == 1)[:, None, :]
    look = torch.cat([own.new_ones(rows, length, places), own], dim=2)
    blocked = torch.finfo(torch.float32).min
    return torch.zeros(look.shape, device=look.device).masked_fill(~look, blocked)[:, None]


def _next_token_loss(model: Any, hidden: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of the answers' tokens; all but the first count a third."""
    wanted = (batch.types * batch.mask)[:, 1:].bool()
    logits = model.lm_head(hidden[:, :-1][wanted]).float()
    first = batch.types[:, 1:][wanted] > batch.types[:, :-1][wanted]
    weights = torch.where(first, 1.0, 1 / 3)
    each = functional.cross_entropy(logits, batch.ids[:, 1:][wanted], reduction="none")
    return (each * weights).sum() / weights.sum()
