"""Text-to-image alignment: scores for images, a ranking of a grid, and its set metrics."""

from __future__ import annotations

from alignment.changes import rerank, rescore, with_targets
from alignment.errors import AlignmentError
from alignment.evaluation import Stage, evaluate, measured, read_prompt
from alignment.models.catalogue import BUNDLES, find_bundle
from alignment.models.loading import Models
from alignment.questions.settings import Vq2Settings
from alignment.ranking import METHODS
from alignment.report import StoredReport, library_versions, load_report, save_report
from alignment.score_matrix import ScoreMatrix, score

__all__ = [
    "BUNDLES",
    "METHODS",
    "AlignmentError",
    "Models",
    "ScoreMatrix",
    "Stage",
    "StoredReport",
    "Vq2Settings",
    "evaluate",
    "find_bundle",
    "rescore",
    "library_versions",
    "load_report",
    "measured",
    "read_prompt",
    "rerank",
    "save_report",
    "score",
    "with_targets",
]
