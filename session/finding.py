"""The job of finding one image that is right, for the command line."""

from __future__ import annotations

from collections.abc import Iterator

import alignment
import generation
from alignment import Models
from request import Request
from search import DEFAULT, Attempt, Budget, search
from session.loading import load_text_to_image

EXPLAINING = ("vq2", "mean")
"""Methods that say what fails."""


def find_right(
    request: Request,
    budget: Budget,
    strategy: str = DEFAULT,
    at_least: float = 0.0,
) -> Iterator[Attempt]:
    """Search for an image of a request; see `search.search`.

    Args:
        request: its method judges where it says what fails, else VQ2 does.
        budget: what the search may cost, loading aside.
        strategy: a name in `search.STRATEGIES`.
        at_least: the chance from which an image is right, in [0, 1].

    Raises:
        InvalidRequestError: it cannot be generated, or the budget is too small for one image.
        GenerationError, AlignmentError: a model cannot be loaded.
    """
    generation.validate_request(request)
    models = Models(alignment.find_bundle(request.bundle))
    pipeline = load_text_to_image(request.model)
    for role in ("parser", "question_writer", "reader", "answerer"):
        getattr(models, role)
    method = request.rank_by if request.rank_by in EXPLAINING else EXPLAINING[0]
    yield from search(
        request.grid,
        pipeline,
        generation.find_model(request.model),
        models,
        budget,
        strategy,
        method=method,
        settings=request.vq2,
        at_least=at_least,
    )
