"""A report goes to a JSON file and comes back, pictures by name beside it.

Fields: prompt, bundle, model, rows, columns, seed, ranked_by, questions[], cells[] (cell, seed,
image, rank, scores, reasons, notes, signatures, evidence[]), saliency[], similarity[][],
set_metrics[], timings, versions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from alignment.ranking import rankings
from alignment.records import (
    AnswerSpan,
    Evidence,
    GridReport,
    ImageScore,
    QuestionAnswer,
    SetScore,
)

JUDGED_BY_QUESTIONS = "vq2"
"""The method whose evidence is stored."""
LIBRARIES = ("diffusers", "open_clip_torch", "spacy", "torch", "torchvision", "transformers")


@dataclass(frozen=True)
class StoredReport:
    """A report and what it takes to show it and to generate its pictures again."""

    report: GridReport
    model: str
    """What generated the pictures."""
    seed: int | None
    """Of cell 0; cell k has `seed + k`. None when the pictures were not generated here."""
    images: tuple[str | None, ...]
    """The file of each cell's picture, relative to the report's folder; None without a picture."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Library -> version."""
    regenerated: Mapping[int, int] = field(default_factory=dict)
    """Cell -> seed, of pictures that were generated again."""

    def seed_of(self, cell: int) -> int | None:
        """What the picture of a cell was generated from."""
        return None if self.seed is None else self.regenerated.get(cell, self.seed + cell)


def library_versions() -> dict[str, str]:
    """The versions of the libraries whose change may change a report."""
    return {name: version(name) for name in LIBRARIES}


def save_report(stored: StoredReport, path: Path) -> None:
    """Write a report as JSON."""
    text = json.dumps(report_json(stored), indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def load_report(path: Path) -> StoredReport:
    """Read a report that `save_report` wrote."""
    return stored_report(json.loads(path.read_text(encoding="utf-8")))


def report_json(stored: StoredReport) -> dict[str, Any]:
    """The report as plain dictionaries, lists, texts and numbers."""
    report = stored.report
    return {
        "prompt": report.prompt,
        "bundle": report.bundle,
        "model": stored.model,
        "rows": report.rows,
        "columns": report.columns,
        "seed": stored.seed,
        "ranked_by": report.ranked_by,
        "questions": [
            {
                **_pair_json(pair),
                "round_trip": pair.round_trip,
                "choices": list(pair.choices),
                "kind": pair.kind,
            }
            for pair in report.questions
        ],
        "cells": [_cell_json(stored, cell) for cell in range(len(stored.images))],
        "saliency": [
            {"arrangement": name, "attention": list(attention)}
            for name, attention in report.saliency.items()
        ],
        "similarity": [list(row) for row in report.similarity],
        "set_metrics": [_set_score_json(score) for score in report.set_scores],
        "timings": dict(report.timings),
        "versions": dict(stored.versions),
    }


def stored_report(plain: Mapping[str, Any]) -> StoredReport:
    """The report that `report_json` made plain."""
    questions = tuple(
        QuestionAnswer(
            each["question"],
            AnswerSpan(each["answer"], each["start"], each["end"]),
            each["round_trip"],
            tuple(each.get("choices", ())),
            each.get("kind", ""),
        )
        for each in plain["questions"]
    )
    cells = plain["cells"]
    scores = {
        method: tuple(_score(method, cell, questions) for cell in cells)
        for method in cells[0]["scores"]
    }
    report = GridReport(
        prompt=plain["prompt"],
        rows=plain["rows"],
        columns=plain["columns"],
        bundle=plain["bundle"],
        questions=questions,
        scores=scores,
        rankings=rankings(scores),
        ranked_by=plain["ranked_by"],
        saliency={each["arrangement"]: tuple(each["attention"]) for each in plain["saliency"]},
        set_scores=tuple(_set_score(each) for each in plain["set_metrics"]),
        similarity=tuple(tuple(row) for row in plain["similarity"]),
        timings=plain["timings"],
    )
    images = tuple(cell["image"] for cell in cells)
    seed = plain["seed"]
    regenerated = {
        each["cell"]: each["seed"]
        for each in cells
        if seed is not None and each["seed"] != seed + each["cell"]
    }
    return StoredReport(report, plain["model"], seed, images, plain["versions"], regenerated)


def _cell_json(stored: StoredReport, cell: int) -> dict[str, Any]:
    scores = {method: each[cell] for method, each in stored.report.scores.items()}
    return {
        "cell": cell,
        "seed": stored.seed_of(cell),
        "image": stored.images[cell],
        "rank": stored.report.ranking.rank(cell),
        "scores": {method: score.value for method, score in scores.items()},
        "reasons": {method: score.reason for method, score in scores.items() if score.reason},
        "notes": {method: score.note for method, score in scores.items() if score.note},
        "signatures": {
            method: score.signature for method, score in scores.items() if score.signature
        },
        "evidence": [_evidence_json(entry) for entry in scores[JUDGED_BY_QUESTIONS].evidence],
    }


def _evidence_json(entry: Evidence) -> dict[str, Any]:
    return {
        **_pair_json(entry.pair),
        "probability": entry.probability,
        "confidence": entry.confidence,
        "seen": entry.seen,
        "counted": entry.counted,
    }


def _pair_json(pair: QuestionAnswer) -> dict[str, Any]:
    return {
        "question": pair.question,
        "answer": pair.answer.text,
        "start": pair.answer.start,
        "end": pair.answer.end,
    }


def _score(
    method: str, cell: Mapping[str, Any], questions: tuple[QuestionAnswer, ...]
) -> ImageScore:
    evidence = zip(questions, cell["evidence"], strict=False)
    return ImageScore(
        method,
        cell["scores"][method],
        cell["reasons"].get(method, ""),
        tuple(
            Evidence(
                pair,
                each["probability"],
                each["confidence"],
                each["seen"],
                each.get("counted", True),
            )
            for pair, each in evidence
            if method == JUDGED_BY_QUESTIONS
        ),
        cell["notes"].get(method, ""),
        cell.get("signatures", {}).get(method, ""),
    )


def _set_score_json(score: SetScore) -> dict[str, Any]:
    """`name` is the metric's own name; the rest is as in the record."""
    plain = asdict(score)
    return {"name": plain.pop("metric"), **plain}


def _set_score(plain: Mapping[str, Any]) -> SetScore:
    return SetScore(metric=plain["name"], **{k: v for k, v in plain.items() if k != "name"})
