"""What commands say of a request: what its models cannot do, and how far they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress

from request import Request
from session.state import GridState
from ui.render.status import activity
from ui.render.vocabulary import unknown_words, warning_of


def warn_of(request: Request) -> None:
    """Say what the models of a request cannot do with its prompt, where that is known."""
    prompt, of = request.prompt, (request.bundle, request.model)
    if said := warning_of(prompt, unknown_words(prompt, *of), *of):
        print(said, file=sys.stderr)


def last_shown(states: Iterator[GridState]) -> GridState:
    """The last state; all of them are shown on the terminal, elsewhere a line for each stage."""
    console, said = Console(stderr=True), ""
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("")
        for state in states:
            at, doing = state.download or state.stage, activity(state)
            bar.update(task, description=doing, completed=at.done, total=at.total)
            if doing != said and not console.is_terminal:
                print(doing, file=sys.stderr, flush=True)
            said = doing
    return state
