"""`python -m benchmarks geneval`: its options, and the tables and the JSON line it prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from alignment.evaluation import read_prompt
from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.ranking import mean
from alignment.scorers import SCORERS, ScoringInput
from benchmarks.geneval.protocol import PARTS, GenevalPrompt, failure, read_prompts
from benchmarks.geneval.results import (
    PUBLISHED,
    PictureResult,
    ResultFile,
    accuracies,
    file_hash,
    first_ranked,
)
from benchmarks.progress import watched
from benchmarks.stickers.detector import FOLDER, Detector, detect, load_detector, to_pixels
from benchmarks.stickers.generated import LoadedGenerator
from generation import find_model, load_pipeline
from session.errors import DataError

METHODS = ("vq2", "vnli", "mean")
"""Methods by which pictures are ranked."""
SEED = 4000
"""Of the first picture of the first prompt."""
SIDE = {4: (2, 2), 9: (3, 3), 1: (1, 1)}
"""Pictures of a prompt -> rows and columns of their grid."""


@dataclass(frozen=True)
class GenevalRun:
    """What one run of the benchmark needs at hand."""

    generator: LoadedGenerator
    detector: Detector
    models: Models | None
    """Evaluators that rank the pictures; None for no ranking."""
    images: int
    """Pictures of each prompt."""

    def results(self, prompt: GenevalPrompt, seed: int) -> list[PictureResult]:
        """Generate the pictures of a prompt, read them, and score them if asked to."""
        images = self.generator.grid(prompt.prompt, SIDE[self.images], seed)
        scenes = detect(self.detector, to_pixels(images))
        scores = self._scores(prompt.prompt, images)
        return [
            PictureResult(prompt.prompt, prompt.part, seed + cell, failure(prompt, scene), score)
            for cell, (scene, score) in enumerate(zip(scenes, scores, strict=True))
        ]

    def _scores(self, text: str, images: Sequence[Image]) -> list[Mapping[str, float | None]]:
        if self.models is None:
            return [{} for _ in images]
        scored, pictures = ScoringInput(text, read_prompt(text, self.models)), Pictures(images)
        columns = {
            name: [each.value for each in SCORERS[name].build(self.models).score(scored, pictures)]
            for name in ("vq2", "vnli")
        }
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(METHODS, (*row, mean(row)), strict=True)) for row in rows]


def main(
    prompts: Annotated[Path, typer.Argument(help="Prompts in GenEval's jsonl format.")],
    model: Annotated[
        str, typer.Option(help="Text-to-image model: a name in `generation.MODELS`.")
    ] = "stickers",
    detector: Annotated[
        Path, typer.Option(help="Folder of the detector that reads the pictures.")
    ] = FOLDER,
    images: Annotated[
        int, typer.Option(help="Pictures of each prompt: 1, 4 as published, or 9.")
    ] = 4,
    bundle: Annotated[
        str | None,
        typer.Option(help="Evaluators that also rank the pictures of each prompt, with 9 images."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first prompts of each part; 5 is a look.")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder of the results; a run that was stopped goes on there.")
    ] = Path("runs/geneval"),
) -> None:
    """Print the table, then one JSON line."""
    if images not in SIDE:
        raise DataError(f"--images is {images}; accepted: {', '.join(map(str, SIDE))}")
    asked = read_prompts(prompts, limit)
    weights = file_hash(detector / "detector.safetensors")
    signed = f"GenEval|model:{model}|detector:{weights}|images:{images}|ranked:{bundle}"
    stored = ResultFile(out, signed)
    spec = find_model(model)
    run = GenevalRun(
        LoadedGenerator(load_pipeline(spec), spec),
        load_detector(detector),
        Models(find_bundle(bundle)) if bundle else None,
        images,
    )
    for result in _missing(asked, stored, run):
        stored.append(result)
    wanted = {prompt.prompt for prompt in asked}
    _print([each for each in stored.read() if each.prompt in wanted], signed, bundle)


def _missing(
    prompts: Sequence[GenevalPrompt], stored: ResultFile, run: GenevalRun
) -> Iterator[list[PictureResult]]:
    """The results that are not stored yet, prompt by prompt."""
    known = {(each.prompt, each.seed) for each in stored.read()}
    left = [
        (prompt, SEED + run.images * index)
        for index, prompt in enumerate(prompts)
        if (prompt.prompt, SEED + run.images * index) not in known
    ]
    for prompt, seed in watched(left, "prompts"):
        yield run.results(prompt, seed)


def _print(results: Sequence[PictureResult], signed: str, bundle: str | None) -> None:
    rows = {"every picture": accuracies(results)}
    if bundle:
        rows |= {f"first by {m}": accuracies(first_ranked(results, m)) for m in METHODS}
    Console().print(_table(rows, len(results)), "", *_sources(), sep="\n")
    print(json.dumps({"signature": f"{signed}|n:{len(results)}", **rows}))


def _table(rows: Mapping[str, Mapping[str, float]], pictures: int) -> Table:
    table = Table("", *PARTS, "overall", title=f"GenEval, {pictures} pictures of stickers")
    for name, found in rows.items():
        table.add_row(name, *(_cell(found.get(part)) for part in (*PARTS, "overall")))
    table.add_section()
    for number, row in enumerate(PUBLISHED, start=1):
        cells = (_cell(row.parts.get(part)) for part in PARTS)
        table.add_row(f"{row.model} [{number}]", *cells, _cell(row.overall))
    return table


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _sources() -> Iterator[str]:
    yield "Published figures are of photographs, read by Mask2Former and CLIP:"
    yield from (f"[{number}] {row.source}" for number, row in enumerate(PUBLISHED, start=1))
