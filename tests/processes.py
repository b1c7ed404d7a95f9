"""The page in a process of its own, as `app.py` starts it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.patience import PATIENCE, answers, wait_until

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class PageProcess:
    """A page that is starting, or has started."""

    url: str
    run: subprocess.Popen[bytes]
    output: Path

    @property
    def said(self) -> str:
        """What it has written to its streams so far."""
        return self.output.read_text("utf-8")

    def wait(self) -> None:
        """Wait until the page is there."""
        wait_until(lambda: self.run.poll() is not None or answers(self.url))
        assert self.run.poll() is None, self.said


def free_port() -> int:
    """A port of this machine on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        found: int = place.getsockname()[1]
        return found


@contextmanager
def page_process(output: Path, port: str = "PORT", **environment: str) -> Iterator[PageProcess]:
    """The program, which is gone in the end.

    Args:
        output: the file for what it says.
        port: the variable that names its port.
    """
    number = str(free_port())
    ours = {name: value for name, value in os.environ.items() if name not in {"HOST", "PORT"}}
    command = [sys.executable, "-W", "ignore", "app.py"]
    with output.open("w") as said:
        run = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**ours, **environment, port: number},
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        yield PageProcess(f"http://127.0.0.1:{number}", run, output)
    finally:
        run.terminate()
        run.wait(PATIENCE)
