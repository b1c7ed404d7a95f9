"""The mean of VQ2 and VNLI, the best row of the paper.

score = (VQ2 + VNLI) / 2

Source: Yarom et al., "What You See is What You Read?", table 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alignment.models.vlm import EncodedImages
from alignment.records import ImageScore
from alignment.scorers.scorer import Scorer, ScoringInput
from alignment.signature import Signature

METHOD = "mean"


@dataclass(frozen=True)
class Mean:
    """Asks each method, and averages their scores."""

    parts: tuple[Scorer, ...]
    """The evidence and the coverage of the first become those of the mean."""

    def score(self, asked: ScoringInput, images: EncodedImages) -> Iterator[ImageScore]:
        """One score in [0, 1] per image; None where one of the methods has none."""
        for scores in zip(*(part.score(asked, images) for part in self.parts), strict=True):
            yield averaged(scores)


def averaged(scores: Sequence[ImageScore]) -> ImageScore:
    """The mean of the scores of one image by several methods."""
    first, value = scores[0], mean([score.value for score in scores])
    parts = "+".join(str(score.signature).replace("|", ",") for score in scores)
    return ImageScore(
        METHOD,
        value,
        reason="; ".join(dict.fromkeys(score.reason for score in scores if score.reason)),
        evidence=first.evidence,
        note="; ".join(dict.fromkeys(score.note for score in scores if score.note)),
        signature=None if value is None else Signature("mean").having(of=parts),
        unscored=first.unscored,
        coverage=first.coverage,
    )


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of the values; None when one of them is missing.

    >>> mean([0.25, 0.75]), mean([0.25, None])
    (0.5, None)
    """
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None
