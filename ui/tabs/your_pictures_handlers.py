"""What a visitor asks of pictures of their own comes in; what changes on the tab goes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignment.evaluation import TARGETS
from session.errors import UnusableFileError
from session.jobs import score_uploads
from session.state import GridState
from session.storage import store
from session.uploads import read_uploads
from ui.grid_panel_handlers import GridPanelHandlers, all_pictures
from ui.tabs.playground_handlers import unknown_to

if TYPE_CHECKING:
    from ui.grid_panel import Changes


@dataclass(frozen=True)
class YourPicturesHandlers(GridPanelHandlers):
    """What the events of the tab do, as `ui.tabs.your_pictures.YourPicturesHandlers` says."""

    def judge(self, *request: Any) -> Iterator[Changes]:
        """Judge the pictures that were brought, as a grid of the playground is judged."""
        yield from self.work(partial(judged, *request), self.grow, all_pictures)

    def warn(self, prompt: str, bundle: str) -> Changes:
        """Words that the embedded judges have never seen."""
        return {self.table.warning: unknown_to(prompt, bundle, generated=False)}


def judged(
    prompt: str,
    files: Sequence[str] | None,
    targets: Sequence[str] | None,
    ranked_by: str,
    bundle: str,
) -> Iterator[GridState]:
    """Read the files, and judge what is in them.

    Raises:
        UnusableFileError: there is no picture, or one cannot be used.
        InvalidRequestError, UnknownBundleError, UnknownMethodError: as in `score_uploads`.
    """
    if not files:
        raise UnusableFileError("there are no pictures; add some that the prompt is about")
    if ranked_by == TARGETS and not targets:
        raise UnusableFileError("there are no targets to rank by; add target pictures")
    uploaded = tuple(map(store, read_uploads(files)))
    wanted = read_uploads(targets, "target pictures")
    rows, columns = shape(len(uploaded))
    names = tuple(Path(file).name for file in files)
    asked = GridState(prompt, rows, columns, 0, "", bundle, ranked_by, uploaded, names=names)
    yield from score_uploads(asked, wanted)


def shape(count: int) -> tuple[int, int]:
    """Rows and columns of the squarest grid that holds so many pictures.

    >>> [shape(count) for count in (1, 2, 3, 7, 36)]
    [(1, 1), (1, 2), (2, 2), (3, 3), (6, 6)]
    """
    columns = isqrt(count - 1) + 1
    return ceil(count / columns), columns
