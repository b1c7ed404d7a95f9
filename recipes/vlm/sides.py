"""Where one group of things is from another: images of that, and what is asked of them.

A thing is above two others where it is above both; a model that was only shown single things is
content with one of them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recipes.vlm.examples import TEMPLATES, ExampleWriter, VqaExample
from recipes.world.captions import Description, write_caption
from recipes.world.domains import Domain
from recipes.world.questions import ask
from recipes.world.scenes import Scene
from recipes.world.things import OPPOSITE, RELATIONS
from recipes.world.truth import entailed, holds

WHOLE = "evb"
"""The kinds of questions that are about a whole caption."""
WHERE = 0.7
"""How many of the examples are about where; the others may be about anything that is there."""
TRUE = 0.5
"""How often a place is said as it is, where the image has one."""
PARTLY = 0.6
"""How often it is said as it is between some of the things, where that differs."""


def side_examples(
    rng: np.random.Generator, scene: Scene, domain: Domain, mix: str
) -> list[VqaExample]:
    """What is asked of two groups of things.

    Args:
        rng: of all that is drawn.
        scene: what the image shows.
        domain: whose words are used.
        mix: a letter for each question, as in `ExampleWriter.examples`; of those about where, the
            letters of whole captions ask for entailment, the others for a type-C predicate.
    """
    where = rng.random(len(mix)) < WHERE
    writer = ExampleWriter(domain)
    return [
        where_example(rng, scene, domain, whole=letter in WHOLE)
        if placed
        else writer.examples(rng, scene, letter)[0]
        for letter, placed in zip(mix, where, strict=True)
    ]


def where_example(
    rng: np.random.Generator, scene: Scene, domain: Domain, whole: bool
) -> VqaExample:
    """Whether the one group is there from the other, asked alone or with all that is said."""
    claim = replace(domain.describe(rng, scene), relation=_said(rng, scene))
    claim = _reversed(claim) if rng.random() < 0.5 else claim
    caption = write_caption(rng, claim, domain.world)
    if whole:
        prompt = TEMPLATES.entailment.format(text=caption.text)
        return VqaExample(prompt, "yes" if entailed(claim, scene) else "no")
    span = caption.span("relation", 0)
    question = ask(caption, span, domain.world)
    prompt = TEMPLATES.predicate.format(answer=caption.quote(span), question=question)
    return VqaExample(prompt, "yes" if holds(claim, "relation", 0, scene) else "no")


def _said(rng: np.random.Generator, scene: Scene) -> str:
    """A place to claim of the first group: the true one, one of a part of it, or any other."""
    true = scene.relation_between(0, 1)
    if true and rng.random() < TRUE:
        return true
    partly = sorted(_between_single_things(scene) - {true})
    if partly and rng.random() < PARTLY:
        return str(rng.choice(partly))
    if true and rng.random() < PARTLY:
        return OPPOSITE[true]
    return str(rng.choice([where for where in RELATIONS if where != true]))


def _between_single_things(scene: Scene) -> set[str]:
    """Where any one of the first group is from any one of the second."""
    ones, others = scene.boxes
    alone = (replace(scene, boxes=((one,), (other,))) for one in ones for other in others)
    return {where for each in alone if (where := each.relation_between(0, 1))}


def _reversed(claim: Description) -> Description:
    """The same said of the second group."""
    return replace(claim, groups=claim.groups[::-1], relation=OPPOSITE[claim.relation])
