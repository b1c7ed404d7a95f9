"""Changes to a finished report: another ranking, a replaced image, target images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PIL.Image import Image

from alignment.calibration import calibrations_of
from alignment.evaluation import attention_of, by_cell, measured, ranked, scored, similarity_of
from alignment.models.loading import Models
from alignment.models.vlm import EncodedImages
from alignment.questions.settings import Vq2Settings, default_settings
from alignment.ranking import TARGETS, check_method, rankings
from alignment.records import GridReport, ImageScore
from alignment.scorers import SCORERS
from alignment.scorers.scorer import ScoringInput
from alignment.set_metrics.relevance import relevance_to_targets

REPLACED = "the image was replaced; compare it with the targets again"


def rerank(
    report: GridReport,
    method: str,
    images: Sequence[Image | None],
) -> GridReport:
    """The same report ranked by another method; no scoring model is asked again.

    Args:
        report: a finished one; its saliency model sees the new arrangement.
        method: in `report.rankings`.
        images: those of the report, by cell.

    Raises:
        UnknownMethodError: `method` is not in `report.rankings`.
    """
    check_method(method, tuple(report.rankings))
    reranked = replace(report, ranked_by=method)
    return measured(replace(reranked, saliency=attention_of(reranked, images)))


def rescore(
    report: GridReport,
    cell: int,
    images: Sequence[Image | None],
    models: Models,
    settings: Vq2Settings | None = None,
) -> GridReport:
    """The report after one image was replaced: it alone is scored, the others keep their scores.

    Args:
        report: a finished one.
        cell: whose image is new.
        images: all of them as they are now, by cell.
        models: those of the report's bundle.
        settings: of VQ2, those that the report was made with; those of the bundle when None.

    Raises:
        AlignmentError: a model cannot be loaded.
    """
    vq2 = settings or default_settings(models.bundle.name)
    asked, image = ScoringInput(report.prompt, report.questions, vq2), images[cell]
    alone = EncodedImages([] if image is None else [image])
    scores = dict(report.scores)
    for method in scores:
        new = ImageScore(method, None, REPLACED)
        if method in SCORERS:
            (new,) = by_cell(method, scored(method, asked, alone, models), [image])
        scores[method] = (*scores[method][:cell], new, *scores[method][cell + 1 :])
    changed = ranked(replace(report, scores=scores), calibrations_of(models, vq2))
    shown = EncodedImages([each for each in images if each is not None])
    attention, similarity = attention_of(changed, images), similarity_of(models, shown, images)
    return measured(replace(changed, saliency=attention, similarity=similarity))


def with_targets(
    report: GridReport,
    images: Sequence[Image | None],
    targets: Sequence[Image],
    models: Models,
) -> GridReport:
    """The report with one more ranking: by how close each image comes to one of the targets.

    Relevance is max(0, cosine) to the nearest target, in the bundle's space of embeddings.

    Args:
        report: a finished one; what it is ranked by stays.
        images: those of the report, by cell.
        targets: images of what was wanted, at least one.
        models: those of the report's bundle.

    Raises:
        AlignmentError: a model cannot be loaded.
    """
    shown = [image for image in images if image is not None]
    clip = models.clip
    near = relevance_to_targets(clip.encode(shown), clip.encode(targets)).tolist() if shown else []
    values = (ImageScore(TARGETS, value) for value in near)
    scores = {**report.scores, TARGETS: tuple(by_cell(TARGETS, values, images))}
    found = rankings(scores)
    relevance = {**report.relevance, TARGETS: found[TARGETS].values}
    return replace(report, scores=scores, rankings=found, relevance=relevance)
