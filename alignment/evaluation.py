"""A prompt and the pictures of its grid come in; stage by stage, everything known of them goes out.

The stages in order, and nothing else: questions, one stage per scorer, saliency, metrics.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from PIL.Image import Image

from alignment.errors import UnknownMethodError
from alignment.models.clip import image_similarity
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.questions.generation import questions_about
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings
from alignment.ranking import rankings
from alignment.records import GridReport, ImageScore, QuestionAnswer
from alignment.scorers import GRID_METHODS, SCORERS, ScoringInput
from alignment.set_metrics.metrics import grid_set_scores
from alignment.set_metrics.relevance import relevance_to_targets
from alignment.set_metrics.saliency import SaliencyMap, cell_attention, compose_grid, saliency_map

METHODS = (*GRID_METHODS, "mean")
"""What a grid can be ranked by."""
PERSISTENCE = 0.8
"""How deep a viewer looks unless told otherwise: the chance to look at one more picture."""
NO_PICTURE = "there is no picture to judge"
TARGETS = "targets"
"""The ranking by how close a picture comes to target pictures, where there are any."""
RELEVANCE_NAMES = {
    TARGETS: "max(0,cosine) to the nearest target",
    "clip": "(1+cosine)/2 of clip",
    "mean": "mean of vq2 and vnli",
}
"""How signatures name a method's score, where the method's own name would not say enough."""


@dataclass(frozen=True)
class Stage:
    """Where an evaluation stands, and what is known so far."""

    name: str
    """"questions", a method in `GRID_METHODS`, "saliency" or "metrics"."""
    done: int
    """Steps of this stage that are finished: cells for a scorer."""
    total: int
    questions: tuple[QuestionAnswer, ...] = ()
    scores: Mapping[str, tuple[ImageScore, ...]] = field(default_factory=dict)
    """Method -> the scores of the first cells, in cell order, as many as are known."""
    report: GridReport | None = None
    """Everything, at the last step of the last stage."""


def read_prompt(
    prompt: str, models: Models, settings: Vq2Settings = AS_PUBLISHED
) -> tuple[QuestionAnswer, ...]:
    """The questions that will be asked; they need no picture."""
    return questions_about(prompt, models.parser, models.question_writer, models.reader, settings)


def evaluate(
    prompt: str,
    images: Sequence[Image | None],
    rows: int,
    columns: int,
    models: Models,
    *,
    ranked_by: str = "vq2",
    questions: tuple[QuestionAnswer, ...] | None = None,
    settings: Vq2Settings = AS_PUBLISHED,
    persistence: float = PERSISTENCE,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Stage]:
    """Judge a grid; every step is handed out as soon as it is done, the first before any work.

    Args:
        prompt: what was asked for.
        images: one per cell, row by row; None where a picture was filtered or never generated: such
            a cell is ranked last and left out of the metrics. With fewer images than cells the
            last places stay empty.
        rows: of the grid.
        columns: of the grid.
        models: who judges.
        ranked_by: a method in `METHODS`.
        questions: what `read_prompt` found earlier, with the same settings; read now when None.
        settings: of VQ2 and its questions.
        persistence: of the set metrics.
        clock: seconds, for the report's timings; time that the caller spends is not counted.

    Raises:
        UnknownMethodError: `ranked_by` is not in `METHODS`.
        ValueError: there are more entries in `images` than cells, or none.
        AlignmentError: a model cannot be loaded.
    """
    check_method(ranked_by)
    if not 1 <= len(images) <= rows * columns:
        raise ValueError(f"{len(images)} images for a grid of {rows} x {columns}; give 1 to all")
    blank = GridReport(
        prompt=prompt,
        rows=rows,
        columns=columns,
        bundle=models.bundle.name,
        questions=questions or (),
        scores={},
        rankings={},
        ranked_by=ranked_by,
        saliency={},
        set_scores=(),
    )
    stages = _stages(blank, images, models, settings, questions is None, persistence)
    return _timed(stages, clock)


def rerank(
    report: GridReport,
    method: str,
    images: Sequence[Image | None],
    persistence: float = PERSISTENCE,
) -> GridReport:
    """The same report ranked by another method; no model is asked again.

    Args:
        report: a finished one.
        method: in `report.rankings`.
        images: those of the report, by cell; the saliency of the new arrangement needs them.
        persistence: of the set metrics.

    Raises:
        UnknownMethodError: `method` is not in `report.rankings`.
    """
    check_method(method, tuple(report.rankings))
    ranked = replace(report, ranked_by=method)
    return measured(replace(ranked, saliency=saliency_of(ranked, images)), persistence)


def rescore(
    report: GridReport,
    cell: int,
    images: Sequence[Image | None],
    models: Models,
    settings: Vq2Settings = AS_PUBLISHED,
    persistence: float = PERSISTENCE,
) -> GridReport:
    """The report after one picture was replaced: it alone is judged, the others keep their scores.

    Args:
        report: a finished one.
        cell: whose picture is new.
        images: all of them as they are now, by cell.
        models: who judges.
        settings: of VQ2, those that the report was made with.
        persistence: of the set metrics.

    Raises:
        AlignmentError: a model cannot be loaded.
    """
    asked, image = ScoringInput(report.prompt, report.questions, settings), images[cell]
    alone = Pictures([] if image is None else [image])
    scores = dict(report.scores)
    for method in SCORERS.keys() & scores.keys():
        (new,) = _by_cell(method, SCORERS[method](models).score(asked, alone), [image])
        scores[method] = (*scores[method][:cell], new, *scores[method][cell + 1 :])
    judged = replace(report, scores=scores, rankings=rankings(scores))
    pictures = Pictures([each for each in images if each is not None])
    attention, similarity = saliency_of(judged, images), _similarity(models, pictures, images)
    return measured(replace(judged, saliency=attention, similarity=similarity), persistence)


def with_targets(
    report: GridReport,
    images: Sequence[Image | None],
    targets: Sequence[Image],
    models: Models,
) -> GridReport:
    """The report with one more ranking: by how close each picture comes to one of the targets.

    Relevance is max(0, cosine) to the nearest target, in the bundle's space of embeddings.

    Args:
        report: a finished one; what it is ranked by stays.
        images: those of the report, by cell, at least one.
        targets: pictures of what was wanted, at least one.
        models: who judges.

    Raises:
        AlignmentError: a model cannot be loaded.
    """
    shown = [image for image in images if image is not None]
    near = relevance_to_targets(models.clip.encode(shown), models.clip.encode(targets))
    values = (ImageScore(TARGETS, value) for value in near.tolist())
    scores = {**report.scores, TARGETS: tuple(_by_cell(TARGETS, values, images))}
    return replace(report, scores=scores, rankings=rankings(scores))


def measured(report: GridReport, persistence: float = PERSISTENCE) -> GridReport:
    """The same report with the set metrics of its ranking at this persistence."""
    set_scores = grid_set_scores(
        report.ranking.values,
        report.ranking.order,
        report.saliency,
        report.similarity or None,
        RELEVANCE_NAMES.get(report.ranked_by, report.ranked_by),
        persistence,
    )
    return replace(report, set_scores=set_scores)


def saliency_of(
    report: GridReport, images: Sequence[Image | None], look: SaliencyMap = saliency_map
) -> dict[str, tuple[float, ...]]:
    """Arrangement -> attention mass of each place, on the picture of that arrangement."""
    if not any(images):
        return {}
    arrangements = {"generated": range(len(images)), "reranked": report.ranking.order}
    attention = {}
    for name, cells in arrangements.items():
        picture, boxes = compose_grid([images[c] for c in cells], report.rows, report.columns)
        attention[name] = cell_attention(look(picture), boxes)
    return attention


def check_method(method: str, known: Sequence[str] = METHODS) -> None:
    """Refuse what a grid cannot be ranked by.

    Raises:
        UnknownMethodError: it is not among those that are known.
    """
    if method not in known:
        raise UnknownMethodError(f"cannot rank by {method!r}; known: {', '.join(known)}")


def _stages(
    blank: GridReport,
    images: Sequence[Image | None],
    models: Models,
    settings: Vq2Settings,
    unread: bool,
    persistence: float,
) -> Iterator[Stage]:
    pictures = Pictures([image for image in images if image is not None])
    yield Stage("questions", 0, 1, blank.questions)
    questions = read_prompt(blank.prompt, models, settings) if unread else blank.questions
    yield Stage("questions", 1, 1, questions)
    asked = ScoringInput(blank.prompt, questions, settings)
    judged = yield from _judging(
        replace(blank, questions=questions), asked, images, pictures, models
    )
    yield Stage("saliency", 0, 1, judged.questions, judged.scores)
    seen = replace(
        judged,
        saliency=saliency_of(judged, images),
        similarity=_similarity(models, pictures, images),
    )
    yield Stage("saliency", 1, 1, seen.questions, seen.scores)
    finished = measured(seen, persistence)
    yield Stage("metrics", 1, 1, finished.questions, finished.scores, finished)


def _judging(
    read: GridReport,
    asked: ScoringInput,
    images: Sequence[Image | None],
    pictures: Pictures,
    models: Models,
) -> Generator[Stage, None, GridReport]:
    total = len(images)
    scores: dict[str, tuple[ImageScore, ...]] = {}
    for method in GRID_METHODS:
        yield Stage(method, 0, total, read.questions, dict(scores))
        for score in _by_cell(method, SCORERS[method](models).score(asked, pictures), images):
            scores[method] = (*scores.get(method, ()), score)
            yield Stage(method, len(scores[method]), total, read.questions, dict(scores))
    return replace(read, scores=scores, rankings=rankings(scores))


def _by_cell(
    method: str, judged: Iterator[ImageScore], images: Sequence[Image | None]
) -> Iterator[ImageScore]:
    for image in images:
        yield next(judged) if image is not None else ImageScore(method, None, NO_PICTURE)


def _similarity(
    models: Models, pictures: Pictures, images: Sequence[Image | None]
) -> tuple[tuple[float, ...], ...]:
    """Cell by cell; a cell without a picture resembles only itself."""
    if not len(pictures):
        return ()
    known = image_similarity(models.clip, pictures)
    cells = [cell for cell, image in enumerate(images) if image is not None]
    among = {
        (one, other): known[row][column]
        for row, one in enumerate(cells)
        for column, other in enumerate(cells)
    }
    every = range(len(images))
    return tuple(tuple(among.get((i, j), float(i == j)) for j in every) for i in every)


def _timed(stages: Iterator[Stage], clock: Callable[[], float]) -> Iterator[Stage]:
    """The same stages; the last one's report says how long each took."""
    seconds: dict[str, float] = {}
    start = clock()
    for stage in stages:
        seconds[stage.name] = seconds.get(stage.name, 0.0) + clock() - start
        report = stage.report and replace(stage.report, timings=dict(seconds))
        yield replace(stage, report=report)
        start = clock()
