"""`score`: images that exist already against texts, as a matrix in CSV or JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import alignment
from alignment.records import ImageScore
from alignment.score_matrix import ScoreMatrix
from alignment.scorers import SCORERS
from cli.flags import read_texts, with_request
from request.parameters import Asked
from session.tables import csv_text
from session.uploads import read_upload
from ui.render.words import listed

if TYPE_CHECKING:
    from collections.abc import Sequence


@with_request("bundle", "vq2")
def score(
    images: Annotated[list[Path], typer.Argument(help="Image files: PNG, JPEG, WebP or GIF.")],
    texts: Annotated[
        Any, typer.Option(parser=read_texts, metavar="FILE", help="UTF-8, one text per line.")
    ],
    method: Annotated[str, typer.Option(help=f"One of {', '.join(SCORERS)}.")] = "vq2",
    *,
    asked: Asked,
    format: Annotated[  # noqa: A002  the name of the option
        Literal["csv", "json"],
        typer.Option(help="`csv`: one row per text; `json`: with evidence and reasons."),
    ] = "csv",
) -> None:
    """Score every image against every text.

    **Example**

        python app.py score red-car.png two-dogs.png --texts captions.txt > scores.csv

    The CSV has one row for each text and one column for each image; an empty field is an image that
    could not be judged, and the JSON says why. Words that the scores leave aside are named on
    standard error. The embedded models were trained on drawings, and cannot read photographs.
    """
    read = [read_upload(file, side=None) for file in images]
    request = asked()
    models = alignment.Models(alignment.find_bundle(request.bundle))
    matrix = alignment.score(read, texts, models, method, request.vq2)
    write = _write_csv if format == "csv" else _write_json
    write(matrix, [str(file) for file in images], texts)
    _warn_of_unjudged(texts, matrix.scores[0])


def _warn_of_unjudged(texts: Sequence[str], scores: Sequence[ImageScore]) -> None:
    """Name the words of each text that the scores of an image leave aside."""
    for text, score in zip(texts, scores, strict=True):
        left = score.coverage.uncovered if score.coverage and score.value is not None else ()
        if left:
            words = listed([f'"{word.text}"' for word in left])
            print(f"{text}: not judged: {words}", file=sys.stderr)


def _write_csv(matrix: ScoreMatrix, images: Sequence[str], texts: Sequence[str]) -> None:
    """Print one row for each text; a score that there is not is an empty field."""
    rows = (
        [text, *("" if each.value is None else f"{each.value:.6f}" for each in scores)]
        for text, scores in zip(texts, zip(*matrix.scores, strict=True), strict=True)
    )
    print(csv_text([["text", *images], *rows]), end="")


def _write_json(matrix: ScoreMatrix, images: Sequence[str], texts: Sequence[str]) -> None:
    """Print the matrix, image by image, with the evidence for each score."""
    scores = [[_as_plain(score) for score in row] for row in matrix.scores]
    whole = {"method": matrix.method, "images": images, "texts": texts, "scores": scores}
    print(json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False))


def _as_plain(score: ImageScore) -> dict[str, Any]:
    return {
        "value": score.value,
        "reason": score.reason,
        "evidence": [
            {
                "question": entry.pair.question,
                "answer": entry.pair.answer.text,
                "negated": entry.pair.negated,
                "probability": entry.probability,
                "seen": entry.seen,
            }
            for entry in score.evidence
        ],
        "unscored": [
            {"answer": each.pair.answer.text, "reason": each.reason} for each in score.unscored
        ],
        "coverage": asdict(score.coverage) if score.coverage else None,
        "signature": str(score.signature) if score.signature else "",
    }
