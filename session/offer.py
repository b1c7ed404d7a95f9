"""What a visitor may choose from: what the owner names, or on a Space what the machine can run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import alignment
import generation
import hub
from generation import InvalidRequestError
from request.fields import cut
from session.plan import RUN_SECONDS, plan, slow_ones

NOT_OFFERED = "not offered here"
OUT_OF_REACH = "the hub is out of reach"


@dataclass(frozen=True)
class Offer:
    """Models and bundles to choose from; the first of each is chosen until then."""

    models: tuple[str, ...] = field(default_factory=lambda: tuple(generation.MODELS))
    bundles: tuple[str, ...] = field(default_factory=lambda: tuple(alignment.BUNDLES))
    off: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Name -> why this model or bundle cannot be used here."""

    slow: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Name -> how long one image of this model takes here, where that is long."""

    def require(self, model: str | None, bundle: str) -> None:
        """Check that models may be used: each is named as it is offered."""
        if missing := self._missing(model or self.models[0], bundle):
            raise InvalidRequestError(missing[0])

    def _asked(self, model: str, bundle: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """What each of two names is of, the name, and those that are offered."""
        return ("model", model, self.models), ("bundle", bundle, self.bundles)

    def lacking(self, model: str, bundle: str) -> tuple[str, ...]:
        """A sentence for each of the two that a link asks for and that cannot be used here.

        Args:
            model: empty where none generates.
        """
        off = [
            f'the {what} "{name}" of this link cannot be used here: {self.off[name]}'
            for what, name, known in self._asked(model, bundle)
            if name in known and name in self.off
        ]
        return (*off, *self._missing(model, bundle))

    def _missing(self, model: str, bundle: str) -> tuple[str, ...]:
        """A sentence for each of the two that is named and not offered."""
        return tuple(
            f'the {what} "{cut(name)}" is not offered here; choose one of {", ".join(known)}'
            for what, name, known in self._asked(model, bundle)
            if name and name not in known
        )

    def starting_with(self, bundle: str) -> Offer:
        """The same with a bundle first, which need not have been among them."""
        first = alignment.find_bundle(bundle).name
        return replace(self, bundles=tuple(dict.fromkeys((first, *self.bundles))))

    def explained(self, in_reach: Callable[[], bool] = hub.hub_in_use) -> Offer:
        """The same, with the reason why each other model and bundle is off.

        Args:
            in_reach: whether the hub is; asked only where something has to come from there.
        """
        offered_names = {*self.models, *self.bundles}
        off = {
            name: NOT_OFFERED
            for name in (*generation.MODELS, *alignment.BUNDLES)
            if name not in offered_names
        }
        absent = [name for name in (*self.models, *self.bundles) if not is_here(name)]
        if absent and not in_reach():
            off |= dict.fromkeys(absent, OUT_OF_REACH)
        return replace(self, off=off)


def is_here(name: str) -> bool:
    """Whether every part of a model or bundle is on this machine.

    >>> is_here("stickers"), is_here("embedded"), is_here("embedded+clip=icon-clip")
    (True, True, True)
    """
    own = generation.MODELS.get(name)
    parts = (own,) if own else alignment.find_bundle(name).models
    sources = [each.source for each in parts]
    return all(
        isinstance(each, Path) or "/" not in each or hub.stored_here(each) for each in sources
    )


MADE_AT_ONCE = 288
"""Evaluations of a text-to-image model that a link starts by itself: 36 images of eight steps."""


def evaluations(model: str, steps: int | None, images: int) -> int:
    """How often a text-to-image model is evaluated for some images, in its own steps or others.

    >>> evaluations("icons", None, 36), evaluations("icons", 150, 9)
    (288, 1350)
    """
    spec = generation.find_model(model)
    return images * (steps or spec.steps) * spec.passes


def at_hand(model: str, bundle: str) -> bool:
    """Whether every model of a run is stored on this machine, and small.

    >>> at_hand("stickers", "embedded")
    True
    """
    scoring = alignment.find_bundle(bundle).models
    generates = not model or generation.find_model(model).embedded
    return generates and all(isinstance(each.source, Path) for each in scoring)


def offered(
    models: str, bundles: str, on_a_space: bool = False, run_seconds: float = RUN_SECONDS
) -> Offer:
    """What a page offers.

    Args:
        models: text-to-image models separated by commas; empty for all, or on a Space for those
            of the machine's plan.
        bundles: the same for bundles.
        on_a_space: whether the page runs there.
        run_seconds: for how long a run may have the models.

    >>> offered("stickers, sd-turbo", "embedded")
    Offer(models=('stickers', 'sd-turbo'), bundles=('embedded',))
    """
    everything = _planned(hub.this_machine(), run_seconds) if on_a_space else Offer()
    return replace(
        everything,
        models=tuple(generation.find_model(name).name for name in names_in(models))
        or everything.models,
        bundles=tuple(alignment.find_bundle(name).name for name in names_in(bundles))
        or everything.bundles,
    )


def _planned(machine: hub.Machine, run_seconds: float) -> Offer:
    """What a machine can run, and what takes long there."""
    found = plan(machine, run_seconds)
    return Offer(
        tuple(each.name for each in found.models),
        tuple(each.name for each in found.bundles),
        slow=slow_ones(machine),
    )


def names_in(names: str) -> Iterable[str]:
    """The names of a list with commas.

    >>> list(names_in(" a, b,"))
    ['a', 'b']
    """
    return (name.strip() for name in names.split(",") if name.strip())
