"""The page's functions for programs: typed endpoints with stable names, for clients and for MCP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import wraps
from inspect import signature
from typing import Annotated, Any

import gradio as gr
from gradio import FileData

from alignment.evaluation import PERSISTENCE
from alignment.ranking import check_method, parts_of
from alignment.report import report_json, stored_report
from alignment.set_metrics.expectation import Novelty
from alignment.set_metrics.metrics import ERR, RBP
from alignment.set_metrics.viewing_orders import Order
from generation import InvalidRequestError
from request.parameters import Asked
from session.comparison_summary import compare_reports
from session.errors import UnusableFileError
from session.jobs import generate_and_score, score_uploads
from session.limits import Runs
from session.offer import Offer
from session.run import RUN, Turn
from session.state import GridImages, GridState
from session.storage import stored
from session.uploads import Uploads, read_each
from ui.admission import admitted, facts
from ui.api_inputs import Attention, Cell, Cosine, PerPlace, Probability, Text, asking, checked
from ui.components import page_store
from ui.render.sentences import sentence as pair_sentence
from ui.render.verdict import sentence as verdict_sentence
from ui.run_controls import user_message
from ui.tabs.your_images import shape

Report = dict[str, Any]
"""A report as `report.json` has it."""


@asking()
def generate(asked: Asked) -> tuple[Report, list[FileData]]:
    """Generate a grid of images from a prompt, score each against the prompt and rank them.

    Args:
        asked: fields of a request.

    Returns:
        The report, with scores, reasons, ranking and set metrics; and the image of each cell.
    """
    state = _last(generate_and_score(GridState(asked()), page_store(), _turns()))
    return _report(state), [FileData(path=file) for file in state.images.files if file]


@asking("bundle", "rank_by")
def score(prompt: Text, images: list[FileData], asked: Asked) -> Report:
    """Score images that exist already against a prompt, and rank them.

    A file that cannot be used keeps its cell, which has no score; the others are scored.

    Args:
        prompt: what the images should show.
        images: 1 to 36 PNG, JPEG, WebP or GIF files.
        asked: fields of a request.

    Returns:
        The report, with scores, reasons, ranking and set metrics; cell k is image k. `refused`: the
        `cell` of each file that cannot be used, and the `reason`.
    """
    if not images:
        raise UnusableFileError("there are no images; send 1 to 36")
    read = read_each([each.path for each in images])
    refused = {k: each for k, each in enumerate(read) if isinstance(each, UnusableFileError)}
    if len(refused) == len(read):
        Uploads(refused=tuple(refused.values())).require_some()
    store = page_store()
    uploaded = tuple(
        None if isinstance(each, UnusableFileError) else store.image(each) for each in read
    )
    names = tuple(each.orig_name or f"image {k}" for k, each in enumerate(images))
    rows, columns = shape(len(uploaded))
    request = asked(prompt=prompt, rows=rows, columns=columns, model="")
    requested = GridState(request, GridImages(uploaded, names=names))
    report = _report(_last(score_uploads(requested, (), _turns())))
    reasons = [{"cell": cell, "reason": str(each)} for cell, each in refused.items()]
    return {**report, "refused": reasons}


def rank(report: Report, method: Text) -> dict[str, Any]:
    """Rank the images of a report by another method; no model is asked.

    Args:
        report: from `generate` or `score`.
        method: one that a report is ranked by, such as "vq2".

    Returns:
        `order`: cells that have a score, best first; `values`: the score of each cell, null without
        one.
    """
    rankings = stored_report(report).report.rankings
    check_method(method, tuple(rankings))
    order, values = rankings[method].order, rankings[method].values
    return {"order": [cell for cell in order if values[cell] is not None], "values": [*values]}


def explain(report: Report, cell: Cell) -> dict[str, Any]:
    """Say why an image of a report has its rank.

    Args:
        report: from `generate` or `score`.
        cell: the image, from 0, in the order of generation.

    Returns:
        `rank`, null without a score; `reason`: why there is none, else empty; `verdict` of VQ2 on
        the whole grid; and `answers`: one sentence per question-answer pair, the weakest first;
        none where VQ2 did not score.
    """
    found = stored_report(report)
    size = len(found.images)
    if not 0 <= cell < size:
        raise UnusableFileError(f"there is no cell {cell}; cells are 0 to {size - 1}")
    scores = found.report.scores.get("vq2")
    evidence = scores[cell].evidence if scores else ()
    weakest = sorted(evidence, key=lambda entry: entry.probability)
    state = GridState.from_report(found, found.images)
    methods = parts_of(state.ranked_by)
    reasons = [score.reason for method in methods if (score := state.score(cell, method))]
    return {
        "rank": state.rank(cell),
        "reason": "; ".join(dict.fromkeys(filter(None, reasons))),
        "verdict": verdict_sentence(state),
        "answers": [pair_sentence(entry) for entry in weakest],
    }


def grid_metrics(
    relevance: Annotated[list[Probability], PerPlace],
    attention: Annotated[list[Attention], PerPlace],
    persistence: Probability = PERSISTENCE,
    order: Order = "saliency",
    novelty: Novelty = "none",
    similarity: Annotated[list[list[Cosine]] | None, PerPlace] = None,
    satisfaction: Annotated[list[Probability] | None, PerPlace] = None,
) -> dict[str, float]:
    """RBP and ERR of a grid in exact expectation over viewing orders.

    Args:
        relevance: of each place, in [0, 1]; 1 to 36 places.
        attention: of each place, 0 or more; only ratios matter, and only under the saliency order.
            A place of 0 is looked at after all others.
        persistence: the probability of looking at one more image, in [0, 1].
        order: in which images are looked at: "saliency", "positional" (row by row) or "uniform".
        novelty: how an image that resembles earlier ones loses relevance: "none", "max" or
            "product".
        similarity: for each place its similarity to each place, in [-1, 1]; needed with novelty.
        satisfaction: of each place, the probability of stopping there content, in [0, 1]; the
            relevance when left out. Only ERR reads it.

    Returns:
        `RBP` and `ERR`.
    """
    if len(relevance) != len(attention):
        raise InvalidRequestError(
            f"{len(relevance)} places have a relevance and {len(attention)} draw attention; give "
            "both for every place"
        )
    settings = (persistence, novelty, order)
    try:
        return {
            type(metric).__name__: metric.score(relevance, similarity, attention, satisfaction)
            for metric in (RBP(*settings), ERR(*settings))
        }
    except ValueError as error:
        raise InvalidRequestError(str(error)) from error


def compare(first: Report, second: Report) -> dict[str, Any]:
    """Compare two reports, for example of two models or of two wordings.

    Args:
        first: from `generate` or `score`.
        second: the same; differences are second minus first.

    Returns:
        `first`, `second` and `difference`, each with the figures of the compare tab: `top_score`,
        the score of the first image; `share_right`, the share of images that are right among those
        that could be judged; `ERR` and `RBP` of the reranked grid, row by row. `reason`: why
        figures of the ranking have no difference, where the reports are ranked by different
        methods; else empty.
    """
    return compare_reports(*(stored_report(each).report for each in (first, second)))


ENDPOINTS: tuple[Callable[..., Any], ...] = (generate, score, rank, explain, grid_metrics, compare)
ASKS_MODELS = (generate, score)


def add_endpoints(runs: Runs, offer: Offer) -> None:
    """Add the endpoints to the page that is being built; those that ask models are runs."""
    for function in ENDPOINTS:
        asks_models = function in ASKS_MODELS
        queue = {"concurrency_id": "models", "concurrency_limit": None} if asks_models else {}
        run = offered_run(function, runs, offer) if asks_models else function
        endpoint = answering(checked(run))
        gr.api(endpoint, api_name=function.__name__, queue=asks_models, **queue)


def offered_run(function: Callable[..., Any], runs: Runs, offer: Offer) -> Callable[..., Any]:
    """The function as a run, with models that are offered, which takes its turns."""

    @wraps(function)
    def run_it(*args: Any, **kwargs: Any) -> Any:
        given = signature(function).bind(*args, **kwargs)
        given.apply_defaults()
        asked = given.arguments
        for what, known in (("model", offer.models), ("bundle", offer.bundles)):
            if asked.get(what) == "":
                asked[what] = known[0]
        offer.require(asked.get("model"), asked["bundle"])
        with admitted(runs):
            return function(**asked)

    return run_it


def answering(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with errors as a client reads them."""

    @wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise gr.Error(user_message(error), print_exception=False) from error

    return answer


def _turns() -> Turn:
    run = RUN.get()
    return run.turns if run else nullcontext


def _last(states: Iterator[GridState]) -> GridState:
    """The last state; the log of the run hears of each."""
    run = RUN.get()
    for last in run.checked(states) if run else states:
        if run:
            run.facts |= facts(last)
    return last


def _report(state: GridState) -> Report:
    return report_json(stored(state, state.report)) if state.report else {}
