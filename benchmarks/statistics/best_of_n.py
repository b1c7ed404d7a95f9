"""Best of n: what the image that scores best is worth, by how many it is chosen from."""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from alignment.arrays import Floats
from alignment.statistics.ties import tied

LOWEST = np.finfo(float).min
"""In place of no score."""


def best_of_n(scores: npt.ArrayLike, values: npt.ArrayLike) -> Floats:
    """The expected value of the best-scored of n images, for every n, from one grid of N.

    Any n of the N images are as likely as any others. In the order of the scores, the image at rank
    r (1 is the best) is the first of them with chance C(N - r, n - 1) / C(N, n). Images that are
    tied, within 1e-9, are each as likely to be first.

    Args:
        scores: shape (N,), higher is better; minus infinity, or not a number, where there is none.
        values: shape (N,), what an image is worth, such as 1 where it is right.

    Returns:
        Shape (N,), for n = 1 .. N: first the mean of all values, last that of the best-scored.

    >>> best_of_n([0.9, 0.2, 0.5, 0.4], [1, 0, 0, 0]).tolist()
    [0.25, 0.5, 0.75, 1.0]
    >>> best_of_n([0.9, 0.9, 0.5], [1, 0, 0]).round(3).tolist()
    [0.333, 0.5, 0.5]
    """
    finite = np.nan_to_num(np.asarray(scores, dtype=float), nan=LOWEST, neginf=LOWEST)
    _, places = np.unique(tied(finite), return_inverse=True)
    shared = np.bincount(places, np.asarray(values, dtype=float)) / np.bincount(places)
    by_rank = shared[np.sort(places)[::-1]]
    count = len(by_rank)
    chances = [
        [comb(count - rank, n - 1) / comb(count, n) for rank in range(1, count + 1)]
        for n in range(1, count + 1)
    ]
    return np.array(chances) @ by_rank
