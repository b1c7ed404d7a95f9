"""The evaluation of a grid, stage by stage: questions, one stage per scorer, saliency, metrics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain

import numpy as np
from PIL.Image import Image

from alignment.calibration import Calibration, asks_questions, calibrations_of, relevance_of
from alignment.models.clip import image_similarity
from alignment.models.loading import Models
from alignment.models.revisions import identity
from alignment.models.vlm import EncodedImages
from alignment.questions.generation import questions_about
from alignment.questions.records import QuestionAnswer
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings, default_settings
from alignment.ranking import NEAREST_TARGET, TARGETS, check_method, parts_of, rankings
from alignment.records import GridReport, ImageScore
from alignment.scorers import GRID_METHODS, SCORERS, build_scorer, knowledge_of, models_of
from alignment.scorers.scorer import ScoringInput
from alignment.set_metrics.grid import MetricInputs, grid_set_scores
from alignment.set_metrics.named import default_metrics
from alignment.set_metrics.saliency import grid_attention
from alignment.signature import VERSION

PERSISTENCE = 0.8
"""The chance that a viewer looks at one more image, unless told otherwise."""
NO_IMAGE = "there is no image to score"


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
    prompt: str, models: Models, settings: Vq2Settings | None = None
) -> tuple[QuestionAnswer, ...]:
    """The questions that will be asked; they need no image."""
    chosen = settings or default_settings(models.bundle.name)
    parser = cache(models.parser)  # spans, checks and negation read the same texts
    knows = knowledge_of(models, "answerer")
    return questions_about(prompt, parser, models.question_writer, models.reader, chosen, knows)


def needs_questions(method: str, models: Models) -> bool:
    """Whether a method asks the questions of a text, or tells by them if its model can read it."""
    roles = SCORERS[method].roles if method in SCORERS else ()
    return asks_questions(method) or any(knowledge_of(models, role) for role in roles)


def scores_of(
    text: str,
    images: EncodedImages,
    methods: Sequence[str],
    models: Models,
    settings: Vq2Settings = AS_PUBLISHED,
    questions: tuple[QuestionAnswer, ...] | None = None,
) -> Iterator[tuple[str, Iterator[ImageScore]]]:
    """Each method with its score of every image; the text is read once for all methods.

    Questions that are not given are read where a method needs them.
    """
    if questions is None:
        needed = any(needs_questions(each, models) for each in methods)
        questions = read_prompt(text, models, settings) if needed else ()
    asked = ScoringInput(text, questions, settings)
    for method in methods:
        yield method, scored(method, asked, images, models)


def scored(
    method: str, asked: ScoringInput, images: EncodedImages, models: Models
) -> Iterator[ImageScore]:
    """The score of each image; its signature names the models, their revisions and the version.

    Raises:
        UnknownMethodError: the method is not in `SCORERS`.
        AlignmentError: a model cannot be loaded.
    """
    scorer = build_scorer(method, models)
    names = models_of(method, models, asked.settings)
    for score in scorer.score(asked, images):
        known = score.signature
        yield replace(score, signature=known.having(models=names, v=VERSION)) if known else score


def evaluate(
    prompt: str,
    images: Sequence[Image | None],
    rows: int,
    columns: int,
    models: Models,
    *,
    ranked_by: str = "vq2",
    questions: tuple[QuestionAnswer, ...] | None = None,
    settings: Vq2Settings | None = None,
    calibrations: Mapping[str, Calibration] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Stage]:
    """Score a grid; every step is yielded as soon as it is done, the first before any work.

    Args:
        prompt: what was asked for.
        images: one per cell, row by row; None where an image was filtered or never generated: such
            a cell is ranked last and is worth nothing to the set metrics. With fewer images than
            cells the last places stay empty.
        rows: of the grid.
        columns: of the grid.
        models: those of a bundle.
        ranked_by: a method in `METHODS`.
        questions: what `read_prompt` found earlier, with the same settings; read now when None.
        settings: of VQ2 and its questions; those of the bundle when None, see `default_settings`.
        calibrations: method -> what turns its score into a chance; the stored ones of these models
            and settings when None. A method without one has no set metrics.
        clock: seconds, for the report's timings; time that the caller spends is not counted.

    Raises:
        UnknownMethodError: `ranked_by` is not in `METHODS`.
        ValueError: there are more entries in `images` than cells, or none.
        AlignmentError: a model cannot be loaded.
    """
    check_method(ranked_by)
    if not 1 <= len(images) <= rows * columns:
        raise ValueError(f"{len(images)} images for a grid of {rows} x {columns}; give 1 to all")
    vq2 = settings or default_settings(models.bundle.name)
    found = calibrations_of(models, vq2) if calibrations is None else calibrations
    blank = GridReport(
        prompt=prompt,
        rows=rows,
        columns=columns,
        bundle=models.bundle.name,
        questions=(),
        scores={},
        rankings={},
        ranked_by=ranked_by,
        saliency={},
        set_scores=(),
        similarity_model=identity(models.bundle.clip),
    )
    return _timed(_stages(blank, questions, images, models, vq2, found), clock)


def measured(report: GridReport, persistence: float = PERSISTENCE) -> GridReport:
    """The same report with the set metrics of its ranking at this persistence.

    There are none when the method of the ranking is not calibrated.
    """
    relevance = report.relevance.get(report.ranked_by)
    if relevance is None:
        return replace(report, set_scores=())
    set_scores = grid_set_scores(
        default_metrics(persistence),
        relevance,
        report.arrangements,
        report.similarity,
        metric_inputs(report),
    )
    return replace(report, set_scores=set_scores)


def metric_inputs(report: GridReport) -> MetricInputs:
    """Where the numbers come from that the set metrics of a report are computed from."""
    method = report.ranked_by
    parts = parts_of(method)
    signed = (score.signature for part in parts for score in report.scores.get(part, ()))
    named = (each.by_name.get("models", "").split("+") for each in signed if each)
    models = "+".join(dict.fromkeys(filter(None, chain.from_iterable(named))))
    nearest = method == TARGETS
    return MetricInputs(
        relevance=NEAREST_TARGET if nearest else method,
        models=report.similarity_model if nearest else models,
        bundle=report.bundle,
        calibration=report.calibrated.get(method, ""),
        saliency=report.saliency_model,
        similarity=report.similarity_model,
    )


def attention_of(
    report: GridReport, images: Sequence[Image | None]
) -> dict[str, tuple[float, ...]]:
    """Arrangement -> the attention that each place draws, on the image of that arrangement."""
    if not any(images):
        return {}
    arrangements = {"generated": range(len(images)), "reranked": report.ranking.order}
    return {
        name: grid_attention([images[c] for c in cells], report.rows, report.columns)
        for name, cells in arrangements.items()
    }


def by_cell(
    method: str, scores: Iterator[ImageScore], images: Sequence[Image | None]
) -> Iterator[ImageScore]:
    """The scores of the images that are there, and "no image" for the other cells."""
    for image in images:
        yield next(scores) if image is not None else ImageScore(method, None, NO_IMAGE)


def similarity_of(
    models: Models, shown: EncodedImages, images: Sequence[Image | None]
) -> tuple[tuple[float, ...], ...]:
    """Cell by cell; a cell without an image resembles only itself."""
    if not len(shown):
        return ()
    cells = [cell for cell, image in enumerate(images) if image is not None]
    known = np.eye(len(images))
    known[np.ix_(cells, cells)] = image_similarity(models.clip, shown)
    return tuple(tuple(row) for row in known.tolist())


def _stages(
    blank: GridReport,
    questions: tuple[QuestionAnswer, ...] | None,
    images: Sequence[Image | None],
    models: Models,
    settings: Vq2Settings,
    calibrations: Mapping[str, Calibration],
) -> Iterator[Stage]:
    shown = EncodedImages([image for image in images if image is not None])
    yield Stage("questions", 0, 1, questions or ())
    if questions is None:
        questions = read_prompt(blank.prompt, models, settings)
    yield Stage("questions", 1, 1, questions)
    asked = ScoringInput(blank.prompt, questions, settings)
    scores: dict[str, tuple[ImageScore, ...]] = {}
    for method in GRID_METHODS:
        yield Stage(method, 0, len(images), questions, dict(scores))
        for score in by_cell(method, scored(method, asked, shown, models), images):
            scores[method] = (*scores.get(method, ()), score)
            yield Stage(method, len(scores[method]), len(images), questions, dict(scores))
    yield Stage("saliency", 0, 1, questions, scores)
    report = ranked(replace(blank, questions=questions, scores=scores), calibrations)
    similarity = similarity_of(models, shown, images)
    report = replace(report, saliency=attention_of(report, images), similarity=similarity)
    yield Stage("saliency", 1, 1, questions, scores)
    yield Stage("metrics", 1, 1, questions, scores, measured(report))


def ranked(report: GridReport, calibrations: Mapping[str, Calibration]) -> GridReport:
    """The report with the rankings and the calibrated chances of its scores."""
    found = rankings(report.scores)
    values = {name: each.values for name, each in found.items()}
    questions = {
        method: [len(each.evidence) for each in some] for method, some in report.scores.items()
    }
    relevance = relevance_of(values, calibrations, questions)
    if TARGETS in found:
        relevance[TARGETS] = found[TARGETS].values
    return replace(
        report,
        rankings=found,
        relevance=relevance,
        calibrated={method: each.name for method, each in calibrations.items()},
        thresholds={method: each.threshold for method, each in calibrations.items()},
    )


def _timed(stages: Iterator[Stage], clock: Callable[[], float]) -> Iterator[Stage]:
    """The same stages; the last one's report says how long each took."""
    seconds: dict[str, float] = {}
    start = clock()
    for stage in stages:
        seconds[stage.name] = seconds.get(stage.name, 0.0) + clock() - start
        report = stage.report and replace(stage.report, timings=dict(seconds))
        yield replace(stage, report=report)
        start = clock()
