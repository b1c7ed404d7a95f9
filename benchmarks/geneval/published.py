"""GenEval's published figures, each with its source.

They are of photographs, read by Mask2Former and CLIP, so that ours stand beside them and not among
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.geneval.protocol import PARTS


@dataclass(frozen=True)
class PublishedRow:
    """What a paper prints of a model."""

    model: str
    overall: float
    parts: Mapping[str, float]
    """Empty where the source gives the overall figure alone."""
    source: str


def _parts(*values: float) -> Mapping[str, float]:
    return dict(zip(PARTS, values, strict=True))


PUBLISHED = (
    PublishedRow(
        "Stable Diffusion 1.5",
        0.43,
        _parts(0.97, 0.38, 0.35, 0.76, 0.04, 0.06),
        "Ghosh et al., 2023, arXiv 2310.11513",
    ),
    PublishedRow(
        "SDXL",
        0.55,
        _parts(0.98, 0.74, 0.39, 0.85, 0.15, 0.23),
        "Ghosh et al., 2023, arXiv 2310.11513",
    ),
    PublishedRow(
        "Stable Diffusion 3.5 large", 0.71, {}, "Xie et al., SANA 1.5, 2025, arXiv 2501.18427"
    ),
    PublishedRow(
        "SANA 1.5 with search by VILA-Judge",
        0.96,
        {},
        "Xie et al., SANA 1.5, 2025, arXiv 2501.18427",
    ),
)
