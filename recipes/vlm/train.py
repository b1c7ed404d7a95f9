"""Pictures and questions become the eye: a PaliGemma at tiny width that answers them.

It first learns to see alone (which thing and which colour covers each patch), then to name what it
is asked for, then to judge: type-C predicates, free questions and entailment (`eye_lessons.py`).
All questions of a picture stand in one row, where the picture's tokens do not see the text: three
times cheaper than one question a row, as PaliGemma is used, and measured to be as good there. Three
teachers are thrown away at the end: one tells each patch what covers it, one tells each noun, half
way through the reader, what it points at, one tells each word of a description whether it holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import typer
from torch import Tensor, nn
from torch.nn import functional

from recipes.training import Schedule, fit, mixed_precision
from recipes.vlm.examples import Ask, questions
from recipes.vlm.grounding import PARTS, ground, ground_loss, nouns
from recipes.world.art import photographs
from recipes.world.patches import LABELS, patch_loss
from recipes.world.scenes import Scene, sample_scene
from recipes.world.things import PRACTICE_WORLD, SECOND_WORLD, World
from recipes.world.word_tokenizers import word_tokenizer, world_words

FADED = 0.25
"""How many pictures have no colours."""


@dataclass(frozen=True)
class VlmSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/sticker-vlm")
    width: int = 192
    seeing_layers: int = 4
    reading_layers: int = 4
    pictures: int = 12
    naming: str = "fffffffe"
    judging: str = "ppfppfee"
    """What is asked of a picture, first and later; see `eye_lessons.questions`."""
    see: Schedule = Schedule(steps=900, lr=1.5e-3, warmup=100, floor=0.3)
    name: Schedule = Schedule(steps=700, lr=1.2e-3, warmup=100, floor=0.7)
    judge: Schedule = Schedule(steps=19_000, lr=1e-3, warmup=50, ema=0.995, floor=0.02)


def processor(length: int = 64) -> Any:
    """The PaliGemma processor of the world's words and 128 x 128 pictures."""
    from transformers import PaliGemmaProcessor, SiglipImageProcessor

    images = SiglipImageProcessor(size={"height": 128, "width": 128})
    images.image_seq_length = length
    return PaliGemmaProcessor(images, word_tokenizer(world_words(PRACTICE_WORLD)))


def build(settings: VlmSettings, tokenizer: Any) -> Any:
    """The untrained PaliGemma."""
    from transformers import (
        GemmaConfig,
        PaliGemmaConfig,
        PaliGemmaForConditionalGeneration,
        SiglipVisionConfig,
    )

    width, heads = settings.width, settings.width // 64
    vision = SiglipVisionConfig(
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=settings.seeing_layers,
        num_attention_heads=heads,
        image_size=128,
        patch_size=16,
        projection_dim=width,
        vision_use_head=False,
    )
    text = GemmaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=width * 8 // 3,
        num_hidden_layers=settings.reading_layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=64,
        max_position_embeddings=512,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    image = tokenizer.convert_tokens_to_ids("<image>")
    return PaliGemmaForConditionalGeneration(
        PaliGemmaConfig(
            vision_config=vision,
            text_config=text,
            image_token_id=image,
            projection_dim=width,
            hidden_size=width,
        )
    )


