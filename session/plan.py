"""What a machine can run, decided from the machine alone.

    machine -> plan: models and bundles, best first, with the seconds that they take there

The page of a Space, the command `plan` and the tables of docs/models.md are read from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import alignment
import generation
from alignment.models.loading import bundle_memory
from alignment.models.revisions import dtype
from generation import memory_on, seconds_per_image
from hub import Machine, of_gpu
from session.limits import Limits

RUN_SECONDS = Limits.seconds_per_run
"""For how long a run may have the models, unless the owner says otherwise."""
QUICK = 60.0
"""Seconds that a visitor may be asked to wait for a grid, and as many again for its scores."""
IMAGES, QUESTIONS = 9, 54
"""Of such a grid."""


@dataclass(frozen=True)
class Planned:
    """A model or a bundle on a machine."""

    name: str
    memory: int
    """Bytes on the device."""
    download: float
    """GB."""
    seconds: float
    """About how long it takes for an image, or for a question about one."""


@dataclass(frozen=True)
class MachinePlan:
    """What a machine can run, best first; the first model and the first bundle fit together."""

    models: tuple[Planned, ...]
    bundles: tuple[Planned, ...]


def plan(machine: Machine, run_seconds: float = RUN_SECONDS) -> MachinePlan:
    """What a machine can run.

    A model is in it where one image is done within `run_seconds`, where it fits into memory beside
    some bundle of the plan, and where everything before it in the plan fits the disk with it; a
    bundle where it fits beside some model. What does not fit together takes turns. On ZeroGPU
    everything in it fits together, as it is loaded before the first visitor comes or never.

    Best is first: what is quick on the machine before what is not, and models of the hub before the
    embedded ones, which are always there. Of what is quick the newer goes before the older, of the
    other models the quicker before the slower; the embedded ones keep their order.
    """
    models = sorted(_models(machine, run_seconds), key=_model_rank)
    bundles = sorted(_bundles(machine, run_seconds), key=_bundle_rank)
    models, bundles = _beside(models, bundles, machine), _beside(bundles, models, machine)
    models, bundles = _first_together(models, bundles, machine)
    if machine.lent:
        bundles = [bundles[0], *(each for each in bundles[1:] if not each.download)]
    return _within(models, bundles, machine)


def _models(machine: Machine, run_seconds: float) -> Iterator[Planned]:
    for spec in generation.MODELS.values():
        seconds = seconds_per_image(spec, machine)
        usable = (machine.token or not spec.gated) and (machine.four_bits or not spec.quantized)
        memory = memory_on(spec, machine.device, machine.bfloat16)
        if usable and seconds <= run_seconds and memory <= machine.memory:
            yield Planned(spec.name, memory, spec.download, seconds)


def _bundles(machine: Machine, run_seconds: float) -> Iterator[Planned]:
    for bundle in alignment.BUNDLES.values():
        memory = bundle_memory(bundle, machine.device, machine.bfloat16)
        answerer = bundle.answerer
        speed = machine.speed(dtype(answerer, machine.device, machine.bfloat16))
        # each pair is asked for yes or no and, as where all fail, freely; an image is read once
        tera = 2 * answerer.question_tera + answerer.image_tera * IMAGES / QUESTIONS
        seconds = tera / speed
        usable = machine.token or not any(each.gated for each in bundle.models)
        if usable and memory <= machine.memory and QUESTIONS * seconds <= run_seconds:
            download = 0.0 if answerer.embedded else bundle.size_gb
            yield Planned(bundle.name, memory, download, seconds)


def _model_rank(each: Planned) -> tuple[bool, bool, int, float]:
    spec, slow = generation.MODELS[each.name], IMAGES * each.seconds > QUICK
    place = [*generation.MODELS].index(each.name) if spec.embedded else each.seconds
    return slow, spec.embedded, 0 if slow else -spec.since, place


def _bundle_rank(each: Planned) -> tuple[bool, bool, int]:
    """The largest of the hub's first, and then the first of the embedded ones."""
    place = [*alignment.BUNDLES].index(each.name)
    better = -place if each.download else place
    return QUESTIONS * each.seconds > QUICK, not each.download, better


def _beside(some: list[Planned], others: Iterable[Planned], machine: Machine) -> list[Planned]:
    """Those that fit into memory beside at least one of the others."""
    least = min(each.memory for each in others)
    return [each for each in some if each.memory + least <= machine.memory]


