"""Flags of set metrics that `batch` and `python -m benchmarks preference` share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from alignment.set_metrics.expectation import Novelty
from alignment.set_metrics.viewing_orders import Order
from cli.flags import with_flags


@dataclass(frozen=True)
class MetricSettings:
    """Settings of all set metrics; None leaves each its own."""

    order: Annotated[
        Order | None, typer.Option(help="The viewing order of every set metric, not their own.")
    ] = None
    persistence: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="The chance to look at one more image, 0 to 1."),
    ] = None
    novelty: Annotated[
        Novelty | None,
        typer.Option(help="How an image that resembles an earlier one loses relevance."),
    ] = None


with_metric_flags = with_flags(MetricSettings, "metric_settings")
"""Gives a command the flags in place of its keyword `metric_settings: MetricSettings`."""
