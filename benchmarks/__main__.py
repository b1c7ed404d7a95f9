"""`python -m benchmarks NAME [options]`: the name of a benchmark here, and its options, come in."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

from alignment import AlignmentError
from benchmarks.data.errors import DataError
from generation import GenerationError
from session.batch.errors import BatchError

HERE = Path(__file__).parent
WIDE = "160"
"""Columns of a table that goes into a file, where nothing says how many there are."""


def main(arguments: list[str]) -> None:
    """Hand the options over to the `main` of the benchmark with that name.

    A benchmark is a file, or a folder with a `command.py`.
    """
    folders = [path.parent for path in HERE.glob("*/command.py")]
    names = sorted(path.stem for path in (*HERE.glob("[!_]*.py"), *folders))
    if not arguments or arguments[0] not in names:
        sys.exit(f"python -m benchmarks NAME [options]; the names are {', '.join(names)}")
    try:
        import_module(f"benchmarks.{arguments[0]}").main(arguments[1:])
    except (DataError, AlignmentError, GenerationError, BatchError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    if not sys.stdout.isatty():
        os.environ.setdefault("COLUMNS", WIDE)
    main(sys.argv[1:])
