"""The last phase of the VLM, which makes the model that ships of the one that is measured.

No composition is held out any more, and some images are generated: what the text-to-image model of
stickers draws right or smears, icons that may touch, and images of typed prompts, of which it is
known what readers answered to the questions of the page. It takes minutes on a GPU and most of a
day on two cores.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from recipes.cards import CHECKPOINTS
from recipes.diffusion.generated_images import SETTINGS as GENERATED
from recipes.diffusion.generated_images import GeneratedSet, RecognisedImage, read_set
from recipes.synonyms import in_pieces, teach
from recipes.training import Schedule, device, fit, mixed_precision, share
from recipes.vlm import answered_images
from recipes.vlm.answered_images import AnsweredSet
from recipes.vlm.batches import answer_loss, collate
from recipes.vlm.examples import ExampleWriter
from recipes.vlm.grounding import NounLabels
from recipes.vlm.network import VlmWithHeads
from recipes.vlm.odd_one_out import odd_examples, odd_scene
from recipes.vlm.sides import side_examples
from recipes.vlm.train import Shown, losses_of, practice_images
from recipes.world.captions import Description
from recipes.world.domains import ASKED_ICONS, WHOLE_STICKERS_AMONG_ICONS, Domain
from recipes.world.image_augmentation import add_flaws, shift
from recipes.world.scenes import Scene, sample_sides
from recipes.world.things import JUDGED_LATER, SYNONYMS

BESIDE = 0.27
"""How many steps show the other look of the world."""
ASKED = 0.6
"""How many captions of a generated image say what was asked for, where some of it is there."""


@dataclass(frozen=True)
class LastPhaseSettings:
    """What `train` needs to know."""

    start: Path = Path("runs/icons-vlm/finished")
    """Folder of the model that is trained further."""
    run: Path = Path("runs/icons-vlm-whole")
    generated: Path = GENERATED["icons"].folder
    """Folder of generated images of which it is known what they show."""
    domain: Domain = ASKED_ICONS
    beside: Domain = WHOLE_STICKERS_AMONG_ICONS
    """Another look of the same world, which a part of the steps show instead."""
    generated_beside: Path = GENERATED["stickers"].folder
    """The same of images that look so."""
    answered: Path = answered_images.IMAGES
    """Images of which it is known what readers answered. The loss of these answers, a mean of its
    own, weighs as much as that of all others."""
    shares: tuple[int, int, int, int, int] = (100, 30, 14, 28, 40)
    """Images of a step: drawn, generated, of several things of which one is odd, of two groups on
    either side of a line or not, and answered by readers."""
    asked: str = "ppfpffeevbs"
    """What may be asked of an image; see `ExampleWriter.examples`."""
    questions: int = 3
    """How many of these each image is asked in a step."""
    heads: Schedule = Schedule(steps=200, lr=4e-3, warmup=20, floor=0.2)
    """Of the auxiliary losses' heads alone, which a model does not keep."""
    schedule: Schedule = Schedule(
        steps=12_800, lr=8e-4, warmup=500, ema=0.9995, floor=0.01, cooldown=0.7
    )

    def mix(self, rng: np.random.Generator) -> str:
        """What one image is asked."""
        return "".join(rng.choice([*self.asked], self.questions))


FURTHER = replace(
    LastPhaseSettings(),
    start=CHECKPOINTS / "icon-vlm",
    shares=(12, 28, 2, 2, 68),
    heads=Schedule(steps=60, lr=4e-3, warmup=10, floor=0.2),
    schedule=Schedule(steps=650, lr=4e-4, warmup=20, ema=0.995, kept=0.3, floor=0.02, cooldown=0.7),
)
"""From a model that shipped, to images that are new to it: 25 minutes of two cores with bf16."""


def _drawn(
    rng: np.random.Generator, settings: LastPhaseSettings, domain: Domain, count: int
) -> Shown:
    scenes, pixels = practice_images(rng, domain, share(count))
    writer = ExampleWriter(domain)
    return scenes, [e for s in scenes for e in writer.examples(rng, s, settings.mix(rng))], pixels


