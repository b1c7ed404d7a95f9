"""Evaluation prompts: what a prompt asks for, and whether an image satisfies it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from benchmarks.stickers.detector import DetectedScene, Sticker
from benchmarks.stickers.geometry import relation

PROMPTS = Path(__file__).parents[2] / "assets" / "benchmarks" / "prompts"
KINDS = ("one", "two", "count", "relation", "typed", "many")
"""One coloured thing, two, several of a kind, one beside another; as people type; several kinds."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class RequestedGroup:
    """Things that a prompt asks for; an empty field asks for nothing."""

    name: str
    count: int
    colour: str = ""
    state: str = ""
    size: str = ""
    at_least: bool = False
    """Whether there may be more of them: "frogs" are two or more."""

    def met(self, there: int) -> bool:
        """Whether so many of it are as many as requested."""
        return there >= self.count if self.at_least else there == self.count


@dataclass(frozen=True)
class EvaluationPrompt:
    """A prompt, and what of it a model of stickers should understand."""

    prompt: str
    kind: str
    """One of `KINDS`."""
    groups: tuple[RequestedGroup, ...]
    relation: str = ""
    """Where the first thing should be from the second."""
    background: str = ""
    unknown: tuple[str, ...] = ()
    """Words that no sticker shows: with them there may be more in the image."""


def read_prompts(limit: int | None = None, split: str = "development") -> list[EvaluationPrompt]:
    """All prompts of a split, at most `limit` of each kind.

    The test split has none as people type them: those are all of development.
    """
    files = {"development": ("held_out.jsonl", "prompts.jsonl"), "test": ("held_out_test.jsonl",)}
    prompts = [line for name in files[split] for line in read_lines(PROMPTS / name)]
    return first_of_each_kind(prompts, limit)


def first_of_each_kind(
    items: Sequence[Item],
    most: int | None,
    kind_of: Callable[[Item], str] = attrgetter("kind"),
    kinds: Sequence[str] = KINDS,
) -> list[Item]:
    """Kind after kind, its first items, at most so many; all of them for None."""
    return [item for kind in kinds for item in [i for i in items if kind_of(i) == kind][:most]]


def read_lines(file: Path) -> Iterator[EvaluationPrompt]:
    """The prompts of one file."""
    for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        yield TypeAdapter(EvaluationPrompt).validate_python({"kind": "typed", **line})


def satisfies(scene: DetectedScene, prompt: EvaluationPrompt) -> bool:
    """Whether an image shows just what a prompt asks for."""
    groups = [_matching(scene, requested) for requested in prompt.groups]
    if not all(r.met(len(found)) for r, found in zip(prompt.groups, groups, strict=True)):
        return False
    if prompt.background not in ("", scene.background):
        return False
    if not prompt.unknown and len(scene.stickers) != sum(map(len, groups)):
        return False
    return not prompt.relation or relation(groups[0], groups[1]) == prompt.relation


def _matching(scene: DetectedScene, requested: RequestedGroup) -> list[Sticker]:
    sizes = {"": (32, 48, 64), "small": (32,), "large": (64,)}[requested.size]
    return [
        sticker
        for sticker in scene.stickers
        if sticker.name == requested.name
        and requested.colour in ("", sticker.colour)
        and requested.state in ("", sticker.state)
        and sticker.size in sizes
    ]
