"""Grids of images scored against target images by a bundle's CLIP."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from alignment.models.loading import Models
from alignment.models.spec import Bundle, ScoringModel
from alignment.ranking import NEAREST_TARGET
from alignment.set_metrics.deep_saliency import load_saliency
from alignment.set_metrics.saliency import SaliencyMap, saliency_map
from benchmarks.data.grids import Systems
from benchmarks.data.image_grids import score_image_grids
from benchmarks.data.images import ImageStore

SPECTRAL = "spectral"
"""The saliency that needs no trained network."""


def read_image_grids(
    table: pd.DataFrame,
    targets: pd.DataFrame,
    images: Sequence[Path],
    bundle: Bundle,
    saliency: str,
) -> tuple[Systems, str]:
    """The grids, and how signatures name their relevance."""
    clip, store = Models(bundle).clip, ImageStore(*images)
    systems = score_image_grids(table, targets, store.open, clip, _saliency(saliency))
    return systems, f"{NEAREST_TARGET} by {bundle.clip.name}|saliency:{saliency}"


def _saliency(source: str) -> SaliencyMap:
    if source == SPECTRAL:
        return saliency_map
    where = Path(source) if Path(source).is_dir() else source
    return load_saliency(ScoringModel(source, where, "not stated"))
