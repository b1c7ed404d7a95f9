"""How much longer does the page take for a grid than the models do?

The same grid, of other seeds each time, is made and scored in three ways by turns: by the job
alone, in this process; by a server of its own, asked as the page asks it, which is what a visitor
with a machine of their own waits for; and in a browser on this machine, which draws the page on the
processors that the models want. Printed are the median seconds of each and its ratio to the job
alone, with the lowest and the highest ratio of a turn, and what each stage of the job took in its
last turn.

The browser is left out where Playwright or Chromium is not installed.

For example:

    python -m benchmarks page --turns 9
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated
from uuid import uuid4

import httpx
import typer

from benchmarks.data.numbers import Number, pivot, publish
from benchmarks.load import Visit, listen
from benchmarks.progress import watched
from benchmarks.server import Page, started
from generation import find_model
from request import Request
from session.jobs import generate_and_score
from session.state import GridState
from session.storage import ReportFolder

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PROMPT = "a black apple and a green backpack"
JOB = "the job alone"
ENDED = """() => { window.ended = new Promise((resolve, reject) => {
  setTimeout(() => reject("no run has ended for a quarter of an hour"), 900_000);
  let under_way = false;
  const watcher = new MutationObserver(() => {
    const over = / in \\d+\\.\\d s/.test(document.querySelector(".status")?.textContent ?? "");
    under_way ||= !over;
    if (under_way && over) { watcher.disconnect(); resolve(); }
  });
  watcher.observe(document.querySelector(".part-status"), { childList: true, subtree: true });
}); }"""
"""Has the page tell when the next run has ended, without being asked again and again meanwhile."""

Way = Callable[[int], object]
"""Makes the grid whose first seed is given."""


def main(
    prompt: Annotated[str, typer.Option(help="What the grid shows.")] = PROMPT,
    side: Annotated[int, typer.Option(min=1, max=6, help="Rows and columns.")] = 3,
    turns: Annotated[int, typer.Option(min=1, help="Turns of the three ways.")] = 9,
) -> None:
    """Take turns, then print the table and the line."""
    stages: list[Mapping[str, float]] = []
    with started(keep_seconds=3600) as page, in_browser(page, prompt, side) as browser:
        ways = {
            JOB: lambda seed: stages.append(job(prompt, side, seed)),
            "asked over the network": lambda seed: asked(page, prompt, side, seed),
            **browser,
        }
        seconds = by_turns(ways, turns)
    numbers = [*measured(seconds)]
    parts = [Number("seconds", {"stage": stage}, taken) for stage, taken in stages[-1].items()]
    title = f"A warm {side} x {side} grid, with the range of turns"
    tables = [
        pivot(title, numbers, ["way"], "name"),
        pivot("The stages of the last turn of the job alone", parts, ["stage"], "name"),
    ]
    publish("page", tables, [*numbers, *parts], {"side": side, "seconds": seconds})


def by_turns(ways: Mapping[str, Way], turns: int) -> dict[str, list[float]]:
    """Seconds of each way, turn by turn; a first turn, in which models load, does not count."""
    seeds = count(1000, 100)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in watched(range(turns + 1), "turns"):
        for name, way in ways.items():
            start = time.perf_counter()
            way(next(seeds))
            if turn:
                seconds[name].append(time.perf_counter() - start)
            time.sleep(1)
    return seconds


def job(prompt: str, side: int, seed: int) -> Mapping[str, float]:
    """Seconds of each stage of the grid as the command line makes it, whose files nobody keeps."""
    completion = find_model(Request.model).completes()
    request = Request(prompt, side, side, seed, completion=completion)
    with TemporaryDirectory() as folder:
        *_, last = generate_and_score(GridState(request), ReportFolder(Path(folder)))
    return last.report.timings if last.report else {}


def asked(page: Page, prompt: str, side: int, seed: int) -> None:
    """The grid as a visitor's page asks for it, to the last word of the answer."""
    body = page.request(prompt=prompt, grid=f"{side} x {side}", seed=seed)
    this = Visit("patient", seed)
    with httpx.Client(base_url=page.url, timeout=900) as client:
        session = uuid4().hex
        client.post("/gradio_api/queue/join", json=body | {"session_hash": session})
        listen(client, this, session, time.perf_counter())
    if this.error:
        raise SystemExit(this.error)


@contextmanager
def in_browser(page: Page, prompt: str, side: int) -> Iterator[dict[str, Way]]:
    """The way of a click on Generate, until the page says "done"; none without one."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None or find_spec("playwright") is None:
        yield {}
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1440, "height": 1000})
        tab.goto(page.url)
        tab.wait_for_selector(".grid-verdict")
        tab.get_by_label("Prompt", exact=True).first.fill(prompt)
        tab.locator(".part-more button").first.click()  # grid and seed are folded up
        grid = tab.get_by_label("grid", exact=True).first
        grid.fill(f"{side} x {side}")
        grid.press("Enter")

        def click(seed: int) -> None:
            tab.get_by_label("seed", exact=True).first.fill(str(seed))
            tab.evaluate(ENDED)
            tab.locator("button.primary:visible").first.click()
            tab.evaluate("window.ended")

        yield {"in a browser on this machine": click}
        browser.close()


def measured(seconds: Mapping[str, Sequence[float]]) -> Iterator[Number]:
    """The median seconds of each way, and how many times as long as the job alone that is, with
    the range over the turns.

    >>> ways = {JOB: [1.0, 1.5, 2.0], "asked": [1.5, 3.0, 2.0]}
    >>> *_, times = measured(ways)
    >>> round(times.value, 2), times.low, times.high
    (1.33, 1.0, 2.0)
    """
    for way, taken in seconds.items():
        about = {"way": way, "turns": len(taken)}
        each = [one / other for one, other in zip(taken, seconds[JOB], strict=True)]
        yield Number("median, s", about, median(taken))
        times = median(taken) / median(seconds[JOB])
        yield Number("times the job alone", about, times, min(each), max(each))
