"""What is known of a text-to-image model: where it is, how it is called, how much it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from generation.errors import InvalidRequestError


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
    """Side of the square images, in pixels."""
    licence: str
    guidance_is_input: bool = False
    """True where the denoiser reads the scale and runs once a step: for latent consistency models
    `do_classifier_free_guidance` of diffusers' pipeline is always False."""
    guidance_argument: str = "guidance_scale"
    """The argument of the pipeline's call that takes the scale."""
    knows: Path | None = None
    """Of a model that knows few words: the file of its vocabulary."""
    recipe: str = ""
    """Of an embedded model: the module that makes its checkpoint, for `python -m`."""
    batch: int = 9
    """The most cells that are generated together, and then decoded; fewer where memory is short."""
    previews: int = 0
    """How many times in a batch the unfinished latents are shown."""
    safety: bool = False
    """True for models that ship with a safety checker: they are never used without it."""
    half: str = "float16"
    """The half precision that it was trained for, by the name of the torch dtype."""
    cpu_dtype: str = "fastest"
    """Name of the torch dtype on a CPU, or "fastest": bfloat16 where the CPU computes in it."""
    parameters: float = 0.0
    """Billions, all components together; 0 for an embedded model, which fits anywhere."""
    largest_component: float = 0.0
    """Billions: what has to fit where components take turns on an accelerator."""
    download: float = 0.0
    """GB that the hub sends."""
    step_tera: float = 0.0
    """10^12 operations of the denoiser for one image once, counted at `size` from the true
    configuration; 0 for an embedded model."""
    decode_tera: float = 0.0
    """The same of decoding one image."""
    since: int = 2026
    """The year in which it came out."""
    gated: bool = False
    """True where the hub asks for consent before it sends the model."""
    quantized: tuple[str, ...] = ()
    """Components whose weights are kept in 4 bits."""
    quantized_parameters: float = 0.0
    """Billions of parameters in those components."""
    variant: str | None = None
    """Which of the weight files the hub keeps, e.g. "fp16"; None for the plain ones."""
    completion: bool = False
    """Whether page and command line complete prompts for it unless asked not to."""
    call: Mapping[str, object] = field(default_factory=dict)
    """Further arguments of the pipeline's call."""

    def completes(self, asked: str = "auto") -> bool:
        """Whether prompts are completed for it.

        Args:
            asked: "on", "off", or "auto" for what is usual for the model.

        Raises:
            InvalidRequestError: it is none of the three.
        """
        known = {"auto": self.completion, "on": True, "off": False}
        if asked not in known:
            raise InvalidRequestError(f"completion is {asked!r}; it can be {', '.join(known)}")
        return known[asked]

    @property
    def tera(self) -> float:
        """10^12 operations of one image, but for reading its prompt."""
        return self.steps * self.passes * self.step_tera + self.decode_tera

    @property
    def passes(self) -> int:
        """Of the denoiser for one image at one step: guidance that is no input takes a second."""
        return 2 if self.takes_guidance and not self.guidance_is_input else 1

    @property
    def takes_guidance(self) -> bool:
        """Whether it has not learned to do without."""
        return self.guidance > 1

    def asked(self, steps: int | None, guidance: float | None) -> ModelSpec:
        """The same model with other steps or another guidance; its own where there are none.

        Raises:
            InvalidRequestError: it takes no guidance but its own.
        """
        if guidance not in (None, self.guidance) and not self.takes_guidance:
            raise InvalidRequestError(
                f"{self.name} was made to do without guidance; leave guidance empty for it"
            )
        own = self.guidance if guidance is None else guidance
        return replace(self, steps=steps or self.steps, guidance=own)

    @property
    def embedded(self) -> bool:
        """True when the checkpoint comes with the project and works without a network."""
        return isinstance(self.source, Path)
