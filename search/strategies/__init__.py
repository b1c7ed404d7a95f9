"""The strategies of a search, a file each: what to try next."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from search.records import Strategy
from search.strategies import neighbours, prune, repair, resample, restate, route

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "route": Strategy(
            route.next_plan, "next seeds where a thing or a number fails, else repairs"
        ),
        "repair": Strategy(repair.next_plan, "what fails is denoised again where it is"),
        "restate": Strategy(restate.next_plan, "the words that fail are said again"),
        "neighbours": Strategy(neighbours.next_plan, "noise near that of the best image"),
        "prune": Strategy(prune.next_plan, "next seeds; hopeless ones are given up half-way"),
        "resample": Strategy(resample.next_plan, "next seeds"),
        "best-of-n": Strategy(resample.next_plan, "next seeds for the whole budget", stops=False),
    }
)
DEFAULT = "route"
