"""Tables of what evaluators and text-to-image models are worth on the world of stickers."""

from __future__ import annotations

from rich.table import Table

from alignment.statistics.intervals import Measured
from benchmarks.data.numbers import blank_table
from benchmarks.stickers.quality import EvaluatorResults


def tables(measured: EvaluatorResults) -> tuple[Table, Table]:
    """What was measured of questions, and of captions."""
    questions = blank_table(
        f"Questions about {measured.pictures} held-out pictures (95 %, pictures drawn)",
        *("kind", "asked", "pictures", "yes/no, balanced", "95 %", "chance"),
        *("free answer right", "95 %", "chance"),
    )
    for kind, each in measured.answers.items():
        questions.add_row(
            *(kind, str(each.questions), str(each.exact.n)),
            *(*_cells(each.balanced_accuracy), "0.5"),
            *(*_cells(each.exact), f"{each.exact_by_chance:.3f}"),
        )
    kinds = sorted(measured.captions["vnli"].by_kind)
    captions = blank_table(
        "True captions against foils: ROC AUC (chance 0.5; 95 %, pictures drawn), by the claim "
        "that was changed",
        *("method", "n", "AUC", "95 %", "caption above foil", "95 %", *kinds),
    )
    captions.caption = measured.settings
    for method, found in measured.captions.items():
        known = (f"{found.by_kind[kind]:.2f}" if kind in found.by_kind else "" for kind in kinds)
        row = (str(found.auc.n), *_cells(found.auc), *_cells(found.paired), *known)
        captions.add_row(method, *row)
    return questions, captions


def _cells(found: Measured) -> tuple[str, str]:
    return f"{found.value:.3f}", found.interval


def sentence(measured: EvaluatorResults) -> str:
    """How often the weakest pair is where the mistake is."""
    found, share = measured.pointed, measured.pointed.share
    return (
        f"Of {share.n} foils, the weakest pair points at the changed words in {share.value:.1%} "
        f"(95 %: {share.low:.1%} .. {share.high:.1%}; a pair chosen at random: "
        f"{found.chance:.1%}); {found.unasked} more had no question."
    )
