"""Figures of a server for Prometheus: its runs, how they ended, and what it holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from session.limits import Runs


class ServerFigures(Collector):
    """What is counted, read when it is asked for."""

    def __init__(self, runs: Runs, folder: Path) -> None:
        self.runs, self.folder = runs, folder

    def collect(self) -> Iterator[Metric]:
        """Every figure as it is now."""
        yield GaugeMetricFamily("runs", "Runs waiting or at work", len(self.runs.admitted))
        ended = CounterMetricFamily("runs_ended", "Runs that ended, by outcome", labels=["outcome"])
        for outcome, number in sorted(self.runs.ended.items()):
            ended.add_metric([outcome], number)
        yield ended
        for name, help_, value in (
            ("models_seconds", "Seconds for which runs had the models", self.runs.worked),
            ("queue_seconds", "Seconds for which runs waited for them", self.runs.waited),
        ):
            yield CounterMetricFamily(name, help_, value)
        memory = psutil.Process().memory_info().rss
        yield GaugeMetricFamily("resident_memory_bytes", "Memory of the server", memory)
        yield GaugeMetricFamily("files", "Files kept for visitors", count(self.folder))


def registry(runs: Runs, folder: Path) -> CollectorRegistry:
    figures = CollectorRegistry()
    figures.register(ServerFigures(runs, folder))
    return figures


def count(folder: Path) -> int:
    """The files of a folder and its folders."""
    return sum(len(names) for _, _, names in os.walk(folder))
