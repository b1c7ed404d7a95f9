"""A system: the models and settings that make scored grids of prompts, and what it is called."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Literal

from pydantic.dataclasses import dataclass

from alignment.questions.settings import AS_PUBLISHED, RECOMMENDED, Vq2Settings
from alignment.report import StoredReport
from generation.records import PROMPT, GridRequest, Guidance, ModelName, Seed, Steps, Wording
from request.record import NO_OTHERS, BundleName, Explained

VQ2: Mapping[str, Vq2Settings | None] = {
    "usual": None,
    "published": AS_PUBLISHED,
    "weakest": replace(RECOMMENDED, aggregation="weakest"),
}
"""Settings of VQ2 that a system can have, by their names; None is as usual for the bundle."""


@dataclass(frozen=True, config=NO_OTHERS)
class System(Explained):
    """One way from a prompt to a scored grid, such as a column of a comparison.

    Its fields are those of a `Request`, but for the settings of VQ2, which are a name in `VQ2`.
    """

    model: ModelName = GridRequest.model
    bundle: BundleName = "embedded"
    seed: Seed = 7
    completion: bool = False
    wording: Wording = PROMPT
    vq2: Literal[tuple(VQ2)] = "usual"  # type: ignore[valid-type]
    steps: Steps = None
    guidance: Guidance = None

    @property
    def words(self) -> dict[str, str]:
        """Field -> what it is, in words."""
        own = self.guidance is not None
        return {
            "model": self.model,
            "bundle": f"scored by {self.bundle}",
            "seed": f"seed {self.seed}",
            "completion": "completed" if self.completion else "prompt as it is",
            "wording": f'"{self.wording}"' if self.wording != PROMPT else "wording as it is",
            "vq2": f"VQ2 {self.vq2}",
            "steps": f"steps {self.steps}" if self.steps else "steps of the model",
            "guidance": f"guidance {self.guidance:g}" if own else "guidance of the model",
        }

    @property
    def name(self) -> str:
        """What tells it from all other systems: its models and seed, and what is not usual.

        >>> System(wording="{prompt} at night").name
        'icons, scored by embedded, seed 7, "{prompt} at night"'
        """
        return self.said({"model", "bundle", "seed", *self.differing(System())})

    def differing(self, other: System) -> set[str]:
        """The fields in which it differs from another."""
        names = (each.name for each in fields(System))
        return {name for name in names if getattr(self, name) != getattr(other, name)}

    def said(self, names: Collection[str]) -> str:
        """These fields in words, in their order.

        >>> System(seed=9).said({"seed", "completion"})
        'seed 9, prompt as it is'
        """
        return ", ".join(text for name, text in self.words.items() if name in names)


def told_apart(systems: Collection[System]) -> dict[System, str]:
    """System -> its model, and of its settings those that differ among systems of that model.

    >>> [*told_apart([System(), System(completion=True), System("sd-turbo")]).values()]
    ['icons, prompt as it is', 'icons, completed', 'sd-turbo']
    """
    return {
        each: each.said({"model"}.union(*(each.differing(other) for other in systems_of)))
        for each in systems
        for systems_of in [[other for other in systems if other.model == each.model]]
    }


def system_of(stored: StoredReport) -> System:
    """The system that made a stored grid; which of its grids it is, by the seed, is left out."""
    asked = {name: stored.asked[name] for name in MADE_FROM if name in stored.asked}
    return System(stored.model, stored.report.bundle, **asked)


MADE_FROM = ("completion", "wording", "steps", "guidance")
"""What a stored report says of its system beside the models."""
