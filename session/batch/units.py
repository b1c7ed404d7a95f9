"""Units of work: one prompt for one text-to-image model, a grid or a search, with a stable id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from PIL.Image import Image

from alignment import find_bundle
from alignment.questions.settings import default_settings
from generation import InvalidRequestError, find_model, validate_request
from generation.records import PROMPT
from request import Request
from search import DEFAULT, Budget
from search.strategies import check_strategy
from session.errors import DataError
from session.tables import FIRST_ROW, rows
from session.uploads import read_upload


@dataclass(frozen=True)
class Search:
    """How the one image of a unit is looked for, from the seed of its request on."""

    budget: Budget
    strategy: str = DEFAULT

    def __post_init__(self) -> None:
        check_strategy(self.strategy)


@dataclass(frozen=True)
class Unit:
    """One prompt for one text-to-image model: generated, scored and recorded together."""

    request: Request
    targets: tuple[TargetImage, ...] = ()
    """What the prompt should have looked like; images are scored by how close they come, too."""
    search: Search | None = None
    """In place of a grid."""
    system: str = ""
    """What its system is called, which is no part of its id; empty where it has no name."""

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits, the same for the same work on every machine.

        It is made of the request, of how the text-to-image model is called and of the bundle's
        name; new weights under an old name go unseen, and want a folder of their own.
        """
        request, bundle = self.request, find_bundle(self.request.bundle)
        pipeline = find_model(request.model).asked(request.steps, request.guidance)
        grid = asdict(request.grid)
        for later, usual in (("completion", False), ("wording", PROMPT)):  # old runs keep their ids
            if grid[later] == usual:
                del grid[later]
        work = {
            **grid,
            "steps": pipeline.steps,
            "guidance": pipeline.guidance,
            "size": pipeline.size,
            "call": dict(pipeline.call),
            "bundle": bundle.name,
        }
        if request.vq2 and request.vq2 != default_settings(bundle.name):
            work["vq2"] = str(request.vq2.signature)
        if self.targets:
            work["targets"] = [target.sha256 for target in self.targets]
        own = _short_hash(json.dumps(work, sort_keys=True))
        if self.search is None:
            return own
        return _short_hash(json.dumps([own, asdict(self.search.budget), self.search.strategy]))


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


Taken = TypeVar("Taken")


@dataclass(frozen=True)
class Shard:
    """Every `of`-th unit, from the one at `place` on."""

    place: int = 0
    """0 .. of - 1."""
    of: int = 1

    def __str__(self) -> str:
        return f"{self.place + 1}-of-{self.of}"

    def take(self, units: Sequence[Taken]) -> Sequence[Taken]:
        """The units of this shard."""
        return units[self.place :: self.of]

    def split(self, rank: int, ranks: int) -> Shard:
        """The part of this shard that one of several processes does.

        >>> Shard(1, 2).split(2, 3)
        Shard(place=5, of=6)
        """
        return Shard(self.place + self.of * rank, self.of * ranks)


def plan(
    prompts: Iterable[str],
    systems: Iterable[tuple[str, Request]],
    grids: int = 1,
    targets: Mapping[str, tuple[TargetImage, ...]] = MappingProxyType({}),
    search: Search | None = None,
) -> tuple[Unit, ...]:
    """All the work, text-to-image model by text-to-image model, so that each is loaded once; what
    comes twice is done once.

    Args:
        systems: in order, each with what it is called and all of a request but the prompt.
        grids: of each prompt and text-to-image model; each goes on from the seeds of the last.
        targets: prompt -> its target images.
        search: for one image of each prompt, in place of grids.

    Raises:
        InvalidRequestError: see `validate_request`; or two names are given to one system.
    """
    prompts = tuple(prompts)
    requests = [
        (name, replace(request, rows=1, columns=1) if search else request)
        for name, request in systems
    ]
    units = [
        Unit(
            replace(request, prompt=prompt, seed=request.seed + grid * request.size),
            targets.get(prompt, ()),
            search,
            name,
        )
        for name, request in requests
        for prompt in prompts
        for grid in range(grids)
    ]
    known: dict[str, Unit] = {}
    for unit in units:
        validate_request(unit.request)
        same = known.setdefault(unit.id, unit)
        if same.system != unit.system:
            raise InvalidRequestError(
                f"{same.system!r} and {unit.system!r} are one system; change a setting"
            )
    return tuple(known.values())


@dataclass(frozen=True)
class TargetImage:
    """An image file, and what was in it when the batch was planned."""

    file: Path
    sha256: str

    def load(self) -> Image:
        return read_upload(self.file, side=None)


def read_targets(source: Path, prompts: Sequence[str]) -> Mapping[str, tuple[TargetImage, ...]]:
    """Prompt -> its target images, one or more.

    Args:
        source: a folder with one image for each prompt, by name in the order of the prompts; or a
            CSV file of prompt and image, a path from where the file is.
        prompts: each needs a target.

    Raises:
        DataError: there is no such file, a row of it is too short, or a prompt has no target.
        UnusableFileError: a target is no image.
    """
    pairs = _of_folder(source, prompts) if source.is_dir() else _of_table(source)
    files: dict[str, list[Path]] = {prompt: [] for prompt in prompts}
    for prompt, file in pairs:
        files.get(prompt, []).append(file)
    missing = [prompt for prompt in files if not files[prompt]]
    if missing:
        raise DataError(
            f"{source.name}: no target for {missing[0]!r} ({len(missing)} prompts have none)"
        )
    return {prompt: tuple(map(_target, each)) for prompt, each in files.items()}


def _of_folder(folder: Path, prompts: Sequence[str]) -> list[tuple[str, Path]]:
    files = sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    if len(files) != len(prompts):
        raise DataError(
            f"{folder} has {len(files)} files for {len(prompts)} prompts; give one image for each, "
            "by name in the order of the prompts, or a CSV file of prompt and image"
        )
    return [*zip(prompts, files, strict=True)]


def _of_table(table: Path) -> list[tuple[str, Path]]:
    found = rows(table, "prompt", "image")
    for number, row in enumerate(found, start=FIRST_ROW):
        if not row["image"].strip():
            raise DataError(f"{table.name}, row {number} has no image; give the path of a file")
    return [(row["prompt"].strip(), table.parent / row["image"]) for row in found]


def _target(file: Path) -> TargetImage:
    read_upload(file, side=None)
    return TargetImage(file.resolve(), hashlib.sha256(file.read_bytes()).hexdigest())
