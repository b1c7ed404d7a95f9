"""How well scores tell true pairs of image and text from false ones: ROC AUC.

A label is 1 where people say that the image shows what the text says, else 0. Winoground's
text, image and group scores are of examples of two images and two captions (T. Thrush et al.,
"Winoground: Probing Vision and Language Models for Visio-Linguistic Compositionality", 2022).
"""

from __future__ import annotations

import warnings
from itertools import permutations

import numpy as np
import numpy.typing as npt
from scipy import stats
from sklearn.metrics import roc_auc_score

from alignment.statistics.intervals import LEVEL, Measured, proportion_interval
from alignment.statistics.ties import tied

RESAMPLES = 1_000
BATCH = 100
"""Resamples in memory at once."""


def roc_auc(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """The chance that a true pair scores above a false one; ties, within 1e-9, count half.

    Args:
        labels: shape (n,), 1 or 0.
        scores: shape (n,), higher is truer.

    Returns:
        In [0, 1]; 0.5 is chance; not a number when all labels are the same.

    Source: J. A. Hanley, B. J. McNeil, "The Meaning and Use of the Area under a ROC Curve", 1982.

    >>> roc_auc([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.85])
    0.75
    """
    truth = np.asarray(labels, dtype=bool)
    if truth.all() or not truth.any():
        return float("nan")
    return float(roc_auc_score(truth, _ranks(scores)))


def measured_auc(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    units: npt.ArrayLike,
    generator: np.random.Generator,
) -> Measured | None:
    """The AUC with its 95 % BCa bootstrap interval, in which whole units are drawn.

    None where all labels are the same.

    Where every true pair scores above every false one, or below, it is Wilson's interval of as many
    successes, or failures, as there are units; where BCa has no answer, as with two units or with
    scores that are all the same, the percentiles of the draws.

    Args:
        labels: shape (n,), 1 or 0.
        scores: shape (n,).
        units: shape (n,), e.g. the prompt of each pair; pairs of one prompt are not independent.

    Source: B. Efron, "Better Bootstrap Confidence Intervals", 1987.
    """
    truth, ranks = np.asarray(labels, dtype=bool), _ranks(scores)
    value = roc_auc(truth, ranks)
    if np.isnan(value):
        return None
    _, members = np.unique(np.asarray(units), return_inverse=True)
    size = int(members.max()) + 1
    if value in (0.0, 1.0) or size < 2:
        return Measured(value, *proportion_interval(round(value * size), size), size)

    def statistic(drawn: npt.NDArray[np.intp]) -> float:
        return _weighted_auc(truth, ranks, np.bincount(drawn, minlength=size)[members])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # draws that cannot differ are seen to below
        found = stats.bootstrap(
            (np.arange(size),),
            statistic,
            n_resamples=RESAMPLES,
            batch=BATCH,
            confidence_level=LEVEL,
            method="BCa",
            rng=generator,
        )
    low, high = map(float, found.confidence_interval)
    if np.isnan(low) or np.isnan(high):
        tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
        low, high = np.quantile(found.bootstrap_distribution, tails).tolist()
    return Measured(value, low, high, size)


def _ranks(scores: npt.ArrayLike) -> npt.NDArray[np.intp]:
    """0 for the lowest score; tied ones share a rank."""
    return np.asarray(np.unique(tied(scores), return_inverse=True)[1])


def _weighted_auc(
    labels: npt.NDArray[np.bool_], ranks: npt.NDArray[np.intp], weights: npt.NDArray[np.intp]
) -> float:
    """The AUC under weights; one half, the value of chance, where all are of one label."""
    true, false = (np.bincount(ranks, weights * each) for each in (labels, ~labels))
    pairs = true.sum() * false.sum()
    return float(true @ (np.cumsum(false) - false / 2) / pairs) if pairs else 0.5


def pair_scores(scores: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Winoground's text, image and group score of each example, shape (n, 3); a tie is wrong.

    Text: each image scores higher with its own caption than with the other; image: each caption
    scores higher with its own image; group: both.

    Args:
        scores: shape (n, 2, 2): example, caption, image; caption i belongs to image i.

    >>> pair_scores([[[0.9, 0.2], [0.3, 0.4]], [[0.9, 0.8], [0.3, 0.4]]]).mean(axis=0).tolist()
    [0.5, 1.0, 0.5]
    """
    each = np.asarray(scores, dtype=float)
    own, other = each[:, [0, 1], [0, 1]], each[:, [1, 0], [0, 1]]
    text = (own > other).all(axis=1)
    image = (own > other[:, ::-1]).all(axis=1)
    return np.stack([text, image, text & image], axis=1)


def chance_pair_scores() -> dict[str, float]:
    """What scores that know nothing reach: exact, over the 24 equally likely orders of four scores.

    >>> chance_pair_scores()
    {'text': 0.25, 'image': 0.25, 'group': 0.16666666666666666}
    """
    orders = np.array(list(permutations(range(4)))).reshape(-1, 2, 2)
    means = pair_scores(orders).mean(axis=0).tolist()
    return dict(zip(("text", "image", "group"), means, strict=True))
