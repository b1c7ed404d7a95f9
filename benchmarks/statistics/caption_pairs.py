"""Winoground's text, image and group scores of examples of two pictures and two captions.

Source: T. Thrush et al., "Winoground: Probing Vision and Language Models for Visio-Linguistic
Compositionality", 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class PairScores:
    """Parts of the examples that are right, each in [0, 1]."""

    text: float
    """Each picture scores higher with its own caption than with the other."""
    image: float
    """Each caption scores higher with its own picture than with the other."""
    group: float
    """Both."""


def pair_scores(scores: npt.ArrayLike) -> PairScores:
    """Winoground's three scores; all comparisons are strict, a tie is wrong.

    Args:
        scores: shape (n, 2, 2): example, caption, picture; caption i belongs to picture i.

    Raises:
        ValueError: the shape is another, or there is no example.

    >>> pair_scores([[[0.9, 0.2], [0.3, 0.4]], [[0.9, 0.8], [0.3, 0.4]]])
    PairScores(text=0.5, image=1.0, group=0.5)
    """
    each = np.asarray(scores, dtype=float)
    if each.ndim != 3 or each.shape[1:] != (2, 2) or not len(each):
        raise ValueError(f"scores have shape {each.shape}; give examples x 2 captions x 2 pictures")
    own, other = each[:, [0, 1], [0, 1]], each[:, [1, 0], [0, 1]]
    text = (own > other).all(axis=1)
    image = (own > other[:, ::-1]).all(axis=1)
    return PairScores(float(text.mean()), float(image.mean()), float((text & image).mean()))


def chance_pair_scores() -> PairScores:
    """What scores that know nothing reach: exact, over the 24 equally likely orders of four scores.

    >>> chance_pair_scores()
    PairScores(text=0.25, image=0.25, group=0.16666666666666666)
    """
    return pair_scores(np.array(list(permutations(range(4)))).reshape(-1, 2, 2))
