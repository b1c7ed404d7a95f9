"""Training of the VLM: a PaliGemma of small width that answers questions about images.

It first learns to see (which thing and which colour covers each patch), then to name what it is
asked for, then to verify: type-C predicates, free questions and entailment (`examples.py`). Three
auxiliary losses are dropped at the end: one on what covers each patch, one on what each noun points
at, half way through the layers, one on whether each word of a description holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from recipes.diffusion.canonical_layout import text_to_image_layout
from recipes.training import Schedule, device, fit, mixed_precision, share
from recipes.vlm.batches import collate, packed_losses
from recipes.vlm.examples import ExampleWriter, VqaExample
from recipes.vlm.grounding import NounLabels
from recipes.vlm.network import VlmWithHeads, build, processor, read_vlm
from recipes.warm_start import begin_from
from recipes.world.domains import ICONS, PRACTICE_STICKERS, STICKERS_AMONG_ICONS, Domain
from recipes.world.image_augmentation import add_flaws, fade_some
from recipes.world.scenes import Scene
from recipes.world.word_tokenizers import EVALUATION_WORDS, world_words

BESIDE = 0.3
"""How many steps show the other look of a world, where there is one."""


@dataclass(frozen=True)
class VlmSettings:
    """What `train` needs to know."""

    run: Path = Path("runs/sticker-vlm")
    start: Path | None = None
    """Folder of a model of the same width whose weights it begins with."""
    domain: Domain = PRACTICE_STICKERS
    beside: Domain | None = None
    """Another look of the same world, which a part of the steps show instead."""
    width: int = 192
    vision_layers: int = 4
    text_layers: int = 4
    images: int = 12
    naming: str = "fffffffe"
    more_words: str = ""
    """Words of the tokenizer beside those of the world."""
    answering: str = "ppfppfee"
    """What is asked of an image, first and later; see `ExampleWriter.examples`."""
    see: Schedule = Schedule(steps=900, lr=1.5e-3, warmup=100, floor=0.3)
    name: Schedule = Schedule(steps=700, lr=1.2e-3, warmup=100, floor=0.7)
    answer: Schedule = Schedule(steps=19_000, lr=1e-3, warmup=50, ema=0.995, floor=0.02)

    def shown(self, rng: np.random.Generator) -> Domain:
        """The domain whose images a process shows in a step."""
        return self.beside if self.beside and rng.random() < BESIDE else self.domain


SETTINGS = {
    "stickers": VlmSettings(),
    "icons": VlmSettings(
        run=Path("runs/icons-vlm"),
        start=Path("runs/sticker-vlm/finished"),
        domain=ICONS,
        beside=STICKERS_AMONG_ICONS,
        more_words=EVALUATION_WORDS,
        answering="pppfsfeevb",
        see=Schedule(steps=1500, lr=1.2e-3, warmup=100, floor=0.3),
        name=Schedule(steps=700, lr=1e-3, warmup=100, floor=0.7),
        answer=Schedule(steps=3351, lr=8e-4, warmup=100, ema=0.997, floor=0.02, cooldown=0.4),
    ),
}
"""World -> settings that are known to work."""


Shown = tuple[list[Scene], list[VqaExample], Tensor]
"""Scenes, the examples of all of them one after the other, and images in [-1, 1]."""


LAID_OUT_ALIKE = 0.3
"""How many drawn scenes are laid out as the text-to-image model of icons lays them out."""


def practice_images(
    rng: np.random.Generator, domain: Domain, count: int
) -> tuple[list[Scene], Tensor]:
    """Training scenes and their images, with flaws, some in greys."""
    scenes = [domain.sample(rng, "train") for _ in range(count)]
    scenes = [
        text_to_image_layout(each) if rng.random() < LAID_OUT_ALIKE else each for each in scenes
    ]
    pixels = add_flaws(rng, domain.photographs(scenes))
    return fade_some(rng, scenes, pixels), pixels


def losses_of(vlm: VlmWithHeads, tokenizer: Any, domain: Domain, shown: Shown) -> dict[str, Tensor]:
    """Losses of answers, claims and nouns, and of what covers each patch."""
    scenes, examples, pixels = shown
    labels = NounLabels(domain)
    batch = collate(tokenizer, examples, labels)
    with mixed_precision():
        features, logits = vlm.see(pixels.to(device()))
        text = packed_losses(vlm, features, batch, scenes, labels)
    return {**text, "patch": 0.5 * domain.patch_loss(logits, scenes)}


def _seeing(
    vlm: VlmWithHeads, tokenizer: Any, settings: VlmSettings, rng: np.random.Generator
) -> dict[str, Tensor]:
    domain = settings.shown(rng)
    scenes, pixels = practice_images(rng, domain, share(32))
    with mixed_precision():
        _, logits = vlm.see(pixels.to(device()))
    return {"patch": domain.patch_loss(logits, scenes)}


def _answering(
    vlm: VlmWithHeads,
    tokenizer: Any,
    settings: VlmSettings,
    rng: np.random.Generator,
    *,
    mix: str,
) -> dict[str, Tensor]:
    domain = settings.shown(rng)
    writer = ExampleWriter(domain)
    scenes, pixels = practice_images(rng, domain, share(settings.images))
    examples = [e for scene in scenes for e in writer.examples(rng, scene, mix)]
    return losses_of(vlm, tokenizer, domain, (scenes, examples, pixels))


def train(settings: VlmSettings) -> Path:
    """Train the VLM in its three phases, each in a folder of its own."""
    torch.manual_seed(settings.see.seed)
    known = {*world_words(settings.domain.world), *settings.more_words.split()}
    words = processor(tuple(sorted(known)))
    tokenizer = words.tokenizer
    layers = settings.vision_layers, settings.text_layers
    vlm = VlmWithHeads(build(settings.width, *layers, tokenizer), settings.domain)
    if settings.start:
        begin_from(*read_vlm(settings.start), vlm.model, tokenizer)
    phases: dict[str, tuple[Schedule, Callable[..., dict[str, Tensor]]]] = {
        "see": (settings.see, _seeing),
        "name": (settings.name, partial(_answering, mix=settings.naming)),
        "answer": (settings.answer, partial(_answering, mix=settings.answering)),
    }
    for name, (schedule, step) in phases.items():
        finished = settings.run / name / "finished.pt"
        if not finished.exists():
            fit(vlm, partial(step, vlm, tokenizer, settings), schedule, finished.parent)
            torch.save(vlm.state_dict(), finished)
        vlm.load_state_dict(torch.load(finished, weights_only=True))
    vlm.model.half().save_pretrained(settings.run / "finished")
    words.save_pretrained(settings.run / "finished")
    return settings.run / "finished"