def _first_together(
    models: list[Planned], bundles: list[Planned], machine: Machine
) -> tuple[list[Planned], list[Planned]]:
    """The same, the best pair that fits together first: of bundles of at most half the machine."""
    half = machine.memory / 2, machine.disk / 2e9
    bundle = next(b for b in bundles if b.memory <= half[0] and b.download <= half[1])
    model = next(each for each in models if each.memory + bundle.memory <= machine.memory)
    if generation.MODELS[model.name].knows:
        bundle = next(each for each in bundles if alignment.BUNDLES[each.name].answerer.knows)
    return _first(model, models), _first(bundle, bundles)


def _first(chosen: Planned, every: list[Planned]) -> list[Planned]:
    return [chosen, *(each for each in every if each != chosen)]


def _within(models: list[Planned], bundles: list[Planned], machine: Machine) -> MachinePlan:
    """Those whose files fit the disk together: the first of both, a second bundle, all others.

    On ZeroGPU they fit into memory together, too.
    """
    kept, sources = set[Planned](), set[object]()
    room, memory = machine.disk / 1e9, machine.memory
    for each in (bundles[0], models[0], *bundles[1:2], *models[1:], *bundles[2:]):
        source = generation.MODELS[each.name].source if each in models else each
        size = 0.0 if source in sources else each.download
        if size <= room and each.memory <= memory:
            kept.add(each)
            sources.add(source)
            room -= size
            memory -= each.memory if machine.lent else 0
    return MachinePlan(
        tuple(each for each in models if each in kept),
        tuple(each for each in bundles if each in kept),
    )


def _gpu(
    name: str, memory: float, *, bfloat16: bool = True, disk: float = 50.0, part: float = 1.0
) -> Machine:
    """A machine of the hub with one GPU, or a part of it, of so many GB that are free."""
    half, single = (part * each for each in of_gpu(name))
    return Machine("cuda", int(memory * 1e9), int(disk * 1e9), half, single, bfloat16)


MACHINES: Mapping[str, Machine] = MappingProxyType(
    {
        "CPU basic, 2 cores, 16 GB": Machine(
            "cpu", 14 * 10**9, 50 * 10**9, half=0.14, single=0.14, bfloat16=False
        ),
        "CPU with bfloat16, 2 cores, 16 GB": Machine(
            "cpu", 14 * 10**9, 50 * 10**9, half=0.4, single=0.14, bfloat16=True
        ),
        "laptop, 8 GB, 4 cores": Machine(
            "cpu", 6 * 10**9, 100 * 10**9, half=0.28, single=0.28, bfloat16=False
        ),
        "T4, 16 GB": _gpu("T4", 15.5, bfloat16=False),
        "L4, 24 GB": _gpu("L4", 23.0, disk=400.0),
        "A10G, 24 GB": _gpu("A10G", 23.0, disk=110.0),
        "ZeroGPU, 48 GB": replace(_gpu("RTX PRO 6000", 47.0, disk=42.0, part=0.5), lent=True),
        "H200, 141 GB": _gpu("H200", 139.0, disk=3000.0),
    }
)
"""The machines of the table in docs/models.md, as nobody has used them yet."""


def borrowed_seconds(model: str | None, images: int, steps: int | None = None) -> int:
    """For how long a job borrows ZeroGPU's GPU: to generate images, where a model is named, and to
    score them.

    >>> borrowed_seconds("flux.2-klein", 9), borrowed_seconds(None, 1)
    (63, 32)
    """
    lent = MACHINES["ZeroGPU, 48 GB"]
    spec = generation.find_model(model).asked(steps, None) if model else None
    return round(30 + images * ((seconds_per_image(spec, lent) if spec else 0.0) + 2))


def slow_ones(machine: Machine) -> dict[str, str]:
    """Of each model that takes more than a minute for a grid there: how long for one image."""
    seconds = {name: seconds_per_image(each, machine) for name, each in generation.MODELS.items()}
    return {name: lasting(each) for name, each in seconds.items() if IMAGES * each > QUICK}


def lasting(seconds: float) -> str:
    """How long something takes, as a person says it; nothing where it is not known.

    >>> lasting(0.04), lasting(8.3), lasting(163.8), lasting(0)
    ('0.1 s', '8 s', '3 min', '')
    """
    if seconds >= 90:
        return f"{seconds / 60:.0f} min"
    if seconds >= 2:
        return f"{seconds:.0f} s"
    return f"{max(seconds, 0.1):.1f} s" if seconds else ""
