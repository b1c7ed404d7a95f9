"""`python -m benchmarks NAME [options]`: the name of a file here and its options come in."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Hand the options over to the `main` of the benchmark with that name."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    if not arguments or arguments[0] not in names:
        sys.exit(f"python -m benchmarks NAME [options]; the names are {', '.join(names)}")
    import_module(f"benchmarks.{arguments[0]}").main(arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
