"""`find`: attempts at a prompt until one image is right, or the budget is spent."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from cli.flags import with_request
from cli.progress import warn_of
from generation import InvalidRequestError
from request.parameters import Asked
from search import DEFAULT, STRATEGIES, Attempt, Budget, best_of
from session.png_text import png_text
from session.search_jobs import find_right
from ui.render.search import result, step
from ui.render.words import listed, percent

NAMES = ("prompt", "seed", "model", "completion", "wording", "steps", "guidance", "bundle")


@with_request(*NAMES, completion="auto")
def find(
    *,
    asked: Asked,
    budget: Annotated[
        str,
        typer.Option(
            help="What the search may cost: seconds, evaluations of the text-to-image model or "
            'questions, e.g. `60s`, "128 evaluations", or both with a comma.'
        ),
    ] = "60s",
    strategy: Annotated[
        str,
        typer.Option(help="; ".join(f"`{name}`: {each.help}" for name, each in STRATEGIES.items())),
    ] = DEFAULT,
    at_least: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="The calibrated chance from which an image is right; none reaches 1.",
        ),
    ] = 0.0,
    out: Annotated[Path, typer.Option(help="Where the best image goes, a PNG.")] = Path(
        "found.png"
    ),
) -> None:
    """Find one image that shows everything that a prompt asks for.

    What fails in an image says what is tried next, until all holds that can be judged or the budget
    is spent. The exit code is 1 where no image is right, or a word of the prompt was not judged;
    the best one is saved all the same.

    **Example**

        python app.py find "a blue star and two owls" --budget "128 evaluations"
    """
    attempts: list[Attempt] = []
    request = asked()
    with _writing(out):
        _require_writable(out)
    warn_of(request)
    for attempt in find_right(request, Budget.parse(budget), strategy, at_least):
        attempts.append(attempt)
        print(line_of(attempt), flush=True)
    best = best_of(attempts)
    with _writing(out):
        best.image.save(out, "PNG", pnginfo=best.settings and png_text(best.settings))
    print(f"{ending(attempts)}: {out}\n{cost(attempts)}")
    sys.exit(not best.right)


def line_of(attempt: Attempt) -> str:
    """What was tried, and what came of it, e.g. "3. near 2: every answer holds"."""
    chance = "" if attempt.chance is None else f"; right with a chance of {percent(attempt.chance)}"
    return f"{attempt.number + 1}. {step(attempt)}: {result(attempt)}{chance}"


def ending(attempts: list[Attempt]) -> str:
    """How a search ended."""
    best = best_of(attempts)
    unjudged = [f'"{word.text}"' for word in best.table.unjudged]
    which, whole = f"Attempt {best.number + 1} of {len(attempts)}", "everything"
    if unjudged:
        whole = f"all that could be judged (not judged: {listed(unjudged)})"
    shows = {True: "shows", None: "may show", False: "comes nearest, but does not show"}
    return f"{which} {shows[best.holds]} {whole}"


def cost(attempts: list[Attempt]) -> str:
    """What a search cost."""
    spent = attempts[-1].spent
    return (
        f"{spent.evaluations} evaluations of the text-to-image model, {spent.questions} questions, "
        f"{spent.seconds:.1f} seconds, {spent.judging:.1f} of them judging"
    )


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """While it lasts a file that cannot be written is said in a sentence."""
    try:
        yield
    except OSError as error:
        raise InvalidRequestError(
            f"{out} cannot be written: {error.strerror}; choose another with --out"
        ) from error


def _require_writable(out: Path) -> None:
    """Before anything is made, which would be lost; what was there stays, and nothing else."""
    out.parent.mkdir(parents=True, exist_ok=True)
    there = out.exists()
    out.open("ab").close()
    if not there:
        out.unlink()
