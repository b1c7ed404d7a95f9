"""Tables of what evaluators and text-to-image models are worth on the world of stickers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from benchmarks.stickers.evaluators import EvaluatorResults, Separation


def tables(measured: EvaluatorResults) -> tuple[Table, Table]:
    """What was measured of questions, and of captions."""
    questions = Table(title=f"Questions about {measured.pictures} held-out pictures")
    _columns(questions, "kind", "asked", "yes/no, balanced", "free answer right")
    for kind, each in measured.answers.items():
        numbers = (f"{each.balanced_accuracy:.3f}", f"{each.exact:.3f}")
        questions.add_row(kind, str(each.questions), *numbers)
    captions = Table(title="True captions against foils: ROC AUC, by the claim that was changed")
    kinds = sorted(measured.captions["vnli"].by_kind)
    _columns(captions, "method", "n", "AUC", "95 %", "caption above foil", *kinds)
    for method, found in measured.captions.items():
        captions.add_row(method, *_cells(found, kinds))
    return questions, captions


def _columns(table: Table, first: str, *others: str) -> None:
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")


def _cells(found: Separation, kinds: Sequence[str]) -> tuple[str, ...]:
    known = (f"{found.auc:.3f}", f"{found.low:.3f} .. {found.high:.3f}", f"{found.paired:.3f}")
    each = (f"{found.by_kind[kind]:.2f}" if kind in found.by_kind else "" for kind in kinds)
    return (str(found.pictures), *known, *each)


def sentence(measured: EvaluatorResults) -> str:
    """How often the weakest pair is where the mistake is."""
    return (
        f"Of the foils, the weakest pair points at the changed words in {measured.pointed:.1%}; "
        f"{measured.unasked} more had no question."
    )
