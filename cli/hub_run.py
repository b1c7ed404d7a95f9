"""`hub-run`: one text-to-image model and one bundle of the hub, proved on this machine."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import generation
import hub
from alignment.scorers import GRID_METHODS
from cli.flags import with_request
from cli.progress import last_shown
from cli.tables import markdown
from request import Request
from request.parameters import Asked
from session.jobs import generate_and_score
from session.state import GridState
from session.storage import ReportFolder, load_image

if TYPE_CHECKING:
    from PIL.Image import Image

PROMPTS = (
    "a red apple",
    "a black cat and a white dog",
    "three yellow birds on a branch",
    "a blue cup to the left of a green book",
    "an old man in a brown coat reads a newspaper in the rain",
)
COLUMNS = 2
"""Images of each prompt."""
DEVIATION = 2.0
"""Grey levels that an image varies by at least; one without contrast is a failed decoding."""


@dataclass(frozen=True)
class PromptResult:
    """What one prompt came to."""

    prompt: str
    reading: float
    """Seconds until its questions were there; with the first prompt, of downloading and loading."""
    generating: float
    scoring: float
    questions: int
    scores: dict[str, tuple[float | None, ...]]
    """Method -> the score of each image."""
    faults: tuple[str, ...]
    """What differs from what is expected."""


@with_request("model", "bundle", model="sd-turbo", bundle="small")
def hub_run(asked: Asked) -> None:
    """Run one model and one bundle of the hub on five fixed prompts, and check what comes out.

    What is not here yet is downloaded first; a run that was interrupted goes on where it was. The
    table says seconds, scores and the most memory; it is meant to be pasted into an issue. The exit
    code is 1 where anything differs from what is expected: images of the model's size with
    contrast, scores between 0 and 1, every method with a score, prompts that are read to the end.
    """
    results = [run_prompt(asked(prompt=prompt, rows=1, columns=COLUMNS)) for prompt in PROMPTS]
    model, bundle = asked().model, asked().bundle
    faults = [f"{each.prompt}: {fault}" for each in results for fault in each.faults]
    memory = peak_memory()
    print(table(results))
    print(f"\n{model}, {bundle}, {machine()}: {hub.readable_size(memory)} of memory at most;")
    print(f"differences from what is expected: {len(faults)}")
    print(*(f"- {fault}" for fault in faults), sep="\n")
    summary = {"model": model, "bundle": bundle, "device": machine(), "peak bytes": memory}
    prompts = [asdict(each) for each in results]
    print(json.dumps({**summary, "faults": faults, "prompts": prompts}))
    sys.exit(bool(faults))


def run_prompt(request: Request) -> PromptResult:
    """The whole job on one prompt."""
    with TemporaryDirectory() as folder:
        state = last_shown(generate_and_score(GridState(request), ReportFolder(Path(folder))))
        images = {cell: load_image(file) for cell, file in enumerate(state.images.files) if file}
    timings = state.report.timings if state.report else {}
    seconds = {name: round(spent, 1) for name, spent in timings.items()}
    reading, generating = seconds.pop("reading", 0.0), seconds.pop("generating", 0.0)
    scores = {
        name: tuple(each.value for each in state.scores.get(name, ())) for name in GRID_METHODS
    }
    scoring = round(sum(seconds.values()), 1)
    faults = tuple(differences(state, images, scores))
    questions = len(state.questions)
    return PromptResult(request.prompt, reading, generating, scoring, questions, scores, faults)


def differences(
    state: GridState, images: dict[int, Image], scores: dict[str, tuple[float | None, ...]]
) -> Iterator[str]:
    """What differs from what the twins of the models showed."""
    yield from _image_faults(state, images)
    if len(state.images.filtered) < len(images):
        yield from _score_faults(scores)
    if not state.questions:
        yield "no question was written"
    if state.truncated_words:
        yield f"the model does not read {' '.join(state.truncated_words)!r}"


def _image_faults(state: GridState, images: dict[int, Image]) -> Iterator[str]:
    """Images of another size than the model's, and blank ones that no safety checker filtered."""
    size = generation.find_model(state.request.model).size
    for cell, image in images.items():
        if image.size != (size, size):
            yield f"image {cell} is {image.size[0]} x {image.size[1]}, not {size} x {size}"
        if cell not in state.images.filtered and contrast(image) < DEVIATION:
            yield f"image {cell} has no contrast"


def _score_faults(scores: dict[str, tuple[float | None, ...]]) -> Iterator[str]:
    """Methods without a score, and scores that are none."""
    for method, values in scores.items():
        known = [value for value in values if value is not None]
        if not known:
            yield f"{method} scored nothing"
        if not all(math.isfinite(value) and 0 <= value <= 1 for value in known):
            yield f"{method} gave {known}, which is not between 0 and 1"


def contrast(image: Image) -> float:
    """The standard deviation of an image, in grey levels."""
    import numpy as np

    return float(np.asarray(image, dtype=float).std())


def peak_memory() -> int:
    """The most bytes that this process has had on its device."""
    device = hub.best_device()
    if device in {"cuda", "xpu"}:
        import torch

        return int(getattr(torch, device).max_memory_allocated())
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def machine() -> str:
    """The device by name."""
    import torch

    device = hub.best_device()
    return torch.cuda.get_device_name() if device == "cuda" else device


def table(results: Sequence[PromptResult]) -> str:
    """A Markdown table with one row per prompt."""
    head = ("prompt", "read, s", "generated, s", "scored, s", "questions", *GRID_METHODS)
    rows = []
    for each in results:
        seconds = (f"{spent:.1f}" for spent in (each.reading, each.generating, each.scoring))
        values = (side_by_side(each.scores[method]) for method in GRID_METHODS)
        rows.append((each.prompt, *seconds, str(each.questions), *values))
    return markdown(head, rows)


def side_by_side(values: Sequence[float | None]) -> str:
    """Scores side by side.

    >>> side_by_side([0.5, None])
    '.50 –'
    """
    return " ".join("–" if value is None else f"{value:.2f}".lstrip("0") for value in values)
