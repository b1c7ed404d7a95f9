"""Relevance to target images, and diversity."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats


def relevance_to_targets(images: npt.ArrayLike, targets: npt.ArrayLike) -> Floats:
    """How close each image is to the nearest of the target images.

    f = max(0, cosine). A cosine below 0 counts as 0 and not as a half: unrelated images have a
    cosine near 0 and no relevance.

    Args:
        images: embeddings of length 1, shape (k, d).
        targets: embeddings of length 1, shape (m, d), m >= 1.

    Returns:
        Shape (k,), each in [0, 1].

    >>> relevance_to_targets([[1, 0], [-1, 0]], [[1, 0], [0, 1]]).tolist()
    [1.0, 0.0]
    """
    cosines = np.asarray(images, dtype=float) @ np.asarray(targets, dtype=float).T
    return np.asarray(cosines.clip(0, 1).max(axis=1))


def diversity(cosine: npt.ArrayLike) -> float:
    """Mean of 1 - cosine over all pairs of images, whatever their place and relevance.

    Args:
        cosine: shape (k, k), symmetric, in [-1, 1], k >= 2.

    Returns:
        In [0, 2]; 0 when all images are alike.

    >>> diversity([[1, 0.5, 0], [0.5, 1, 0.25], [0, 0.25, 1]])
    0.75
    """
    c = np.asarray(cosine, dtype=float)
    if len(c) < 2:
        raise ValueError(f"diversity of {len(c)} image; it needs at least 2")
    return float(1 - c[np.triu_indices(len(c), k=1)].mean())
