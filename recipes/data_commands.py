"""The commands that write data: held-out pictures and prompts, labelled pairs, vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class SplitName(str, Enum):
    """The held-out sets of pictures."""

    development = "development"
    test = "test"


def draw_test_pictures(
    split: Annotated[
        SplitName,
        typer.Option(
            help="`development`: read for mistakes while training changed; `test`: scenes that are "
            "not in it, only ever scored."
        ),
    ] = SplitName.development,
    folder: Annotated[Path | None, typer.Option(help="Where pictures and scenes.jsonl go.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the scenes.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Pictures.")] = None,
) -> None:
    """Draw the held-out pictures that evaluators are measured on. A minute."""
    from recipes.world.held_out_pictures import SETS, apart_from, read_scenes, write_pictures

    usual = SETS[split.value]
    known = apart_from(read_scenes(SETS["development"][0])) if split is SplitName.test else None
    chosen = usual[1] if seed is None else seed
    write_pictures(folder or usual[0], chosen, count or usual[2], known)


def write_test_prompts(
    split: Annotated[SplitName, typer.Option(help="As of test-pictures.")] = SplitName.development,
    target: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the prompts.")] = None,
) -> None:
    """Write the held-out prompts that text-to-image models are measured on."""
    from recipes.world.held_out_prompts import SETS, stored_prompts, write_prompts

    usual = SETS[split.value]
    known = stored_prompts(SETS["development"][0]) if split is SplitName.test else ()
    write_prompts(target or usual[0], usual[1] if seed is None else seed, known)


def write_labelled_pairs(
    folder: Annotated[Path | None, typer.Option(help="Where `drawn` and `generated` go.")] = None,
    scenes: Annotated[int, typer.Option(min=0, help="Drawn scenes, two pairs each.")] = 1000,
    prompts: Annotated[int, typer.Option(min=0, help="Prompts of 4 images, 8 pairs each.")] = 200,
) -> None:
    """Write the development pairs that the embedded models are calibrated on. Six minutes.

    Fit with `python app.py calibrate runs/labelled/drawn/pairs.csv
    runs/labelled/generated/pairs.csv`.
    """
    from recipes.world.labelled_pairs import FOLDER, write_drawn_pairs, write_generated_pairs

    where = folder or FOLDER
    print(write_drawn_pairs(where / "drawn", 770_002, scenes))
    print(write_generated_pairs(where / "generated", 880_001, prompts))


def write_generated_pictures(
    pipeline: Annotated[
        Path, typer.Option(help="Folder of the pipeline, distilled to four steps.")
    ] = Path("assets/checkpoints/sticker-diffusion"),
    folder: Annotated[Path | None, typer.Option(help="Where the pictures go.")] = None,
    count: Annotated[int, typer.Option(min=1, help="Pictures.")] = 9000,
) -> None:
    """Generate right pictures and smears, labelled, for VLM and detector. 40 minutes."""
    from recipes.diffusion.generated_pictures import FOLDER, write_set

    print(write_set(pipeline, folder or FOLDER, count))


def vocabulary(
    target: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
) -> None:
    """Write what the embedded models know about, for the page."""
    from recipes.world.vocabulary import TARGET, write_vocabulary

    write_vocabulary(target or TARGET)


def held_out(
    prompts: Annotated[Path, typer.Argument(help="GenEval's evaluation_metadata.jsonl.")],
) -> None:
    """List the compositions of GenEval's prompts, which training must not show."""
    from recipes.world.icons.splits import write_compositions

    print(write_compositions(prompts))


def reading_sample(
    count: Annotated[int, typer.Option(min=1, help="Questions.")] = 200,
) -> None:
    """Print questions that survive every check, and how many a reader found sound. A minute."""
    from recipes.t5.reading_sample import print_questions

    print_questions(count)


DATA_COMMANDS: Mapping[str, Callable[..., None]] = {
    "test-pictures": draw_test_pictures,
    "test-prompts": write_test_prompts,
    "labelled-pairs": write_labelled_pairs,
    "generated-pictures": write_generated_pictures,
    "vocabulary": vocabulary,
    "held-out": held_out,
    "reading-sample": reading_sample,
}
"""Each by its name on the command line."""
