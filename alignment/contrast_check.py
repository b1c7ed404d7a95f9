"""Contrast check: the scores of the best image under prompts that contradict its own.

A useful score falls when the prompt says something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from PIL.Image import Image

from alignment.evaluation import read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.questions.contradictions import (
    SEED,
    Contradiction,
    contradictions,
    learned_contradictions,
)
from alignment.questions.negation import SIGNS
from alignment.questions.settings import Vq2Settings, default_settings
from alignment.records import ContrastCheck, GridReport, ImageScore, ScoredCaption
from alignment.scorers import GRID_METHODS, SCORERS, ScoringInput

if TYPE_CHECKING:
    from spacy.language import Language

SHOWN = 6
"""How many contradictions are scored, at most."""


def contrast_check(
    report: GridReport,
    images: Sequence[Image | None],
    models: Models,
    settings: Vq2Settings | None = None,
) -> Iterator[ContrastCheck]:
    """The best picture under the prompt, then under one contradiction after the other.

    Args:
        report: a finished one.
        images: those of the report, by cell; the best one is there.
        models: those of the report.
        settings: of VQ2, those that the report was made with; those of the bundle when None.

    Raises:
        AlignmentError: a model cannot be loaded.
    """
    best = report.ranking.order[0]
    scores = {method: report.scores[method][best] for method in GRID_METHODS}
    written = contradicting(report.prompt, models)
    texts = [each for each in written if not repeats(report.prompt, each.text, models.parser)]
    texts = texts[:SHOWN]
    check = ContrastCheck(best, ScoredCaption(report.prompt, scores), total=len(texts))
    yield check
    vq2 = settings or default_settings(models.bundle.name)
    alone = Pictures([cast("Image", images[best])])
    for each in texts:
        held = ScoredCaption(each.text, _scores_under(each.text, alone, models, vq2))
        check = replace(check, contradictions=(*check.contradictions, held))
        yield check


def repeats(text: str, change: str, parser: Language) -> bool:
    """Whether a change names a thing again, or rules out again, as in "a cat and a cat"."""
    before, after = (
        Counter(
            word.lemma_.casefold()
            for word in parser(each)
            if word.pos_ == "NOUN" or SIGNS.fullmatch(word.text)
        )
        for each in (text, change)
    )
    return any(count > max(1, before[word]) for word, count in after.items())


def contradicting(
    text: str, models: Models, count: int = 8, seed: int = SEED
) -> tuple[Contradiction, ...]:
    """By the model that learned it, where the bundle has one, else by one that is shown how.

    What agrees with the text is rejected by the bundle's inference model, where it has one.
    """
    if models.bundle.contradictor:
        inference = models.inference if models.bundle.inference else None
        return learned_contradictions(text, models.contradictor, count, inference)
    return contradictions(text, models.language, models.inference, count, seed)


def _scores_under(
    text: str, alone: Pictures, models: Models, settings: Vq2Settings
) -> dict[str, ImageScore]:
    """What each method says of one picture under a text."""
    asked = ScoringInput(text, read_prompt(text, models, settings), settings)
    return {
        method: next(iter(SCORERS[method].build(models).score(asked, alone)))
        for method in GRID_METHODS
    }
