"""The command line of all benchmarks: `python -m benchmarks NAME [OPTIONS]`.

A benchmark is a module of this package, or a package with a `command.py`. The function `main` there
is a typer command, and the docstring of the module or package is the help. Only the benchmark that
is asked for is imported.
"""

from __future__ import annotations

import ast
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import typer

from alignment import AlignmentError
from generation import GenerationError
from hub.errors import HubError
from session.batch.ledger import BatchError
from session.errors import DataError

HERE = Path(__file__).parent
SHARED = frozenset({"charts", "options", "progress", "server"})
"""Modules that are no benchmark."""
WIDE = "160"
"""Columns of a table that goes into a file, where nothing says how many there are."""
WORTH_TELLING_S = 1.0
"""Seconds from which a run says how long it took."""
HELP = """Reproduce figures of the papers and measure the models of this project.

Each command prints a table, then one line of JSON in which every number has its signature. See
what one measures, what it needs and examples of its use with `python -m benchmarks NAME --help`.
"""


def main(arguments: Sequence[str]) -> None:
    """Run one benchmark; returns when it succeeds.

    Raises:
        SystemExit: with a sentence for the user when something that was given cannot be used.
    """
    start = time.perf_counter()
    try:
        _application(next(iter(arguments), ""))([*arguments])
    except (DataError, AlignmentError, GenerationError, HubError, BatchError) as error:
        sys.exit(str(error))
    except SystemExit as ended:
        if ended.code:
            raise
    seconds = time.perf_counter() - start
    if seconds > WORTH_TELLING_S:
        print(f"{seconds:.1f} s", file=sys.stderr)


def names() -> list[str]:
    """Every benchmark."""
    packages = {path.parent.name for path in HERE.glob("*/command.py")}
    modules = {path.stem for path in HERE.glob("[!_]*.py")} - SHARED
    return sorted(packages | modules)


def _application(wanted: str) -> typer.Typer:
    app = typer.Typer(
        help=HELP, rich_markup_mode="markdown", add_completion=False, no_args_is_help=True
    )
    app.callback()(_nothing)
    for name in names():
        if name == wanted:
            home = import_module(f"benchmarks.{name}")
            module = import_module(f"{home.__name__}.command") if _is_package(name) else home
            app.command(name, help=home.__doc__)(module.main)
        else:
            app.command(name, help=_question(name))(_nothing)
    return app


def _is_package(name: str) -> bool:
    return (HERE / name).is_dir()


def _nothing() -> None:
    """Stands in for the benchmarks that are not asked for."""


def _question(name: str) -> str:
    """What a benchmark answers: the first paragraph of its docstring."""
    file = HERE / name / "__init__.py" if _is_package(name) else HERE / f"{name}.py"
    told = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(told.split("\n\n")[0].split())


if __name__ == "__main__":
    if not sys.stdout.isatty():
        os.environ.setdefault("COLUMNS", WIDE)
    main(sys.argv[1:])
