"""Grids of images scored against target images by a bundle's CLIP."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from alignment.models.loading import Models
from alignment.models.revisions import identity
from alignment.models.spec import Bundle
from alignment.ranking import NEAREST_TARGET
from alignment.set_metrics.deep_saliency import find_saliency
from alignment.set_metrics.grid import MetricInputs
from benchmarks.data.image_grids import score_image_grids
from benchmarks.data.images import ImageStore
from session.systems.grids import Systems


def read_image_grids(
    table: pd.DataFrame,
    targets: pd.DataFrame,
    images: Sequence[Path],
    bundle: Bundle,
    saliency: str,
) -> tuple[Systems, MetricInputs]:
    """The grids, and where their numbers come from."""
    clip, store = Models(bundle).clip, ImageStore(*images)
    systems = score_image_grids(table, targets, store.open, clip, find_saliency(saliency))
    name = identity(bundle.clip)
    return systems, MetricInputs(
        NEAREST_TARGET, name, bundle.name, saliency=saliency, similarity=name
    )
