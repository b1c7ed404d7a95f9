"""How exact and how fast are the expectations of set metrics, beside sampling viewing orders?

For each size of grid: the milliseconds of one exact metric, its distance from the enumeration of
all orders (up to 8 cells), and the orders that sampling would have to draw, and the hours it would
take, to come within 1e-9 (one standard error). Then, labelled as such, a compatibility mode: the
numbers of the code released with the metrics' publication, which orders cells in its own way.

It takes about ten seconds.

For example:

    python -m benchmarks expectation
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import permutations
from typing import Annotated

import numpy as np
import typer

from alignment.set_metrics.expectation import attention_along
from alignment.set_metrics.metrics import ERR, RBP, SetMetric
from alignment.set_metrics.released_code import released_rbp
from alignment.set_metrics.viewing_orders import Floats, Saliency
from alignment.statistics.intervals import Measured
from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.progress import watched

SIZES = (4, 7, 8, 9, 16, 36, 100)
ENUMERATED = 8
ACCURACY = 1e-9
SAMPLES = 2_000

REFERENCE_RELEVANCE = (
    0.7808417081832886,
    0.7563698887825012,
    0.7388613820075989,
    0.7263504862785339,
    0.749413013458252,
    0.7648179531097412,
    0.7904155850410461,
    0.7195844054222107,
)
REFERENCE_SALIENCY = (
    0.00225529,
    0.00182395,
    0.2671824,
    0.2021625,
    0.28705123,
    0.23540027,
    0.00211734,
    0.00200697,
)
REFERENCE_RBP = 0.7573248
"""What the released code reported for these, from 50 sampled orders without a seed."""


def measure(metric: SetMetric, size: int, seed: int) -> Iterator[Number]:
    """Time and error of a metric on a random grid whose weights span four decades.

    Milliseconds of the exact metric; its distance from enumeration, where there are not too many
    orders; the orders to draw for a standard error of 1e-9, and the hours that drawing them takes.
    """
    generator = np.random.default_rng(seed)
    relevance, similarity = generator.uniform(size=size), generator.uniform(size=(size, size))
    weights = 10 ** generator.uniform(0, 4, size=size)
    exact = metric.score(relevance, similarity, weights)
    exact_seconds = _seconds(lambda: metric.score(relevance, similarity, weights), repeats=5)

    def sample() -> Measured:
        model = Saliency(tuple(weights))
        return metric.estimate(model, relevance, similarity, samples=SAMPLES, generator=generator)

    needed = SAMPLES * (sample().standard_error / ACCURACY) ** 2
    hours = _seconds(sample) / SAMPLES * needed / 3600
    about = {"cells": size, "metric": metric.label}
    yield Number("exact, ms", about, 1000 * exact_seconds)
    if size <= ENUMERATED:
        error = abs(exact - _enumerated(metric, relevance, similarity, weights))
        yield Number("error", about, error)
    yield Number("orders for 1e-9", about, needed)
    yield Number("sampling, hours", about, hours)


def _enumerated(metric: SetMetric, relevance: Floats, similarity: Floats, weights: Floats) -> float:
    """The mean over all k! orders, each with its chance."""
    orders = np.array(list(permutations(range(relevance.size))))
    left = np.cumsum(weights[orders][:, ::-1], axis=1)[:, ::-1]
    chances = (weights[orders] / left).prod(axis=1)
    attention = attention_along(orders, metric.continuation(relevance), similarity, metric.novelty)
    return float(chances @ attention @ relevance)


def main(
    seed: Annotated[int, typer.Option(min=0, help="Of the grids and the sampled orders.")] = 7,
) -> None:
    """Print the tables, then one JSON line."""
    metrics = (RBP(), ERR(), RBP(novelty="max"), ERR(novelty="max"), ERR(novelty="product"))
    grids = [(metric, size) for size in SIZES for metric in metrics]
    timings = [n for each in watched(grids, "metrics timed") for n in measure(*each, seed)]
    compatible = released_rbp(
        REFERENCE_RELEVANCE, REFERENCE_SALIENCY, 100_000, np.random.default_rng(seed)
    )
    title = "Exact expectations under the saliency order, weights over four decades"
    table = pivot(title, timings, ["cells", "metric"], "name", lambda each: f"{each.value:.2g}")
    said = _compatibility_sentence(compatible)
    publish("expectation", [table, said], timings, {"compatibility": asdict(compatible)})


def _seconds(work: Callable[[], object], repeats: int = 1) -> float:
    """The fastest of some runs."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _compatibility_sentence(compatible: Measured) -> str:
    error = compatible.standard_error * np.sqrt(compatible.n / 50)
    apart = (REFERENCE_RBP - compatible.value) / error
    return (
        f"Compatibility mode: expected {compatible.value:.4f}, standard error {error:.4f} at 50 "
        f"orders; the released code reported {REFERENCE_RBP:.4f}, {apart:.1f} standard errors away."
    )
