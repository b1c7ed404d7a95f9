"""Admission of the run that an event of the page starts, and the log of what became of it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import AbstractContextManager
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any

from gradio.context import LocalContext

from session.comparison import ComparisonState
from session.limits import Runs
from session.run import Run
from session.state import GridState


def admitted(runs: Runs) -> AbstractContextManager[Run]:
    """A run of whoever sent the event that is handled just now.

    Raises:
        RunEnded: it is not admitted.
    """
    request = LocalContext.request.get(None)  # none where it is called from Python
    address = address_of(request.client.host) if request and request.client else ""
    return runs.admit(session(), address, event())


def address_of(host: str) -> str:
    """Whom limits by address count a visitor as: of IPv6 the first 64 bits, which one line has.

    >>> address_of("2001:db8::1"), address_of("::ffff:10.0.0.1"), address_of("testclient")
    ('2001:db8::/64', '10.0.0.1', 'testclient')
    """
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:  # a proxy names visitors as it likes
        return host
    if isinstance(found, IPv4Address):
        return host
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


def event() -> str:
    """The event that is handled just now; "" where it is called from Python."""
    return LocalContext.event_id.get(None) or ""


def session() -> str:
    """The page that sent the event that is handled just now; "" where it is called from Python."""
    request = LocalContext.request.get(None)
    return (request and request.session_hash) or ""


def facts(state: GridState) -> dict[str, Any]:
    """What the log can say of a grid."""
    request = state.request
    timings = state.report.timings if state.report else {}
    stages = {name: round(seconds, 3) for name, seconds in timings.items()}
    grid = f"{request.rows} x {request.columns}"
    return {
        "grid": grid,
        "model": request.model,
        "bundle": request.bundle,
        "stage_seconds": stages,
    }


def comparison_facts(state: ComparisonState) -> dict[str, Any]:
    """What the log can say of a comparison."""
    return {
        "grids": f"{len(state.finished)} of {len(state.places)}",
        "model": ", ".join(dict.fromkeys(each.model for each in state.systems)),
        "bundle": ", ".join(dict.fromkeys(each.bundle for each in state.systems)),
    }


def log_run(summary: Mapping[str, Any]) -> None:
    """Write one line of JSON for a run that ended; no line has a prompt."""
    logging.getLogger("runs").info(json.dumps(summary))
