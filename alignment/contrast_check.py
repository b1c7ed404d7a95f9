"""Contrast check: the scores of the best image under prompts that contradict its own.

A useful score falls when the prompt says something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, cast

from PIL.Image import Image

from alignment.evaluation import scores_of
from alignment.models.loading import Models
from alignment.models.vlm import EncodedImages
from alignment.questions.contradictions import contradictions, learned_contradictions
from alignment.questions.settings import Vq2Settings, default_settings
from alignment.questions.spans import PLACING
from alignment.records import ContrastCheck, GridReport, ScoredCaption
from alignment.scorers import GRID_METHODS

if TYPE_CHECKING:
    from spacy.tokens import Doc

SHOWN = 6
"""How many contradictions are scored, at most."""


def contrast_check(
    report: GridReport,
    images: Sequence[Image | None],
    models: Models,
    settings: Vq2Settings | None = None,
) -> Iterator[ContrastCheck]:
    """The best image under the prompt, then under one contradiction after the other.

    The settings are those of VQ2 that the report was made with; those of the bundle when None.

    Raises:
        AlignmentError: a model cannot be loaded.
    """
    best = report.ranking.order[0]
    scores = {method: report.scores[method][best] for method in GRID_METHODS}
    written = contradicting(report.prompt, models)
    parser = cache(models.parser)  # the prompt is read once
    texts = [each for each in written if stands_in(report.prompt, each, parser)][:SHOWN]
    check = ContrastCheck(best, ScoredCaption(report.prompt, scores), total=len(texts))
    yield check
    vq2 = settings or default_settings(models.bundle.name)
    alone = EncodedImages([cast("Image", images[best])])
    for text in texts:
        found = scores_of(text, alone, GRID_METHODS, models, vq2)
        held = ScoredCaption(text, {method: next(iter(scores)) for method, scores in found})
        check = replace(check, contradictions=(*check.contradictions, held))
        yield check


def stands_in(text: str, change: str, parser: Callable[[str], Doc]) -> bool:
    """Whether a change has one noun of the same number in the place of each noun of a text.

    What it names again ("a cat and a cat"), adds, leaves out or breaks off is no sentence to hold
    an image against: "three dress" for "three cats", "a h house" for "a hat".
    """
    before, after = (
        [
            word
            for word in parser(each)
            if word.pos_ == "NOUN" and word.lower_ not in PLACING  # "to the right of" is no thing
        ]
        for each in (text, change)
    )
    named, again = (Counter(noun.lemma_.casefold() for noun in nouns) for nouns in (before, after))
    numbers, others = ([noun.morph.get("Number") for noun in nouns] for nouns in (before, after))
    return numbers == others and all(count <= max(1, named[name]) for name, count in again.items())


def contradicting(text: str, models: Models) -> tuple[str, ...]:
    """By the model that learned it, where the bundle has one, else by one that is shown how.

    What agrees with the text is rejected by the bundle's inference model, where it has one.
    """
    if models.bundle.contradictor:
        inference = models.inference if models.bundle.inference else None
        return learned_contradictions(text, models.contradictor, inference=inference)
    return contradictions(text, models.language, models.inference)
