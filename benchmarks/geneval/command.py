"""`python -m benchmarks geneval`: its options, and the table and the JSON line it prints."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from benchmarks import options as given
from benchmarks.data.numbers import blank_table
from benchmarks.geneval.protocol import PARTS, GenevalPrompt, failure, read_prompts
from benchmarks.progress import watched
from benchmarks.stickers.detector import FOLDER, Detector, detect, load_detector, to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from session.batch.ledger import open_ledger, recorded

SEED = 4000
"""Of the first picture of the first prompt."""
SIDE = 2
"""Rows and columns of the pictures of a prompt: four, as published."""


@dataclass(frozen=True)
class PictureResult:
    """What became of one picture."""

    prompt: str
    part: str
    seed: int
    failure: str
    """Empty when the picture satisfies its prompt."""


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


GHOSH, SANA = "Ghosh et al., 2023, arXiv 2310.11513", "Xie et al., SANA 1.5, 2025, arXiv 2501.18427"
PUBLISHED = (
    PublishedRow("Stable Diffusion 1.5", 0.43, _parts(0.97, 0.38, 0.35, 0.76, 0.04, 0.06), GHOSH),
    PublishedRow("SDXL", 0.55, _parts(0.98, 0.74, 0.39, 0.85, 0.15, 0.23), GHOSH),
    PublishedRow("Stable Diffusion 3.5 large", 0.71, {}, SANA),
    PublishedRow("SANA 1.5 with search by VILA-Judge", 0.96, {}, SANA),
)


def main(
    prompts: Annotated[Path, typer.Argument(help="Prompts in GenEval's jsonl format.")],
    model: given.ModelName = "stickers",
    detector: Annotated[
        Path, typer.Option(help="Folder of the detector that reads the pictures.")
    ] = FOLDER,
    limit: given.Limit = None,
    out: Annotated[
        Path, typer.Option(help="Folder of the results; a run that was stopped goes on there.")
    ] = Path("runs/geneval"),
) -> None:
    """Print the table, then one JSON line."""
    asked = read_prompts(prompts, limit)
    weights = hashlib.sha256((detector / "detector.safetensors").read_bytes()).hexdigest()[:10]
    signed = f"GenEval|model:{model}|detector:{weights}"
    generator, reader = LoadedGenerator.of(model), load_detector(detector)
    found: list[PictureResult] = []
    with open_ledger(out, "geneval") as write:
        known = {key: json.loads(line) for key, line in recorded(out).items()}
        for index, prompt in enumerate(watched(asked, "prompts")):
            seed = SEED + SIDE**2 * index
            key = f"{signed}|{seed}|{prompt.prompt}"
            if key not in known:
                fresh = generate(prompt, seed, generator, reader)
                known[key] = {"id": key, "pictures_read": [asdict(each) for each in fresh]}
                write(known[key])
            found += [PictureResult(**each) for each in known[key]["pictures_read"]]
    shares = accuracies(found)
    Console().print(_table(shares, len(found)), "", *_sources(), sep="\n")
    print(json.dumps({"signature": f"{signed}|n:{len(found)}", "every picture": shares}))


def generate(
    prompt: GenevalPrompt, seed: int, generator: LoadedGenerator, detector: Detector
) -> list[PictureResult]:
    """The pictures of a prompt, read by the detector."""
    images = generator.grid(prompt.prompt, (SIDE, SIDE), seed)
    return [
        PictureResult(prompt.prompt, prompt.part, seed + cell, failure(prompt, scene))
        for cell, scene in enumerate(detect(detector, to_pixels(images)))
    ]


def accuracies(results: Iterable[PictureResult]) -> dict[str, float]:
    """Part -> share of its pictures that are correct; "overall" is the mean of the parts.

    >>> one = PictureResult("a photo of a cow", "single_object", 1, "")
    >>> two = PictureResult("a photo of two cows", "counting", 1, "1 instead of 2 of cow")
    >>> accuracies([one, two])
    {'single_object': 1.0, 'counting': 0.0, 'overall': 0.5}
    """
    found = defaultdict[str, list[bool]](list)
    for result in results:
        found[result.part].append(not result.failure)
    shares = {part: float(np.mean(found[part])) for part in PARTS if part in found}
    return {**shares, "overall": float(np.mean(list(shares.values())))} if shares else {}


def _table(shares: Mapping[str, float], pictures: int) -> Table:
    columns = (*PARTS, "overall")
    table = blank_table(f"GenEval, {pictures} pictures of stickers", "", *columns)
    table.add_row("every picture", *_cells([shares.get(part) for part in columns]))
    table.add_section()
    for number, row in enumerate(PUBLISHED, start=1):
        cells = _cells([*(row.parts.get(part) for part in PARTS), row.overall])
        table.add_row(f"{row.model} [{number}]", *cells)
    return table


def _cells(values: Sequence[float | None]) -> list[str]:
    return ["" if value is None else f"{value:.2f}" for value in values]


def _sources() -> Iterator[str]:
    yield "Published figures are of photographs, read by Mask2Former and CLIP:"
    yield from (f"[{number}] {row.source}" for number, row in enumerate(PUBLISHED, start=1))
