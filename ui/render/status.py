"""A line of HTML about the work: progress, a note, a mistake, a warning, or files that came."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from session.state import GridState
from session.uploads import Uploads
from ui.render.words import METHODS, counted, image, listed, safe, shortened

MOST_NAMED = 5
"""How many unknown words are named one by one."""


def job(state: GridState, seconds: float) -> str:
    """The progress of a job on a grid."""
    at = state.download or state.stage
    kind = "status" if state.images.files else "status to-come"
    return progress(activity(state), at.done, at.total, seconds, kind)


def activity(state: GridState) -> str:
    """What a job on a grid is doing, in words."""
    if state.download:
        return f"downloading {state.download}"
    images = counted(state.size, "image")
    asked = counted(len(state.questions), "question")
    again = ", ".join(str(state.seed_of(cell)) for cell in sorted(state.images.previews))
    said = {
        **{method: f"scoring {images} by {name}" for method, name in METHODS.items()},
        "loading": f"loading {state.request.model}",
        "reading": "reading the prompt",
        "questions": "writing the questions",
        "generating": f"generating {images}",
        "regenerating": f"generating seed {again}",
        "rescoring": f"scoring seed {again}",
        "vq2": f"asking {asked} about {images}",
        "searching": "looking for an image that shows everything",
        "contradicting": "contradicting the prompt",
        "fault regions": "locating the faults",
        "contrast check": "scoring the best image under contradictions of the prompt",
    }
    return said.get(state.stage.name, f"computing the {state.stage.name}")


def progress(text: str, done: int, total: int, seconds: float, kind: str = "status") -> str:
    """A bar with words: what is being done, how far it is, how long it has taken.

    Args:
        kind: its classes; `to-come` where the grid on show is of an earlier run, which is dimmed.
    """
    share = done / total if total else 0.0
    return (
        f'<div class="{kind}" role="status"><span class="doing">{safe(text)}</span>'
        f'<progress max="1" value="{share:.3f}" aria-label="{safe(text)}"></progress>'
        f"{_seconds(seconds)}</div>"
    )


def begun(text: str) -> str:
    """What has begun, of which nobody knows how far it is."""
    doing = f'<span class="doing">{safe(text)}</span>'
    return f'<div class="status" role="status">{doing}{_seconds(0)}</div>'


def _seconds(seconds: float) -> str:
    """How long it has taken, which assets/seconds.js counts on; not read out at each second."""
    return f'<span class="seconds" aria-hidden="true">{seconds:.0f} s</span>'


def note(text: str) -> str:
    """A quiet line: what was done."""
    return f'<div class="status" role="status"><span class="doing">{safe(text)}</span></div>'


def done(text: str) -> str:
    """The same of what is to be seen anyway, for which a small screen has no room."""
    return f'<div class="status done" role="status"><span class="doing">{safe(text)}</span></div>'


def stopped(state: GridState | None) -> str:
    """That a run was stopped, and what the results are of that stay: maybe those of another."""
    if state is None:
        return "stopped before there was an image"
    prompt = shorten(state.prompt, 80, placeholder=" …")
    if state.report and state.stage.done == state.stage.total:
        return f"stopped; below are the results for “{prompt}”, as they were"
    return f"stopped; below are the results so far for “{prompt}”"


def waiting(others: int, seconds: float) -> str:
    """What a run that was just asked for waits for.

    >>> waiting(0, 0.0)
    'waiting for its turn'
    >>> waiting(3, 4.2)
    'waiting for its turn; 3 runs share the models, it begins in about 4 s'
    """
    if not others:
        return "waiting for its turn"
    runs = f"{counted(others, 'run')} {'shares' if others == 1 else 'share'} the models"
    soon = f"in about {seconds:.0f} s" if seconds >= 0.5 else "soon"
    return f"waiting for its turn; {runs}, it begins {soon}"


def mistake(text: str) -> str:
    """What cannot be done, and what can."""
    begins = text[:1].upper() if text.partition(" ")[0].isalpha() else text[:1]  # no file's name
    sentence = begins + text[1:].rstrip(".")
    sign = '<span class="sign">✗</span>'
    return f'<div class="status mistake" role="alert">{sign} {safe(sentence)}.</div>'


def warning(text: str, steps: str = "") -> str:
    """What will not be as hoped, and buttons for what helps; nothing when nothing is to be said."""
    if not text:
        return ""
    said = f'<span class="sign">!</span> {safe(text)}{steps}'
    return f'<div class="warning" role="status">{said}</div>'


def generated(state: GridState) -> str:
    """What was done when every image is new, in words; of a run that was stopped, what there is.

    How they were made is told where a link or a file set it, and no field says it.
    """
    request, images = state.request, counted(state.size - len(state.missing), "image")
    told = {
        f"{request.steps} steps": request.steps,
        f"guidance {request.guidance}": request.guidance is not None,
        f'as "{shorten(request.worded, 80, placeholder=" …")}"': request.worded != request.prompt,
    }
    unusual = ", ".join(name for name, is_set in told.items() if is_set)
    return f"{images} ({unusual})" if unusual else images


def about_unknown(words: tuple[str, ...]) -> str:
    """Words outside the vocabulary of the embedded models.

    >>> about_unknown(("astronaut", "armour"))
    'Not known here: "astronaut" and "armour".'
    """
    if not words:
        return ""
    named = [f'"{word}"' for word in words[:MOST_NAMED]]
    if len(words) > MOST_NAMED:
        named.append(counted(len(words) - MOST_NAMED, "more word"))
    return f"Not known here: {listed(named)}."


def about_truncated(words: tuple[str, ...]) -> str:
    """Words beyond the text-to-image model's token limit.

    >>> about_truncated(("at", "night"))
    'The text-to-image model reads only the first part of this prompt; it does not see: at night.'
    """
    missed = " ".join(words)
    return (
        "The text-to-image model reads only the first part of this prompt; it does not see: "
        f"{missed}."
        if words
        else ""
    )


def picked(uploads: Uploads, files: Sequence[str], what: str) -> str:
    """Thumbnails of what can be used, then a sentence for each file that cannot."""
    shown = "".join(
        f'<li>{image(file)}<span title="{safe(name)}">{safe(shortened(name))}</span></li>'
        for name, file in zip(uploads.names, files, strict=True)
    )
    return (
        f'<ul class="picked" aria-label="{safe(what)}">{shown}</ul>' if shown else ""
    ) + refusals(tuple(map(str, uploads.refused)))


def refusals(reasons: Sequence[str]) -> str:
    """Files that are left out, each with its reason."""
    sign = '<span class="sign">✗</span>'
    rows = "".join(f"<li>{sign} {safe(reason)}</li>" for reason in reasons)
    return f'<div role="status"><ul class="left-out">{rows}</ul></div>' if rows else ""
