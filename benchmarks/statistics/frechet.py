"""Frechet distance of two sets of features: FID, where they are those of Inception."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def frechet_distance(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """The distance of the two normal distributions with these means and covariances, >= 0.

    |m1 - m2|^2 + trace(C1 + C2 - 2 (C1 C2)^(1/2)); large for few images, whatever they show.

    Args:
        first: features, shape (images, width), two images at least.
        second: those of the other set.

    Source: M. Heusel et al., "GANs Trained by a Two Time-Scale Update Rule", 2017.

    >>> frechet_distance([[0.0], [2.0]], [[3.0], [5.0]])
    9.0
    """
    one, other = (np.asarray(each, dtype=float) for each in (first, second))
    covariances = [np.atleast_2d(np.cov(each, rowvar=False)) for each in (one, other)]
    roots = np.sqrt(np.linalg.eigvals(covariances[0] @ covariances[1]).astype(complex)).real
    apart = np.square(one.mean(axis=0) - other.mean(axis=0)).sum()
    spread = sum(float(np.trace(each)) for each in covariances)
    return max(0.0, float(apart + spread - 2 * roots.sum()))
