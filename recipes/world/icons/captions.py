"""What captions of the icon world say of a scene, and what they leave open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recipes.world.captions import Description
from recipes.world.icons.classes import IconClass, class_named
from recipes.world.icons.scenes import ICON_WORLD
from recipes.world.icons.splits import split_of
from recipes.world.scenes import Group, Scene

UNNAMED = 0.35
"""How often a colour goes unsaid that the class has when nobody asks for one."""
UNNAMED_OTHERWISE = 0.2
"""How often any colour goes unsaid, of a class that training never shows in its natural one."""


def describe_icons(rng: np.random.Generator, scene: Scene) -> Description:
    """Choose what to say of a scene.

    Colours go unsaid only where they are natural, so that "a carrot" is as carrots are; those that
    tell two things of one class apart are always said.
    """
    names = [group.name for group in scene.groups]
    groups = tuple(_say(rng, group, names.count(group.name) > 1) for group in scene.groups)
    relation = scene.where or "" if rng.random() < 0.6 else ""
    spoken = bool(ICON_WORLD.backgrounds[scene.background])
    background = scene.background if spoken and rng.random() < 0.6 else ""
    return Description(groups, relation, background)


def _say(rng: np.random.Generator, group: Group, twin: bool) -> Group:
    thing = class_named(group.name)
    colour = "" if not twin and rng.random() < _unnamed(thing, group) else group.colour
    state = group.state if rng.random() < 0.9 else ""
    size = group.size if rng.random() < 0.4 else ""
    return replace(group, colour=colour, state=state, size=size)


def _unnamed(thing: IconClass, group: Group) -> float:
    if group.colour == thing.natural:
        return UNNAMED
    hidden = thing.natural and split_of(("colour", thing.name, thing.natural)) != "train"
    return UNNAMED_OTHERWISE if hidden else 0.0
