"""The Commonsense-T2I score of a prompt pair, from its `MatchMatrix`.

Generation k of a pair is right when its first image shows the first description alone and its
second image the second alone:

    fit(I1, D1) + fit(I2, D2) - fit(I1, D2) - fit(I2, D1) = 2

An image that fits both descriptions is taken to show one of them, each with chance 1/2. A
generation with an image that could not be judged is not judged, neither right nor wrong.

Source: Fu et al., "Commonsense-T2I Challenge: Can Text-to-Image Generation Models Understand
Commonsense?", 2024.
"""

from __future__ import annotations

from statistics import fmean

from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix


def generation_scores(matrix: MatchMatrix) -> tuple[float | None, ...]:
    """The chance in [0, 1] that each generation is right; None where a reply was not read.

    Args:
        matrix: as many images of one prompt as of the other, at least one.

    Raises:
        ValueError: there is no generation, or one prompt has more images than the other.
    """
    first, second = matrix.fits
    if not first or len(first) != len(second):
        raise ValueError(
            f"{len(first)} images of the first prompt and {len(second)} of the second; "
            "give as many of one as of the other, at least one"
        )
    return tuple(
        None if None in (*one.fits, *other.fits) else shown(one)[0] * shown(other)[1]
        for one, other in zip(first, second, strict=True)
    )


def expected_score(matrix: MatchMatrix) -> float | None:
    """The score of a pair, averaged over all the ways in which chance may fall.

    It is the mean of `generation_scores` over those that could be judged; None when none could.

    >>> lit, unlit = DescriptionMatch((True, False)), DescriptionMatch((False, True))
    >>> both, mute = DescriptionMatch((True, True)), DescriptionMatch((None, None))
    >>> expected_score(MatchMatrix(((lit, both, mute), (unlit, both, unlit))))
    0.625
    """
    judged = [score for score in generation_scores(matrix) if score is not None]
    return fmean(judged) if judged else None


def shown(fit: DescriptionMatch) -> tuple[float, float]:
    """The chance that an image is taken to show each description.

    >>> [shown(DescriptionMatch((True, second))) for second in (False, True, None)]
    [(1.0, 0.0), (0.5, 0.5), (0.0, 0.0)]
    """
    if None in fit.fits or not any(fit.fits):
        return 0.0, 0.0
    first, second = map(float, map(bool, fit.fits))
    return first / (first + second), second / (first + second)
