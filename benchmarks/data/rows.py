"""Rows of published tables: the same pairs by several methods, models or settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from benchmarks.data.scored_pairs import LabelledScores, read_scored
from benchmarks.options import Evaluators, PairSource, bundle_with, vq2_settings
from session.errors import DataError


@dataclass(frozen=True)
class TableRow:
    """One row: a method, with which models and settings."""

    method: str
    roles: Sequence[str] = ()
    """Like "clip=clip-rn50x64": models that take the place of those of the bundle."""
    vq2: Sequence[str] = ()
    """Like "assessment=A": settings of VQ2."""


PublishedTable = Literal["table-2", "table-7"]
TABLES: Mapping[PublishedTable, Mapping[str, TableRow]] = MappingProxyType(
    {
        "table-2": {
            "CLIP RN50x64": TableRow("clip", ("clip=clip-rn50x64",)),
            "CLIP ViT-L/14": TableRow("clip", ("clip=clip-vit-l-14",)),
            "CoCa ViT-L/14": TableRow("clip", ("clip=coca-vit-l-14",)),
            "CoCa ViT-L/14 (COCO)": TableRow("clip", ("clip=coca-vit-l-14-coco",)),
            "BLIP": TableRow("itm", ("matcher=blip-itm",)),
            "BLIP-2 (COCO)": TableRow("itm", ("matcher=blip2-itm",)),
            "TIFA": TableRow("tifa"),
            "VQ2": TableRow("vq2"),
            "VNLI, zero-shot": TableRow("vnli"),
            "mean of VQ2 and VNLI": TableRow("mean"),
        },
        "table-7": {
            assessment + ending: TableRow("vq2", vq2=(f"assessment={assessment}", spans))
            for assessment in "ABC"
            for ending, spans in (
                ("", "multi_word=yes"),
                (", no multi-word spans", "multi_word=no"),
            )
        },
    }
)
"""Tables of "What You See is What You Read?", M. Yarom et al., 2023: zero-shot methods, and ways of
assessing VQ2's answers (appendix A.3). OFA has no class in transformers and is left out; BLIP-2
stands in for PaLI, whose weights were never published, and VNLI is not fine-tuned."""


def choose_rows(rows: Mapping[str, TableRow], names: Sequence[str] | None) -> dict[str, TableRow]:
    """The rows of these names, or all.

    Raises:
        DataError: there is no such row.
    """
    for name in names or ():
        if name not in rows:
            raise DataError(f"no row {name!r}; known: {', '.join(rows)}")
    return {name: row for name, row in rows.items() if not names or name in names}


def score_rows(
    rows: Mapping[str, TableRow], source: PairSource, chosen: Evaluators
) -> list[LabelledScores]:
    """Every pair with its score in each row, by the name of the row.

    Args:
        rows: by name; their models come after those that were chosen.
        source: of the pairs.
        chosen: the bundle, and where scores are kept.
    """
    columns = {name: read_scored(source, _as_in(row, chosen)) for name, row in rows.items()}
    pairs = next(iter(columns.values()))
    return [
        LabelledScores(
            each.pair,
            {name: column[at].scores[rows[name].method] for name, column in columns.items()},
        )
        for at, each in enumerate(pairs)
    ]


def _as_in(row: TableRow, chosen: Evaluators) -> Evaluators:
    bundle = bundle_with(chosen.bundle, row.roles)
    return replace(chosen, bundle=bundle, methods=(row.method,), vq2=vq2_settings(row.vq2))
