"""What a visitor may choose from: what the owner names, or on a Space what the machine can run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import alignment
import generation
import hub
from alignment.models.loading import bundle_memory

SPACE = "spaces"
"""What the variable SYSTEM says on a Hugging Face Space."""


@dataclass(frozen=True)
class Offer:
    """Models and bundles to choose from; the first of each is chosen until then."""

    models: tuple[str, ...] = field(default_factory=lambda: tuple(generation.MODELS))
    bundles: tuple[str, ...] = field(default_factory=lambda: tuple(alignment.BUNDLES))

    def starting_with(self, bundle: str) -> Offer:
        """The same with a bundle first, which need not have been among them.

        Raises:
            UnknownBundleError: there is no such bundle.
        """
        first = alignment.find_bundle(bundle).name
        return Offer(self.models, tuple(dict.fromkeys((first, *self.bundles))))


def offered(models: str, bundles: str, system: str) -> Offer:
    """What a page offers.

    Args:
        models: text-to-image models separated by commas; empty for all, or on a Space for those
            that fit its memory and disk together.
        bundles: the same for bundles.
        system: where the page runs, "spaces" on a Space.

    Raises:
        UnknownModelError, UnknownBundleError: a name is not known.

    >>> offered("stickers, sd-turbo", "embedded", "")
    Offer(models=('stickers', 'sd-turbo'), bundles=('embedded',))
    """
    everything = _fitting_offer() if system == SPACE else Offer()
    return Offer(
        tuple(generation.find_model(name).name for name in listed(models)) or everything.models,
        tuple(alignment.find_bundle(name).name for name in listed(bundles)) or everything.bundles,
    )


def _fitting_offer() -> Offer:
    """What this machine can run: one model and one bundle together."""
    memory = hub.free_memory(hub.best_device())
    sizes = {name: bundle_memory(each) for name, each in alignment.BUNDLES.items()}
    bundles = tuple(name for name, size in sizes.items() if size <= memory / 2)
    reserved = max((sizes[name] for name in bundles), default=0)
    return Offer(generation.fitting_here(reserved), bundles)


def listed(names: str) -> Iterable[str]:
    """The names of a list with commas.

    >>> list(listed(" a, b,"))
    ['a', 'b']
    """
    return (name.strip() for name in names.split(",") if name.strip())
