"""Tables of what evaluators and text-to-image models are worth on the world of stickers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from benchmarks.data.numbers import blank_table
from benchmarks.stickers.quality import EvaluatorResults, Separation


def tables(measured: EvaluatorResults) -> tuple[Table, Table]:
    """What was measured of questions, and of captions."""
    questions = blank_table(
        f"Questions about {measured.pictures} held-out pictures (95 %, pictures drawn)",
        *("kind", "asked", "pictures", "yes/no, balanced", "95 %", "chance"),
        *("free answer right", "95 %", "chance"),
    )
    for kind, each in measured.answers.items():
        questions.add_row(
            *(kind, str(each.questions), str(each.pictures)),
            *(f"{each.balanced_accuracy:.3f}", _interval(each.balanced_interval), "0.5"),
            *(f"{each.exact:.3f}", _interval(each.exact_interval), f"{each.exact_by_chance:.3f}"),
        )
    kinds = sorted(measured.captions["vnli"].by_kind)
    captions = blank_table(
        "True captions against foils: ROC AUC (chance 0.5; 95 %, pictures drawn), by the claim "
        "that was changed",
        *("method", "n", "AUC", "95 %", "caption above foil", "95 %", *kinds),
    )
    captions.caption = measured.settings
    for method, found in measured.captions.items():
        captions.add_row(method, *_cells(found, kinds))
    return questions, captions


def _cells(found: Separation, kinds: Sequence[str]) -> tuple[str, ...]:
    known = (f"{found.auc:.3f}", _interval((found.low, found.high)))
    paired = (f"{found.paired:.3f}", _interval(found.paired_interval))
    each = (f"{found.by_kind[kind]:.2f}" if kind in found.by_kind else "" for kind in kinds)
    return (str(found.pictures), *known, *paired, *each)


def _interval(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.3f} .. {ends[1]:.3f}"


def sentence(measured: EvaluatorResults) -> str:
    """How often the weakest pair is where the mistake is."""
    found = measured.pointed
    return (
        f"Of {found.foils} foils, the weakest pair points at the changed words in "
        f"{found.share:.1%} (95 %: {found.low:.1%} .. {found.high:.1%}; a pair chosen at random: "
        f"{found.chance:.1%}); {found.unasked} more had no question."
    )
