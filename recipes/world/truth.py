"""What is true of a scene: whether a claim holds, true answers, and claims changed in one word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from recipes.world.captions import Description
from recipes.world.scenes import Group, Scene
from recipes.world.things import NUMBERS, OPPOSITE, RELATIONS, SEVERAL, SIZES, World
from recipes.world.worlds import WORLD

TOUCHING = {"in": ("in", "worn"), "wearing": ("worn",)}
"""Relation -> `Scene.touching` where one thing stands so to the other: a cat is in a hat, too."""


def as_asked(claim: Description) -> Description:
    """The claim in the relations that evaluators are asked about: what is on a thing is above it.

    >>> as_asked(Description((Group("cat"), Group("chair")), "on")).relation
    'above'
    """
    return replace(claim, relation="above") if claim.relation == "on" else claim


def holds(claim: Description, kind: str, index: int, scene: Scene) -> bool | None:
    """Whether one claim is true of a scene; None when what it speaks of is not there."""
    if kind == "background":
        return claim.background == scene.background
    said = claim.groups[index]
    there = [group for group in scene.groups if group.name == said.name]
    if kind == "object":
        return bool(there)
    if kind == "phrase":
        seen = sum(group.count for group in there if _looks_so(said, group))
        return seen > 1 if said.count == SEVERAL else seen == said.count
    if not there:
        return None
    if kind == "relation":
        return _related(claim, scene)
    return any(getattr(said, kind) == getattr(group, kind) for group in there)


def _fits(said: Group, there: Group) -> bool:
    several = said.count == SEVERAL and there.count > 1
    return (several or said.count == there.count) and _looks_so(said, there)


def _looks_so(said: Group, there: Group) -> bool:
    return (
        said.colour in ("", there.colour)
        and said.state in ("", there.state)
        and said.size in ("", there.size)
    )


def _related(claim: Description, scene: Scene) -> bool | None:
    first, second = (_place(said, scene) for said in claim.groups[:2])
    if second is None:
        return None
    if claim.relation in TOUCHING:
        lower = first if scene.touching == "worn" else second
        return scene.touching in TOUCHING[claim.relation] and lower == 1 - scene.upper
    where = scene.relation_between(first, second) if first is not None else None
    return where in ("left", "right") if claim.relation == "beside" else where == claim.relation


def _place(said: Group, scene: Scene) -> int | None:
    """Which group of a scene is meant: of several of one name, the one with the looks."""
    named = [i for i, group in enumerate(scene.groups) if group.name == said.name]
    fitting = [i for i in named if _fits(said, scene.groups[i])]
    return next(iter(fitting or named), None)


def entailed(claim: Description, scene: Scene) -> bool:
    """Whether everything a description claims is true of a scene."""
    kinds = [("phrase", index) for index in range(len(claim.groups))]
    kinds += [("relation", 0)] if claim.relation else []
    kinds += [("background", -1)] if claim.background else []
    return all(holds(claim, kind, index, scene) for kind, index in kinds)


def distort(
    rng: np.random.Generator, claim: Description, world: World = WORLD
) -> tuple[Description, str, int]:
    """Change one word of a description; says which kind of claim of which group it was.

    Relations and bindings, the hardest to see, are changed more often than their number asks.

    Kinds: "colour", "object", "count", "state", "size", "relation", "background", and "binding"
    (two groups exchange their colours; the group reported is the first).
    """
    options = _distortions(claim)
    kind, index = options[int(rng.integers(len(options)))]
    if kind == "binding":
        return _bound_otherwise(claim), kind, index
    if kind == "relation":
        return replace(claim, relation=_other_relation(rng, claim.relation)), kind, index
    if kind == "background":
        spoken = [name for name, words in world.backgrounds.items() if words]
        return replace(claim, background=_other(rng, spoken, {claim.background})), kind, index
    groups = list(claim.groups)
    groups[index] = _other_group(rng, claim, kind, index, world)
    return replace(claim, groups=tuple(groups)), kind, index


def _distortions(claim: Description) -> list[tuple[str, int]]:
    found = []
    for index, group in enumerate(claim.groups):
        found.append(("object", index))
        found += [("colour", index)] if group.colour else []
        found += [("state", index)] if group.state else []
        found += [("size", index)] if group.size else []
        found += [("count", index)] if group.count > 1 or index == 0 else []
    colours = {group.colour for group in claim.groups[:2]} - {""}
    names = {group.name for group in claim.groups[:2]}
    found += [("binding", 0)] * 4 if len(colours) == len(names) == 2 else []
    found += [("relation", 0)] * 5 if claim.relation else []
    found += [("background", -1)] if claim.background else []
    return found


def _other(rng: np.random.Generator, options: Sequence[str], but: set[str]) -> str:
    return str(rng.choice([option for option in options if option not in but]))


def _other_group(
    rng: np.random.Generator, claim: Description, kind: str, index: int, world: World
) -> Group:
    """A group of which one thing is said otherwise."""
    group = claim.groups[index]
    if kind == "object":
        return _other_thing(rng, claim, index, world)
    if kind == "count":
        others = [n for n in range(1, world.most + 1) if n != group.count]
        return replace(group, count=int(rng.choice(others)))
    if kind == "colour":
        taken = {each.colour for each in claim.groups if each.name == group.name}
        return replace(group, colour=_other(rng, world.colours, taken))
    if kind == "state":
        return replace(group, state=_other(rng, world.thing(group.name).states, {group.state}))
    return replace(group, size=_other(rng, tuple(SIZES), {group.size}))


def _other_thing(rng: np.random.Generator, claim: Description, index: int, world: World) -> Group:
    """Another thing of which the same can be said."""
    group = claim.groups[index]
    kin = [
        thing.name
        for thing in world.things
        if bool(group.colour) <= thing.recolourable
        and (not group.state or group.state in thing.states or not thing.states)
    ]
    name = _other(rng, kin, {g.name for g in claim.groups})
    state = group.state if group.state in world.thing(name).states else ""
    return replace(group, name=name, state=state)


def _bound_otherwise(claim: Description) -> Description:
    first, second, *others = claim.groups
    swapped = replace(first, colour=second.colour), replace(second, colour=first.colour)
    return replace(claim, groups=(*swapped, *others))


def _other_relation(rng: np.random.Generator, relation: str) -> str:
    if relation == "beside":
        return str(rng.choice(("above", "below")))
    if relation in TOUCHING:  # what touches is also above or below
        return str(rng.choice(("left", "right")))
    if rng.random() < 0.7:
        return OPPOSITE[relation]
    return _other(rng, tuple(RELATIONS), {relation})


def answer(claim: Description, kind: str, index: int, scene: Scene, world: World = WORLD) -> str:
    """What a person who sees the scene would answer to the question about a claim."""
    if kind == "background":
        return next(iter(world.backgrounds[scene.background]), "nowhere")
    said = claim.groups[index]
    there = scene.group(said.name)
    if kind in ("object", "phrase"):
        return _named(claim, index, scene, world)
    if there is None:
        return f"no {said.name}"
    if kind == "count":
        return NUMBERS[there.count]
    if kind == "relation":
        return _whereabouts(claim, scene, world)
    return str(getattr(there, kind))


def _named(claim: Description, index: int, scene: Scene, world: World) -> str:
    others = {group.name for i, group in enumerate(claim.groups) if i != index}
    if scene.group(claim.groups[index].name):
        return claim.groups[index].name
    category = world.thing(claim.groups[index].name).category
    free = [g.name for g in scene.groups if g.name not in others]
    kin = [name for name in free if world.thing(name).category == category]
    return (kin or free or ["nothing"])[0]


def _whereabouts(claim: Description, scene: Scene, world: World) -> str:
    first = claim.groups[0].name
    for other in scene.groups:
        if other.name != first and (relation := scene.relation(first, other.name)):
            thing = world.thing(other.name)
            noun = thing.name if other.count == 1 else thing.plural_name
            return f"{RELATIONS[relation][0]} the {noun}"
    return "in the middle"
