"""A server of its own for benchmarks, and what an event of its page sends."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

ROOT = Path(__file__).resolve().parent.parent
OWN = {"lock", "log"}
"""Files of the server."""


@dataclass(frozen=True)
class Page:
    """A running server."""

    url: str
    folder: Path
    process: psutil.Process
    config: dict[str, Any]

    @property
    def log(self) -> Path:
        """What the server has logged."""
        return self.folder / "log"

    def request(self, **values: Any) -> dict[str, Any]:
        """A click on Generate with these values of the fields of these labels.

        Args:
            values: label in small letters -> value; all others are as the page has them.
        """
        parts = {each["id"]: each["props"] for each in self.config["components"]}
        button = next(each for each, props in parts.items() if props.get("value") == "Generate")
        event = next(
            each
            for each in self.config["dependencies"]
            if each["inputs"] and [button, "click"] in each["targets"]
        )
        fields = [parts[each] for each in event["inputs"]]
        data = [values.get(str(each.get("label")).lower(), each.get("value")) for each in fields]
        return {"data": data, "fn_index": event["id"]}

    def files(self) -> int:
        """Files of visitors: all but those of worked examples, and the lock."""
        kept = {"examples"}
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return sum(not kept & {*path.parts} and path.name not in OWN for path in files)


@contextmanager
def started(keep_seconds: float) -> Iterator[Page]:
    """A server of its own, gone in the end."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = place.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", str(port), "--data", folder, "--keep-hours", str(keep_seconds / 3600)]
        with Path(folder, "log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "app.py", "serve", *options],
                cwd=ROOT,
                env={**os.environ, "HOST": "127.0.0.1"},
                stderr=log,
            )
        try:
            url = f"http://127.0.0.1:{port}"
            yield Page(url, Path(folder), psutil.Process(process.pid), config(url))
        finally:
            process.terminate()
            process.wait(60)


def config(url: str) -> dict[str, Any]:
    """What the page is made of, as soon as it is there."""
    retry = httpx.HTTPTransport(retries=8)  # each waits twice as long as the one before
    with httpx.Client(transport=retry, timeout=300) as client:
        found: dict[str, Any] = client.get(f"{url}/config").raise_for_status().json()
    return found
