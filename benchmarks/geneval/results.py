"""Results of a GenEval run: stored line by line, so that a stopped run goes on, and summed up.

The published figures beside them are of photographs, read by Mask2Former and CLIP.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.geneval.protocol import PARTS
from session.errors import DataError


@dataclass(frozen=True)
class PictureResult:
    """What became of one picture."""

    prompt: str
    part: str
    seed: int
    failure: str
    """Empty when the picture satisfies its prompt."""
    scores: Mapping[str, float | None]
    """Method -> alignment score; empty where none was asked for."""

    @property
    def correct(self) -> bool:
        """Whether the picture satisfies its prompt."""
        return not self.failure


class ResultFile:
    """The results in a folder; one signature, so that two different runs are never mixed."""

    def __init__(self, folder: Path, signature: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "results.jsonl"
        stored = folder / "signature.txt"
        if stored.exists() and stored.read_text(encoding="utf-8") != signature:
            raise DataError(
                f"{folder} holds results of {stored.read_text(encoding='utf-8')!r}, this run is "
                f"{signature!r}; choose another folder with --out"
            )
        stored.write_text(signature, encoding="utf-8")

    def read(self) -> list[PictureResult]:
        """All results so far; a line that was cut off when a run was killed is left out."""
        if not self.path.exists():
            return []
        parsed = map(_parse, self.path.read_text(encoding="utf-8").splitlines())
        return [result for result in parsed if result is not None]

    def append(self, results: Iterable[PictureResult]) -> None:
        """Add results, each as a line."""
        lines = "".join(json.dumps(asdict(result)) + "\n" for result in results)
        cut = self.path.exists() and not self.path.read_bytes().endswith(b"\n")
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("\n" if cut and self.path.stat().st_size else "") + lines)


def _parse(line: str) -> PictureResult | None:
    """The result of a line; None for one that was cut off."""
    try:
        return PictureResult(**json.loads(line))
    except (ValueError, TypeError):
        return None


def file_hash(file: Path) -> str:
    """The first ten digits of a file's SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:10]


def accuracies(results: Iterable[PictureResult]) -> dict[str, float]:
    """Part -> share of its pictures that are correct; "overall" is the mean of the parts.

    >>> one = PictureResult("a photo of a cow", "single_object", 1, "", {})
    >>> two = PictureResult("a photo of two cows", "counting", 1, "1 instead of 2 of cow", {})
    >>> accuracies([one, two])
    {'single_object': 1.0, 'counting': 0.0, 'overall': 0.5}
    """
    found = defaultdict[str, list[bool]](list)
    for result in results:
        found[result.part].append(result.correct)
    shares = {part: float(np.mean(found[part])) for part in PARTS if part in found}
    return {**shares, "overall": float(np.mean(list(shares.values())))} if shares else {}


def first_ranked(results: Iterable[PictureResult], method: str) -> list[PictureResult]:
    """Of each prompt the picture that a method ranks first; unscored pictures come last."""
    grids = defaultdict[str, list[PictureResult]](list)
    for result in results:
        grids[result.prompt].append(result)
    return [
        max(grid, key=lambda each: _or_last(each.scores.get(method))) for grid in grids.values()
    ]


def _or_last(score: float | None) -> float:
    return -1.0 if score is None else score


@dataclass(frozen=True)
class PublishedRow:
    """What a paper prints of a model."""

    model: str
    overall: float
    parts: Mapping[str, float]
    """Empty where the source gives the overall figure alone."""
    source: str


def _parts(*values: float) -> Mapping[str, float]:
    return dict(zip(PARTS, values, strict=True))


PUBLISHED = (
    PublishedRow(
        "Stable Diffusion 1.5",
        0.43,
        _parts(0.97, 0.38, 0.35, 0.76, 0.04, 0.06),
        "Ghosh et al., 2023, arXiv 2310.11513",
    ),
    PublishedRow(
        "SDXL",
        0.55,
        _parts(0.98, 0.74, 0.39, 0.85, 0.15, 0.23),
        "Ghosh et al., 2023, arXiv 2310.11513",
    ),
    PublishedRow(
        "Stable Diffusion 3.5 large", 0.71, {}, "Xie et al., SANA 1.5, 2025, arXiv 2501.18427"
    ),
    PublishedRow(
        "SANA 1.5 with search by VILA-Judge",
        0.96,
        {},
        "Xie et al., SANA 1.5, 2025, arXiv 2501.18427",
    ),
)
