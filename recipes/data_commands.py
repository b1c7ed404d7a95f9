"""The commands that write data: held-out images and prompts, labelled pairs, vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

commands = typer.Typer()
Held = Literal["development", "test"]
World = Annotated[
    Literal["stickers", "icons"],
    typer.Option(help="`stickers`: 48 things, as published. `icons`: GenEval's 80 and 76 more."),
]


@commands.command("test-images")
def draw_test_images(
    split: Annotated[
        Held,
        typer.Option(
            help="`development`: read for mistakes while training changed; `test`: scenes that are "
            "not in it, only ever scored."
        ),
    ] = "development",
    world: Annotated[
        Literal["stickers", "icons", "many-icons"],
        typer.Option(help="`many-icons`: five or six things each, of which nothing is held out."),
    ] = "stickers",
    folder: Annotated[Path | None, typer.Option(help="Where images and scenes.jsonl go.")] = None,
) -> None:
    """Draw the held-out images that evaluators are measured on. A minute."""
    from recipes.world import held_out_images as held

    sets, domain = held.WORLDS[world]
    usual, seed, count = sets[split]
    others = held.read_scenes(sets["development"][0]) if split == "test" else []
    held.write_images(folder or usual, seed, count, held.marks_of(others), domain)


@commands.command("test-prompts")
def write_test_prompts(
    split: Annotated[Held, typer.Option(help="As of test-images.")] = "development",
    target: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
) -> None:
    """Write the held-out prompts that text-to-image models are measured on."""
    from benchmarks.stickers.prompts import read_lines
    from recipes.world.held_out_prompts import SETS, write_prompts

    usual, seed = SETS[split]
    known = [*read_lines(SETS["development"][0])] if split == "test" else []
    write_prompts(target or usual, seed, {each.prompt for each in known})


@commands.command("labelled-pairs")
def write_labelled_pairs() -> None:
    """Write the development pairs that the embedded models are calibrated on. Half an hour.

    Fit with `python app.py calibrate runs/labelled/*/pairs.csv`, once for each `--method`.
    """
    from benchmarks.stickers.generated import LoadedGenerator
    from recipes.diffusion.read_things import ReadAs
    from recipes.history import icons_at
    from recipes.vlm.answered_images import HELD_OUT_IMAGES, read_answers
    from recipes.vlm.answered_pairs import write_answered_pairs
    from recipes.world import labelled_pairs as pairs
    from recipes.world.domains import (
        ICONS,
        STICKERS,
        TOUCHING_ICONS,
        WHOLE_FREE_STICKERS,
        WHOLE_TELLING_ICONS,
        Domain,
    )

    icons = icons_at()
    worlds: tuple[tuple[ReadAs, Domain, Domain, int, LoadedGenerator], ...] = (
        ("icons", ICONS, WHOLE_TELLING_ICONS, 300, icons),
        ("stickers", STICKERS, WHOLE_FREE_STICKERS, 150, LoadedGenerator.of("stickers")),
    )
    for name, drawn, generated, count, model in worlds:
        print(pairs.write_drawn_pairs(pairs.FOLDER / f"{name}-drawn", 770_002, 500, drawn))
        folder = pairs.FOLDER / f"{name}-generated"
        print(pairs.write_recognised_pairs(folder, 880_001, count, generated, model, name))
    folder = pairs.FOLDER / "icons-touching"
    print(pairs.write_recognised_pairs(folder, 880_001, 100, TOUCHING_ICONS, icons, "touching"))
    asked = read_answers(held_out=True)
    print(write_answered_pairs(pairs.FOLDER / "icons-typed", asked, HELD_OUT_IMAGES))


@commands.command()
def vocabulary() -> None:
    """Write what the embedded models know about, for the page: the stickers, then the icons."""
    from recipes.world.vocabulary import TARGETS, write_vocabulary

    for target, world in TARGETS.items():
        write_vocabulary(target, world)