class Eye(nn.Module):
    """The model and the teachers of its patches, its nouns and its claims."""

    def __init__(self, settings: VlmSettings, tokenizer: Any) -> None:
        super().__init__()
        self.model = build(settings, tokenizer)
        self.teacher = nn.Linear(settings.width, LABELS)
        self.noun_teacher = nn.Linear(settings.width, sum(PARTS))
        self.word_teacher = nn.Linear(settings.width, 1)

    def see(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Image features (n, 64, width), and logits of what covers each patch (n, 64, labels)."""
        seen = self.model.model.get_image_features(pixels)
        return seen.pooler_output, self.teacher(seen.last_hidden_state).float()


def practice(rng: np.random.Generator, count: int) -> list[Scene]:
    """Scenes to learn from: half of them as the world is, half with its things painted over.

    Nearly half show two things: where they are is what is judged worst.
    """
    worlds = (SECOND_WORLD, PRACTICE_WORLD)
    return [_practice_scene(rng, worlds[int(rng.integers(2))]) for _ in range(count)]


def _practice_scene(rng: np.random.Generator, world: World) -> Scene:
    scene = sample_scene(rng, world)
    pair = [group.count for group in scene.groups] == [1, 1]
    return scene if pair or rng.random() > 0.4 else sample_scene(rng, world)


def practice_pictures(rng: np.random.Generator, count: int) -> tuple[list[Scene], Tensor]:
    """Scenes and their pictures, some of them faded to greys: the things of such a scene have none.

    Without colours nothing but its outline tells what a thing is: so the eye knows it again in a
    colour that it was never shown in. Which greys the colours become is another in every picture.
    """
    scenes = practice(rng, count)
    pixels = photograph(rng, scenes)
    for index in np.flatnonzero(rng.random(count) < FADED):
        weights = torch.from_numpy(rng.dirichlet((1, 1, 1))).float()
        pixels[index] = torch.einsum("c,cyx->yx", weights, pixels[index])
        scenes[index] = _colourless(scenes[index])
    return scenes, pixels


def _colourless(scene: Scene) -> Scene:
    return replace(scene, groups=tuple(replace(group, colour="") for group in scene.groups))


def photograph(rng: np.random.Generator, scenes: list[Scene]) -> Tensor:
    """Pictures in [-1, 1] with the flaws of painted ones: blur, noise, shifts of brightness."""
    pixels = photographs(scenes)
    for index in range(len(pixels)):
        if rng.random() < 0.3:
            small = functional.interpolate(
                pixels[index : index + 1], size=int(rng.integers(48, 112)), mode="bilinear"
            )
            pixels[index] = functional.interpolate(small, size=128, mode="bilinear")[0]
    scale = torch.from_numpy(rng.uniform(0.9, 1.1, (len(pixels), 3, 1, 1))).float()
    noise = torch.from_numpy(rng.uniform(0, 0.08, (len(pixels), 1, 1, 1))).float()
    return (pixels * scale + noise * torch.randn_like(pixels)).clamp(-1, 1)


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
    """At the tokens of nouns the index of their thing in `grounding.THINGS`; -1 elsewhere."""


def collate(tokenizer: Any, asks: list[Ask], places: int = 64) -> Batch:
    """Rows of the same length, padded on the right."""
    image = tokenizer.convert_tokens_to_ids("<image>")
    encoded = tokenizer([f"<bos>{a.prompt}\n" for a in asks])
    prompts = encoded.input_ids
    answers = tokenizer([f"{a.answer}<eos>" for a in asks]).input_ids
    rows = [[image] * places + p + a for p, a in zip(prompts, answers, strict=True)]
    longest = max(map(len, rows))
    ids = torch.full((len(rows), longest), tokenizer.pad_token_id)
    mask, types = torch.zeros_like(ids), torch.ones_like(ids)
    claims, things = torch.full_like(ids, -1), torch.full_like(ids, -1)
    for index, (row, prompt) in enumerate(zip(rows, prompts, strict=True)):
        ids[index, : len(row)] = torch.tensor(row)
        mask[index, : len(row)] = 1
        types[index, : places + len(prompt)] = 0
        for marks, found in ((claims, asks[index].claims), (things, nouns(asks[index].prompt))):
            for character, value in found:
                token = encoded.char_to_token(index, len("<bos>") + character)
                marks[index, places + token] = int(value)
    return Batch(ids, mask, types, claims, things)


def packed_losses(
    eye: Eye, features: Tensor, batch: Batch, scenes: list[Scene]
) -> dict[str, Tensor]:
    """Losses of answers, claims and nouns, all questions of a picture in one row after its tokens.

    Args:
        features: (pictures, 64, width).
        batch: (pictures * questions) rows.
        scenes: what the pictures show.
    """
    model = eye.model
    pictures, places = features.shape[:2]
    text = Batch(*(x[:, places:] for x in astuple(batch)))
    ids, mask, types = (x.unflatten(0, (pictures, -1)) for x in (text.ids, text.mask, text.types))
    embedded = model.get_input_embeddings()(ids.flatten(1)).to(features.dtype)
    length = ids.shape[2]
    steps = torch.arange(places + 1, places + 1 + length).repeat(ids.shape[1])
    positions = torch.cat([torch.arange(1, places + 1), steps])
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
    return {**_text_losses(eye, last, text), "noun": 0.5 * _noun_loss(eye, middle, text, scenes)}


def _packed_mask(mask: Tensor, types: Tensor, places: int) -> Tensor:
    """0 where a token may look, -inf elsewhere: its picture, its question, its answer so far."""
    pictures, questions, length = mask.shape
    causal = torch.ones(length, length).tril().bool()
    own = (causal | (types == 0)[..., None, :]) & (mask == 1)[..., None, :]
    look = torch.zeros(pictures, places + questions * length, places + questions * length).bool()
    look[:, :, :places] = True
    for index in range(questions):
        rows = slice(places + index * length, places + (index + 1) * length)
        look[:, rows, rows] = own[:, index]
    return torch.zeros(look.shape).masked_fill(~look, torch.finfo(torch.float32).min)[:, None]


def _text_losses(eye: Eye, hidden: Tensor, batch: Batch) -> dict[str, Tensor]:
    judged = eye.word_teacher(hidden[batch.claims >= 0]).float().squeeze(-1)
    true = batch.claims[batch.claims >= 0].float()
    return {
        "answer": _next_token_loss(eye.model, hidden, batch),
        "claim": 0.5 * functional.binary_cross_entropy_with_logits(judged, true),
    }


def _noun_loss(eye: Eye, hidden: Tensor, batch: Batch, scenes: list[Scene]) -> Tensor:
    rows, tokens = torch.where(batch.nouns >= 0)
    pictures = rows // (len(batch.nouns) // len(scenes))
    truth = ground(scenes)[pictures, batch.nouns[rows, tokens]]
    return ground_loss(eye.noun_teacher(hidden[rows, tokens]), truth)


def _next_token_loss(model: Any, hidden: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of the answers' tokens; all but the first count a third."""
    wanted = (batch.types * batch.mask)[:, 1:].bool()
    logits = model.lm_head(hidden[:, :-1][wanted]).float()
    first = batch.types[:, 1:][wanted] > batch.types[:, :-1][wanted]
    weights = torch.where(first, 1.0, 1 / 3)
    each = functional.cross_entropy(logits, batch.ids[:, 1:][wanted], reduction="none")
    return (each * weights).sum() / weights.sum()


def _seeing(
    eye: Eye, tokenizer: Any, settings: VlmSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    scenes, pixels = practice_pictures(rng, 32)
    with mixed_precision():
        _, logits = eye.see(pixels)
    return {"patch": patch_loss(logits, scenes)}


def _answering(
    eye: Eye,
    tokenizer: Any,
    settings: VlmSettings,
    rng: np.random.Generator,
    *,
    mix: str,
) -> dict[str, Tensor]:
    scenes, pixels = practice_pictures(rng, settings.pictures)
    asks = [a for scene in scenes for a in questions(rng, scene, mix)]
    batch = collate(tokenizer, asks)
    with mixed_precision():
        features, logits = eye.see(pixels)
        text = packed_losses(eye, features, batch, scenes)
    return {**text, "patch": 0.5 * patch_loss(logits, scenes)}


def train(settings: VlmSettings) -> Path:
    """Train the eye in its three phases, each in a folder of its own.

    Returns:
        The folder of the model and its processor.
    """
    torch.manual_seed(settings.see.seed)
    words = processor()
    eye = Eye(settings, words.tokenizer)
    phases: dict[str, tuple[Schedule, Callable[..., dict[str, Tensor]]]] = {
        "see": (settings.see, _seeing),
        "name": (settings.name, partial(_answering, mix=settings.naming)),
        "judge": (settings.judge, partial(_answering, mix=settings.judging)),
    }
    for name, (schedule, step) in phases.items():
        finished = settings.run / name / "finished.pt"
        if not finished.exists():
            fit(eye, partial(step, eye, words.tokenizer, settings), schedule, finished.parent)
            torch.save(eye.state_dict(), finished)
        eye.load_state_dict(torch.load(finished, weights_only=True))
    eye.model.half().save_pretrained(settings.run / "finished")
    words.save_pretrained(settings.run / "finished")
    return settings.run / "finished"


def main(run: Path = VlmSettings.run) -> None:
    """Train sticker-vlm."""
    print(train(VlmSettings(run=run)))


if __name__ == "__main__":
    typer.run(main)
