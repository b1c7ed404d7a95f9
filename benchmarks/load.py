"""Does a server hold under many visitors, some of them abandoned, silent or rude?

A server of its own is started on this machine. Each round, every visitor asks for a grid, from an
address of its own, all at the same moment or spread over some seconds. Of ten visitors six wait for
the result, one leaves in the middle, one never listens, one sends wrong types and one a body that
is too large. It fails where a result is somebody else's, memory grows, the log is long or files are
left after the time for which they are kept.

Thirty visitors and ten rounds take about ten minutes on two processors.

For example:

    python -m benchmarks load --visitors 40 --rounds 5 --size "1 x 1" --over 60
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Annotated, Any
from uuid import uuid4

import httpx
import numpy as np
import typer
from rich.table import Table

from benchmarks.data.numbers import blank_table, publish
from benchmarks.progress import watched
from benchmarks.server import Page, started

KINDS = ("patient",) * 6 + ("leaves", "silent", "wrong types", "too large")
"""What each of ten visitors does."""
TIMES = ("answered", "started", "finished")
REFUSED = {"wrong types": 422, "too large": 413}
MOST_GROWN = 0.03
"""Share by which memory may grow from the second round to the last."""
LARGEST_LOG = 1_000_000
"""Bytes."""
SEED = re.compile(r"seed (\d+)")


@dataclass
class Visit:
    """What became of one visit."""

    kind: str
    seed: int
    """Of the first image that it asks for."""
    answered: float | None = None
    """Seconds until the first answer."""
    started: float | None = None
    """Seconds until the first image or preview."""
    finished: float | None = None
    """Seconds until the result."""
    error: str = ""


@dataclass(frozen=True)
class Round:
    """One round of visits."""

    seconds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Of `TIMES`: the median and the 95th percentile of the visits that came so far."""
    memory: float = 0.0
    """Of the server, in bytes, after the round."""
    files: int = 0
    """Left by visitors, after the round."""
    log: int = 0
    """Bytes of the server's log so far."""
    errors: tuple[str, ...] = ()
    """What went wrong."""


def main(
    visitors: Annotated[int, typer.Option(help="Visitors of a round, 1 to 100.")] = 30,
    rounds: Annotated[int, typer.Option(help="Rounds, one after the other.")] = 10,
    size: Annotated[str, typer.Option(help="Grid that each asks for.")] = "1 x 2",
    keep_seconds: Annotated[float, typer.Option(help="Seconds that files are kept.")] = 300.0,
    over: Annotated[float, typer.Option(help="Seconds over which a round's visitors come.")] = 0.0,
) -> None:
    """Run all rounds, then print the table and the line."""
    with started(keep_seconds) as page:
        done = []
        for number in watched(range(rounds), "rounds"):
            done.append(_one_round(page, number, visitors, size, over))
            print(done[-1], file=sys.stderr, flush=True)
        time.sleep(keep_seconds + 65)  # the sweep looks once a minute
        left = page.files()
    found = {"rounds": [asdict(each) for each in done], "files_after_retention": left}
    publish("load", [table(done)], [], found)
    if faults := [*(error for each in done for error in each.errors), *amiss(done, left)]:
        sys.exit("\n".join(faults))


def _one_round(page: Page, number: int, visitors: int, size: str, over: float) -> Round:
    """All visits of a round, and what is left after it."""
    seeds = range(number * 100_000, number * 100_000 + 100 * visitors, 100)
    visits = [Visit(KINDS[at % len(KINDS)], seed) for at, seed in enumerate(seeds)]
    with ThreadPoolExecutor(visitors) as crowd:
        addresses = [f"127.0.1.{place}" for place in range(1, visitors + 1)]
        arrivals = [over * place / visitors for place in range(visitors)]
        list(crowd.map(partial(_visit, page, size), addresses, visits, arrivals))
    time.sleep(15)  # silent runs end
    waits = {which: [getattr(each, which) for each in visits] for which in TIMES}
    came = {which: [each for each in some if each is not None] for which, some in waits.items()}
    return Round(
        {which: percentiles(some) for which, some in came.items() if some},
        page.process.memory_info().rss,
        page.files(),
        page.log.stat().st_size,
        tuple(f"{each.kind}: {each.error}" for each in visits if each.error),
    )