def _generated(
    rng: np.random.Generator, settings: LastPhaseSettings, domain: Domain, known: GeneratedSet
) -> Shown:
    images, pixels = known.draw(rng, share(settings.shares[1]))
    examples = [
        example
        for image in images
        for example in ExampleWriter(_asking(domain, image)).examples(
            rng, image.shown, settings.mix(rng)
        )
    ]
    return [image.shown for image in images], examples, shift(rng, pixels)


def _asking(domain: Domain, image: RecognisedImage) -> Domain:
    """The domain whose captions of an image are mostly what was asked for, be it there or not."""

    def describe(rng: np.random.Generator, scene: Scene) -> Description:
        asked = not scene.groups or rng.random() < ASKED
        return image.asked if asked else domain.describe(rng, scene)

    return replace(domain, describe=describe)


def _odd(rng: np.random.Generator, settings: LastPhaseSettings) -> Shown:
    world = settings.domain.world
    scenes = [odd_scene(rng, world) for _ in range(share(settings.shares[2]))]
    examples = [e for s in scenes for e in odd_examples(rng, s, world, settings.questions)]
    return scenes, examples, add_flaws(rng, settings.domain.photographs(scenes))


def _sides(rng: np.random.Generator, settings: LastPhaseSettings) -> Shown:
    domain = settings.domain
    scenes = [sample_sides(rng, domain.world) for _ in range(share(settings.shares[3]))]
    examples = [e for s in scenes for e in side_examples(rng, s, domain, settings.mix(rng))]
    return scenes, examples, add_flaws(rng, domain.photographs(scenes))


def _losses(
    vlm: VlmWithHeads,
    tokenizer: Any,
    settings: LastPhaseSettings,
    generated: tuple[GeneratedSet, GeneratedSet],
    answered: AnsweredSet,
    rng: np.random.Generator,
) -> dict[str, Tensor]:
    drawn, _, *several, _ = settings.shares
    if rng.random() < BESIDE:
        domain = settings.beside
        parts = [
            _drawn(rng, settings, domain, drawn + sum(several)),
            _generated(rng, settings, domain, generated[1]),
        ]
    else:
        domain = settings.domain
        parts = [
            _drawn(rng, settings, domain, drawn),
            _generated(rng, settings, domain, generated[0]),
            _odd(rng, settings),
            _sides(rng, settings),
        ]
    scenes = [scene for part in parts for scene in part[0]]
    examples = [example for part in parts for example in part[1]]
    shown = scenes, examples, torch.cat([part[2] for part in parts])
    answers = _answered(vlm, tokenizer, settings, answered, rng)
    return {**losses_of(vlm, tokenizer, domain, shown), "answered": answers}


def _answered(
    vlm: VlmWithHeads,
    tokenizer: Any,
    settings: LastPhaseSettings,
    answered: AnsweredSet,
    rng: np.random.Generator,
) -> Tensor:
    examples, pixels = answered.draw(rng, share(settings.shares[-1]), settings.questions)
    batch = collate(tokenizer, examples, NounLabels(settings.domain))
    with mixed_precision():
        features, _ = vlm.see(shift(rng, pixels).to(device()))
        return answer_loss(vlm, features, batch)


def train(settings: LastPhaseSettings) -> Path:
    """Train the heads of the auxiliary losses anew, then the model with them."""
    from transformers import PaliGemmaForConditionalGeneration, PaliGemmaProcessor

    torch.manual_seed(settings.schedule.seed)
    words = PaliGemmaProcessor.from_pretrained(settings.start)
    model = PaliGemmaForConditionalGeneration.from_pretrained(settings.start, dtype=torch.float32)
    teach(model, words.tokenizer, in_pieces(words.tokenizer, {**SYNONYMS, **JUDGED_LATER}))
    vlm = VlmWithHeads(model, settings.domain)
    generated = read_set(settings.generated), read_set(settings.generated_beside)
    answered = AnsweredSet.read(settings.answered)
    losses = partial(_losses, vlm, words.tokenizer, settings, generated, answered)
    model.requires_grad_(False)
    fit(vlm, losses, settings.heads, settings.run / "heads")
    model.requires_grad_(True)
    fit(vlm, losses, settings.schedule, settings.run)
    model.half().save_pretrained(settings.run / "finished")
    words.save_pretrained(settings.run / "finished")
    return settings.run / "finished"
