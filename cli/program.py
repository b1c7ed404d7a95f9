"""The typer program: its default command, its errors, what must hold before a command starts."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from session.batch.ledger import BatchError
from session.errors import SERVICE_ERRORS, USER_ERRORS

MISUSED, FAILED = 2, 1
"""Exit codes: what the person who asked can mend, and what only whoever runs this can."""
SERVE, GENERATE = "serve", "generate"
OBJECTS = 100_000
"""How many objects are made before garbage is looked for. Python's own 700 suits programs without
libraries: a million objects that come with them and stay were looked through again and again,
which took more than a second of every command."""


class DefaultCommand(TyperGroup):
    """A group in which a prompt alone generates, and nothing at all serves the page."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command first where no command is named."""
        known = args and args[0] in {*self.commands, *self.get_help_option_names(ctx)}
        parsed: list[str] = super().parse_args(ctx, args if known else [default(args), *args])
        return parsed

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an expected error becomes its sentence and an exit code."""
        try:
            _prepare_environment()
            gc.set_threshold(OBJECTS)
            return super().invoke(ctx)
        except (*USER_ERRORS, *SERVICE_ERRORS, BatchError) as error:
            print(error, file=sys.stderr)
            sys.exit(MISUSED if isinstance(error, USER_ERRORS) else FAILED)


program = typer.Typer(
    cls=DefaultCommand,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="""Which image is right, and why the others are wrong.

    Without a command, a prompt becomes a grid that is scored and ranked (`generate`); without a
    prompt the page is served (`serve`).

    **Examples**

        python app.py "a black apple and a green backpack" --rows 3 --columns 3 --out report/

        python app.py --port 8000
    """,
)


def default(arguments: Sequence[str]) -> str:
    """The command that is meant where none is named; every option takes one value.

    >>> default(["--port", "8000"]), default(["--rows", "2", "a red car"])
    ('serve', 'generate')
    """
    place = 0
    while place < len(arguments):
        if not arguments[place].startswith("--"):
            return GENERATE
        place += 1 if "=" in arguments[place] else 2
    return SERVE


def _prepare_environment() -> None:
    """Quiet and private libraries."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ.setdefault("MPLBACKEND", "agg")  # else Gradio looks for a screen at the first event
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("DIFFUSERS_VERBOSITY", "error")
    os.environ.setdefault("TQDM_DISABLE", "1")
    warnings.filterwarnings("ignore", "`torch.jit.script` is deprecated", FutureWarning)
