"""Which images of a grid are right, as far as that can be told."""

from __future__ import annotations

from collections.abc import Iterable

from alignment.abstention import verdict
from alignment.records import AS_LIKELY_AS_NOT, GridReport, ImageScore

METHOD = "vq2"
"""The method whose chances and evidence say which images are right."""


def judgements(report: GridReport) -> tuple[bool | None, ...]:
    """By cell, whether an image is right; None where that cannot be told.

    An image of which a claim fails is wrong whatever else is unknown; it is right only where every
    content word of the prompt was judged.
    """
    return tuple(
        None if right and not complete(score) else right
        for score, right in zip(report.scores.get(METHOD, ()), satisfied(report), strict=True)
    )


def satisfied(report: GridReport) -> tuple[bool | None, ...]:
    """By cell, whether an image shows all that could be judged; None where that cannot be told.

    An image is right when its calibrated chance by VQ2 is at least one half, and wrong when it is
    less; where the larger of the chance and its complement is under the threshold of the
    calibration (see `alignment.abstention`) it cannot be told. Where VQ2 is not calibrated, an
    image is right when every answer about it holds. A report that names no threshold has one by
    which every image with a chance is right or wrong. Of an image without a score nothing can be
    told either.
    """
    scores = report.scores.get(METHOD, ())
    chances = report.relevance.get(METHOD)
    threshold = report.thresholds.get(METHOD, AS_LIKELY_AS_NOT)
    if chances is None:
        return tuple(shows_all_judged(score, None, threshold) for score in scores)
    return tuple(None if chance is None else verdict(chance, threshold) for chance in chances)


def shows_all_judged(score: ImageScore, chance: float | None, threshold: float) -> bool | None:
    """Whether one image shows all that could be judged; None where that cannot be told.

    The chance is that of its score, None where there is no score or calibration.
    """
    if chance is None:
        return None if score.value is None else not score.failing
    return verdict(chance, threshold)


def in_part(scores: Iterable[ImageScore]) -> bool:
    """Whether some image has a score that does not speak about every word of its prompt."""
    return any(score.value is not None and not complete(score) for score in scores)


def complete(score: ImageScore) -> bool:
    """Whether a score speaks about every content word of its prompt, as far as is known."""
    return not (score.coverage and score.coverage.uncovered)
