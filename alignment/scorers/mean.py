"""The mean of VQ2 and VNLI, the best row of the paper.

score = (VQ2 + VNLI) / 2

Source: Yarom et al., "What You See is What You Read?", table 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alignment.models.vlm import Pictures
from alignment.ranking import mean
from alignment.records import ImageScore
from alignment.scorers.scorer import Scorer, ScoringInput

METHOD = "mean"


@dataclass(frozen=True)
class Mean:
    """Asks each method, and averages what they say."""

    parts: tuple[Scorer, ...]
    """The evidence of the first becomes that of the mean."""

    def score(self, asked: ScoringInput, pictures: Pictures) -> Iterator[ImageScore]:
        """One score in [0, 1] per picture; None where one of the methods could not judge."""
        for scores in zip(*(part.score(asked, pictures) for part in self.parts), strict=True):
            yield averaged(scores)


def averaged(scores: Sequence[ImageScore]) -> ImageScore:
    """The mean of what several methods say of one picture."""
    return ImageScore(
        METHOD,
        mean([score.value for score in scores]),
        reason="; ".join(dict.fromkeys(score.reason for score in scores if score.reason)),
        evidence=scores[0].evidence,
        note="; ".join(dict.fromkeys(score.note for score in scores if score.note)),
        signature=f"mean({', '.join(score.signature for score in scores)})",
    )
