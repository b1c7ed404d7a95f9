"""The commands that measure checkpoints, and put the figures on their cards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from recipes.cards import CHECKPOINTS, Figure, write_figures

commands = typer.Typer()

Card = Annotated[
    bool, typer.Option("--card", help="Put the figures on the checkpoint's card, too.")
]


@commands.command("geneval")
def measure_geneval(
    prompts: Annotated[Path, typer.Argument(help="GenEval's evaluation_metadata.jsonl.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Prompts of each part.")] = None,
) -> None:
    """Say how many images of `icons` show what GenEval's prompts ask for. Ten minutes.

    Other images than GenEval's and read otherwise, so that no published figure compares.
    """
    from itertools import groupby

    from benchmarks.data.numbers import pivot, publish
    from benchmarks.stickers.generated import LoadedGenerator
    from recipes.geneval import measure, read_prompts

    parts = groupby(read_prompts(prompts), lambda prompt: prompt.part)
    some = [prompt for _, part in parts for prompt in [*part][:limit]]
    found = [*measure(some, LoadedGenerator.of("icons"))]
    publish("geneval", [pivot("GenEval's prompts as icons (95 %)", found, ["part"], "name")], found)


@commands.command("detector-accuracy")
def measure_detector(
    test_scenes: Annotated[int, typer.Option(min=1, help="Drawn scenes.")] = 1000,
) -> None:
    """Say how many drawn scenes, new to it, the benchmarks' detector reads right. A minute."""
    from alignment.statistics.intervals import measured_proportion
    from benchmarks.stickers.detector import load_detector
    from recipes.detector import accuracy
    from recipes.world.domains import ICONS, STICKERS_AMONG_ICONS

    for name, domain in (("icons", ICONS), ("stickers", STICKERS_AMONG_ICONS)):
        share = accuracy(load_detector(), domain, test_scenes)
        found = measured_proportion(share * test_scenes, test_scenes)
        print(f"{share:.3f} (95 %: {found.interval}) of {test_scenes} {name} read exactly right")


@commands.command()
def parser_accuracy(
    treebank: Annotated[Path, typer.Option(help="Folder of UD English EWT, .conllu.xz.")],
    card: Card = False,
) -> None:
    """Hold the shipped parser against EWT's dev part and held-out captions. Half a minute."""
    from recipes.parser.quality import evaluate, held_out_parts

    folder = CHECKPOINTS / "prompt-parser"
    _show(folder, evaluate(folder, held_out_parts(treebank)), card)


@commands.command()
def t5_accuracy(card: Card = False) -> None:
    """Say how well the shipped sticker-t5 asks, answers and contradicts. Two minutes."""
    from alignment.models.catalogue import find_bundle
    from alignment.models.loading import Models
    from recipes.t5.quality import evaluate

    model = Models(find_bundle("embedded")).question_writer
    _show(CHECKPOINTS / "sticker-t5", evaluate(model), card)


@commands.command()
def vlm_accuracy(card: Card = False) -> None:
    """Say how well the shipped icon-vlm answers what readers answered. Ten minutes at first.

    Most of them generate the images; these stay in `runs`.
    """
    from alignment.models.catalogue import find_bundle
    from alignment.models.loading import Models
    from recipes.vlm.answered_images import (
        HELD_OUT_IMAGES,
        AnsweredSet,
        read_answers,
        write_images,
    )
    from recipes.vlm.quality import evaluate

    asked = AnsweredSet.read(write_images(read_answers(held_out=True), HELD_OUT_IMAGES))
    _show(CHECKPOINTS / "icon-vlm", evaluate(Models(find_bundle("embedded")).answerer, asked), card)


@commands.command()
def figures(
    outputs: Annotated[
        list[Path], typer.Argument(help="Outputs of `python -m benchmarks stickers`.")
    ],
) -> None:
    """Put what the benchmark printed on the cards of the checkpoints; other figures stay."""
    from recipes.publish import qualities

    for output in outputs:
        line = output.read_text(encoding="utf-8").splitlines()[-1]
        for checkpoint, found in qualities(json.loads(line)).items():
            _show(CHECKPOINTS / checkpoint, found, card=True)


def _show(folder: Path, found: Mapping[str, Figure], card: bool) -> None:
    """Print the table, and put the figures on the card if it is asked for."""
    table = Table("", "figure (95 %)", title=folder.name)
    for name, each in found.items():
        table.add_row(name, str(each))
    Console().print(table)
    if card:
        print(write_figures(folder, found))