def percentiles(seconds: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile.

    >>> percentiles([1.0, 2.0, 3.0])
    (2.0, 2.9)
    """
    median, most = np.percentile(seconds, [50, 95]).round(3).tolist()
    return median, most


def _visit(page: Page, size: str, address: str, this: Visit, after: float) -> None:
    """One visit, which begins after some seconds, from its request to whatever end it wants."""
    time.sleep(after)
    prompts = {"wrong types": ["a red apple"], "too large": "x" * 2_000_000}
    prompt = prompts.get(this.kind, "a red apple")
    body = page.request(prompt=prompt, grid=size, seed=this.seed) | {"session_hash": uuid4().hex}
    transport, start = httpx.HTTPTransport(local_address=address), time.perf_counter()
    with httpx.Client(base_url=page.url, transport=transport, timeout=900) as client:
        try:
            answer = _busy_join(client, body)
            this.answered = time.perf_counter() - start
            if answer.status_code != REFUSED.get(this.kind, 200):
                this.error = f"{answer.status_code} {answer.text[:200]}"
            elif this.kind in {"patient", "leaves"}:
                listen(client, this, str(body["session_hash"]), start)
        except httpx.HTTPError as error:
            this.error = repr(error)


def _busy_join(client: httpx.Client, body: dict[str, Any]) -> httpx.Response:
    """Ask; where the server says that it is busy, ask again as a person does."""
    while True:
        answer = client.post("/gradio_api/queue/join", json=body)
        if answer.status_code != 429:
            return answer
        time.sleep(2)


def listen(client: httpx.Client, this: Visit, session: str, start: float) -> None:
    """Hear what the server says, to the end or until an image is there."""
    said = ""
    with client.stream("GET", f"/gradio_api/queue/data?session_hash={session}") as stream:
        for line in stream.iter_lines():
            if this.started is None and "images/" in line:
                this.started = time.perf_counter() - start
                if this.kind == "leaves":
                    return
            if "process_completed" in line:
                this.finished = time.perf_counter() - start
            said += line
    seeds = {int(each) for each in SEED.findall(said)}
    if "images/" not in said or "mistake" in said or not seeds:
        this.error = f"no result: {said[-300:]}"
    elif not seeds <= set(range(this.seed, this.seed + 36)):
        this.error = f"a result of somebody else: seeds {sorted(seeds)} for {this.seed}"


def amiss(done: Sequence[Round], left: int) -> list[str]:
    """What should not be: files left behind, memory over that of the second round, a long log.

    Args:
        done: the rounds.
        left: files of visitors in the end.

    >>> amiss([Round(memory=100), Round(memory=200), Round(memory=207)], left=2)
    ['2 files are left', 'memory has grown by 3.5 % since the second round']
    """
    grown = done[-1].memory / done[1].memory - 1 if len(done) > 2 else 0.0
    return [
        *([f"{left} files are left"] if left else []),
        *(
            [f"memory has grown by {100 * grown:.1f} % since the second round"]
            if grown > MOST_GROWN
            else []
        ),
        *(f"the log has {each.log} bytes" for each in done[-1:] if each.log > LARGEST_LOG),
    ]


def table(done: Sequence[Round]) -> Table:
    """A row for each round."""
    columns = ("first answer, s", "start, s", "result, s", "memory, MB", "files", "errors")
    rows = blank_table("Median / 95th percentile", ["round"], columns)
    for number, each in enumerate(done, 1):
        waits = [" / ".join(f"{s:.1f}" for s in each.seconds.get(which, ())) for which in TIMES]
        memory = f"{each.memory / 1e6:.0f}"
        rows.add_row(str(number), *waits, memory, str(each.files), str(len(each.errors)))
    return rows
