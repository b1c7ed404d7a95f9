"""Rows of tokens, and the losses on them.

All questions of a picture stand in one row, where the picture's tokens do not see the text: three
times cheaper than one question a row, as PaliGemma is used, and measured to be as good there.
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
    """Losses of answers, claims and nouns, all questions of a picture in one row after its tokens.

    Args:
        features: (pictures, 64, width).
        batch: (pictures * questions) rows.
        scenes: what the pictures show.
    """
    pictures = len(features)
    text = Batch(*(x[:, PLACES:] for x in astuple(batch)))
    last, middle = _hidden_states(vlm.model, features, text)
    rows, tokens = torch.where(text.nouns >= 0)
    every = labels.of(scenes).to(features.device)
    truth = every[rows // (len(text.nouns) // pictures), text.nouns[rows, tokens]]
    judged = vlm.claim_head(last[text.claims >= 0]).float().squeeze(-1)
    holds = text.claims[text.claims >= 0].float()
    return {
        "answer": _next_token_loss(vlm.model, last, text),
        "claim": 0.5 * functional.binary_cross_entropy_with_logits(judged, holds),
        "noun": 0.5 * labels.loss(vlm.noun_head(middle[rows, tokens]), truth),
    }


def _hidden_states(model: Any, features: Tensor, text: Batch) -> tuple[Tensor, Tensor]:
    """States of the text's tokens after the last layer and after half of them, row by row."""
    pictures, places = features.shape[:2]
    ids, mask, types = (x.unflatten(0, (pictures, -1)) for x in (text.ids, text.mask, text.types))
    embedded = model.get_input_embeddings()(ids.flatten(1)).to(features.dtype)
    length = ids.shape[2]
    steps = torch.arange(places + 1, places + 1 + length).repeat(ids.shape[1])
    positions = torch.cat([torch.arange(1, places + 1), steps]).to(ids.device)
    read = model.model.language_model(
        inputs_embeds=torch.cat([features, embedded], dim=1),
        attention_mask=_packed_mask(mask, types, places).to(features.dtype),
        position_ids=positions[None],
        use_cache=False,
        output_hidden_states=True,
    )
    half_way = read.hidden_states[len(read.hidden_states) // 2]
    last, middle = (
        hidden[:, places:].unflatten(1, (-1, length)).flatten(0, 1)
        for hidden in (read.last_hidden_state, half_way)
    )
    return last, middle


def _packed_mask(mask: Tensor, types: Tensor, places: int) -> Tensor:
    """0 where a token may look, -inf elsewhere: its picture, its question, its answer so far."""
    pictures, questions, length = mask.shape
    causal = torch.ones(length, length, device=mask.device).tril().bool()
    own = (causal | (types == 0)[..., None, :]) & (mask == 1)[..., None, :]
    side = places + questions * length
    look = torch.zeros(pictures, side, side, dtype=torch.bool, device=mask.device)
    look[:, :, :places] = True
    for index in range(questions):
        rows = slice(places + index * length, places + (index + 1) * length)
        look[:, rows, rows] = own[:, index]
    blocked = torch.finfo(torch.float32).min
    return torch.zeros(look.shape, device=mask.device).masked_fill(~look, blocked)[:, None]


def _next_token_loss(model: Any, hidden: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of the answers' tokens; all but the first count a third."""
    wanted = (batch.types * batch.mask)[:, 1:].bool()
    logits = model.lm_head(hidden[:, :-1][wanted]).float()
    first = batch.types[:, 1:][wanted] > batch.types[:, :-1][wanted]
    weights = torch.where(first, 1.0, 1 / 3)
    each = functional.cross_entropy(logits, batch.ids[:, 1:][wanted], reduction="none")
    return (each * weights).sum() / weights.sum()
