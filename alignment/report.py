"""Reports as JSON files, with the images beside them.

docs/formats/report.md says what a file holds. In files of format 2 a cell without a score has a
rank, too, which is not read. Files of format 1, written before `format` was, still open: they have
no coverage and no relevance, so that their set metrics are those that were stored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from alignment.errors import UnreadableReportError
from alignment.questions.records import QuestionAnswer
from alignment.ranking import rankings
from alignment.records import Coverage, Evidence, GridReport, ImageScore
from alignment.report_format import (
    FORMAT,
    QUESTION_METHOD,
    CellFile,
    EvidenceFile,
    QuestionFile,
    ReportFile,
    SaliencyFile,
    SetScoreFile,
    UnscoredFile,
    shared,
)
from alignment.signature import Signature

LIBRARIES = ("diffusers", "open_clip_torch", "spacy", "torch", "torchvision", "transformers")


@dataclass(frozen=True)
class StoredReport:
    """A report and what it takes to show it and to generate its images again."""

    report: GridReport
    model: str
    """What generated the images."""
    seed: int | None
    """Of cell 0; cell k has `seed + k`. None when the images were not generated here."""
    images: tuple[str | None, ...]
    """The file of each cell's image, relative to the report's folder; None without an image."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Library -> version."""
    regenerated: Mapping[int, int] = field(default_factory=dict)
    """Cell -> seed, of images that were generated again."""
    found: Mapping[int, str] = field(default_factory=dict)
    """Cell -> strategy and attempt of the search that made its image, beginning with its seed."""
    names: tuple[str, ...] = ()
    """What uploaded images were called, by cell; empty for generated ones."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """What else the images were made from, such as the revision of the model: plain values, which
    the file has beside its own."""

    def seed_of(self, cell: int) -> int | None:
        """What the image of a cell was generated from."""
        return None if self.seed is None else self.regenerated.get(cell, self.seed + cell)


def library_versions() -> dict[str, str]:
    """The versions of the libraries whose change may change a report."""
    return {name: version(name) for name in LIBRARIES}


def save_report(stored: StoredReport, path: Path) -> None:
    """Write a report as JSON."""
    path.write_text(report_text(stored), encoding="utf-8")


def report_text(stored: StoredReport) -> str:
    """A report as the JSON of its file."""
    text = json.dumps(report_json(stored), indent=1, ensure_ascii=False, allow_nan=False)
    return f"{text}\n"


def load_report(path: Path) -> StoredReport:
    """Read a report that `save_report` wrote, in this format or an earlier one.

    Raises:
        UnreadableReportError: the file is no report, or of a later format.
    """
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnreadableReportError(f"{path.name} is no JSON: {error}") from error
    return stored_report(plain)


def report_json(stored: StoredReport) -> dict[str, Any]:
    """The report as plain dictionaries, lists, texts and numbers."""
    report = stored.report
    first = _first_scores(report)
    stages = {
        "format": FORMAT,
        "model": stored.model,
        "seed": stored.seed,
        "questions": [QuestionFile.of(pair) for pair in report.questions],
        "coverage": {
            method: score.coverage for method, score in first.items() if score.coverage is not None
        },
        "unscored": [UnscoredFile.of(each) for score in first.values() for each in score.unscored],
        "cells": [_cell_file(stored, cell) for cell in range(len(stored.images))],
        "saliency": [
            SaliencyFile(arrangement=name, attention=attention)
            for name, attention in report.saliency.items()
        ],
        "similarity": report.similarity or (),
        "set_metrics": [SetScoreFile.of(score) for score in report.set_scores],
        "versions": stored.versions,
    }
    file = ReportFile(**shared(report, ReportFile) | stages, **stored.asked)
    return file.model_dump(mode="json")


def stored_report(plain: Mapping[str, Any]) -> StoredReport:
    """The report that `report_json` made plain, in this format or an earlier one.

    Raises:
        UnreadableReportError: it is no report, or of a later format.
    """
    file = _read(plain)
    questions = {each.key: each.pair() for each in file.questions}
    unscored = tuple(each.unscored(questions) for each in file.unscored)
    methods = list(file.cells[0].scores)
    scores = {
        method: tuple(
            _score(method, cell, questions, file.coverage.get(method)) for cell in file.cells
        )
        for method in methods
    }
    if unscored and QUESTION_METHOD in scores:
        scores[QUESTION_METHOD] = tuple(
            replace(score, unscored=unscored) if score.coverage is not None else score
            for score in scores[QUESTION_METHOD]
        )
    ranked = dict.fromkeys(method for cell in file.cells for method in cell.relevance)
    found = rankings(scores)
    if file.ranked_by not in found:
        raise UnreadableReportError(
            f"this is no report: it is ranked by {file.ranked_by!r}, and has {', '.join(found)}"
        )
    known: dict[str, Any] = {
        each.name: getattr(file, each.name, None) for each in fields(GridReport)
    }
    found_out: dict[str, Any] = {
        "questions": tuple(questions.values()),
        "scores": scores,
        "rankings": found,
        "saliency": {each.arrangement: each.attention for each in file.saliency},
        "set_scores": tuple(each.set_score() for each in file.set_metrics),
        "similarity": file.similarity or None,
        "relevance": {
            name: tuple(cell.relevance.get(name) for cell in file.cells) for name in ranked
        },
    }
    report = GridReport(**known | found_out)
    images = tuple(cell.image for cell in file.cells)
    return StoredReport(
        report,
        file.model,
        file.seed,
        images,
        file.versions,
        _regenerated(file),
        {each.cell: each.found for each in file.cells if each.found},
        tuple(cell.name for cell in file.cells) if any(cell.name for cell in file.cells) else (),
        file.model_extra or {},
    )


def _read(plain: Mapping[str, Any]) -> ReportFile:
    from pydantic import ValidationError

    try:
        file = ReportFile.model_validate(plain)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UnreadableReportError(f"this is no report: {where}: {first['msg']}") from error
    if file.format > FORMAT:
        raise UnreadableReportError(
            f"the report has format {file.format}, and this version reads up to {FORMAT}; "
            "open it with the version that wrote it, or a later one"
        )
    return file


def _first_scores(report: GridReport) -> dict[str, ImageScore]:
    """Method -> the score of the first cell with an image: what is the same for all of them."""
    return {
        method: next((score for score in scores if score.coverage is not None), scores[0])
        for method, scores in report.scores.items()
        if scores
    }


def _cell_file(stored: StoredReport, cell: int) -> CellFile:
    report = stored.report
    scores = {method: each[cell] for method, each in report.scores.items()}
    asked = scores.get(QUESTION_METHOD)
    return CellFile(
        cell=cell,
        seed=stored.seed_of(cell),
        found=stored.found.get(cell, ""),
        image=stored.images[cell],
        name=stored.names[cell] if stored.names else "",
        rank=report.ranking.rank(cell),
        scores={method: score.value for method, score in scores.items()},
        relevance={method: chances[cell] for method, chances in report.relevance.items()},
        reasons={method: score.reason for method, score in scores.items() if score.reason},
        notes={method: score.note for method, score in scores.items() if score.note},
        signatures={
            method: str(score.signature) for method, score in scores.items() if score.signature
        },
        evidence=[EvidenceFile.of(entry) for entry in asked.evidence] if asked else [],
    )


def _score(
    method: str,
    cell: CellFile,
    questions: Mapping[tuple[str, int, int], QuestionAnswer],
    coverage: Coverage | None,
) -> ImageScore:
    signature = cell.signatures.get(method)
    entries = cell.evidence if method == QUESTION_METHOD else []
    evidence: tuple[Evidence, ...] = tuple(entry.evidence(questions) for entry in entries)
    return ImageScore(
        method,
        cell.scores[method],
        cell.reasons.get(method, ""),
        evidence,
        cell.notes.get(method, ""),
        Signature.parse(signature) if signature else None,
        coverage=coverage if cell.image is not None else None,
    )


def _regenerated(file: ReportFile) -> dict[int, int]:
    """Cell -> seed, where that is not the seed of its place."""
    seed = file.seed
    return {
        each.cell: each.seed
        for each in file.cells
        if seed is not None and each.seed is not None and each.seed != seed + each.cell
    }
