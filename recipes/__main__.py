"""`python -m recipes NAME`: how each embedded checkpoint is trained, measured and published."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from recipes import data_commands, measure_commands
from recipes.data_commands import World

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="""Train the embedded checkpoints from nothing.

    Install what drawing and the parser need first: `cd recipes && npm install && pip install -r
    requirements.txt`. Every training writes its state every two minutes and goes on from there when
    it is started again; `--steps` makes a short first look. Times are for one thread
    (`OMP_NUM_THREADS=1`) of a server CPU with bf16. On a GPU, or several, start the same command
    with accelerate: `accelerate launch -m recipes text-to-image --world icons`; on two cores at
    once with PyTorch: `torchrun --nproc_per_node 2 -m recipes text-to-image --world icons`.
    """,
)


LastPhase = Annotated[
    bool,
    typer.Option(
        "--last-phase",
        help="Make the model that ships of the one that is measured: nothing is held out.",
    ),
]
Further = Annotated[
    bool, typer.Option("--further", help="Go on from the checkpoint of icons. 70 minutes.")
]
BeginWith = Annotated[
    Path | None, typer.Option(help="Folder of the model whose weights it begins with.")
]
Run = Annotated[Path | None, typer.Option(help="Folder of the training's state and log.")]
Steps = Annotated[
    int | None, typer.Option(min=1, help="Steps of the last phase, instead of the recipe's own.")
]


def _given(settings: Any, steps: int | None, last: str = "schedule", **given: Any) -> Any:
    """The settings of a recipe with what the command line says otherwise.

    Args:
        settings: a frozen record.
        steps: of its last phase.
        last: the field with the schedule of that phase.
        given: other fields, None where the recipe's own hold.
    """
    known = {name: value for name, value in given.items() if value is not None}
    if steps:
        known[last] = replace(getattr(settings, last), steps=steps)
    return replace(settings, **known)


@app.command()
def autoencoder(
    world: World = "stickers",
    begin_with: BeginWith = None,
    run: Run = None,
    steps: Steps = None,
) -> None:
    """Train the autoencoder of the diffusion model. 40 minutes; for icons, a night."""
    from recipes.diffusion.autoencoder import SETTINGS, train

    print(train(_given(SETTINGS[world], steps, "alone", start=begin_with, run=run)))


@app.command()
def text_to_image(
    world: World = "stickers",
    last_phase: LastPhase = False,
    further: Further = False,
    begin_with: BeginWith = None,
    run: Run = None,
    steps: Steps = None,
) -> None:
    """Train text encoder and UNet. 3 hours; a last phase, 30 minutes or, for icons, a night."""
    from recipes.diffusion.text_to_image import FURTHER, LAST_PHASE, SETTINGS, train

    known = FURTHER if further else (LAST_PHASE if last_phase else SETTINGS)[world]
    print(train(_given(known, steps, start=begin_with, run=run)))


@app.command()
def distil(
    last_phase: LastPhase = False,
    teacher: Annotated[Path | None, typer.Option(help="Folder of the pipeline to distil.")] = None,
    run: Run = None,
    steps: Steps = None,
) -> None:
    """Distil the pipeline of stickers to few steps without guidance. 50 minutes in fp32.

    Make the teacher first: `python -m recipes pipeline`.
    """
    from recipes.diffusion.distillation import LAST_PHASE, SETTINGS
    from recipes.diffusion.distillation import distil as distil_pipeline

    known = LAST_PHASE if last_phase else SETTINGS
    print(distil_pipeline(_given(known, steps, teacher=teacher, run=run)))


@app.command()
def pipeline(
    autoencoder: Annotated[Path, typer.Option(help="Folder of the trained autoencoder.")] = Path(
        "runs/autoencoder/finished"
    ),
    text_to_image: Annotated[Path, typer.Option(help="Folder of text encoder and UNet.")] = Path(
        "runs/text-to-image/finished"
    ),
    target: Annotated[Path, typer.Option(help="Folder to write the pipeline to.")] = Path(
        "runs/teacher"
    ),
) -> None:
    """Assemble autoencoder, text encoder and UNet: what is distilled, or begun with, afterwards."""
    from recipes.diffusion.pipeline import assemble

    print(assemble(autoencoder, text_to_image, target))


@app.command()
def vlm(world: World = "stickers", run: Run = None, steps: Steps = None) -> None:
    """Train the vision-language model. 6 hours for stickers, 4 for icons, which go on from them."""
    from recipes.vlm.train import SETTINGS, train

    print(train(_given(SETTINGS[world], steps, "answer", run=run)))


@app.command()
def generated_images(
    world: World = "stickers",
    pipeline: Annotated[Path | None, typer.Option(help="Folder of a pipeline.")] = None,
) -> None:
    """Generate right images and smears, labelled, for the VLM. An hour for icons, whose images are
    those that readers saw, by the pipelines of that time, from this clone's history.
    """
    from recipes.diffusion.generated_images import SETTINGS, write_set
    from recipes.history import READ_AT, shipped_at
    from recipes.vlm.answered_images import IMAGES, read_answers, write_images

    if world == "icons" and not pipeline:
        pipeline = shipped_at(READ_AT, "icon-diffusion")
    print(write_set(_given(SETTINGS[world], None, pipeline=pipeline)))
    if world == "icons":
        print(write_images(read_answers(held_out=False), IMAGES))


@app.command()
def vlm_last_phase(
    further: Annotated[
        bool, typer.Option("--further", help="Go on from the checkpoint. 25 minutes.")
    ] = False,
    begin_with: BeginWith = None,
    run: Run = None,
    steps: Steps = None,
) -> None:
    """Make the VLM that ships: it sees every composition, and generated images. 45 minutes.

    Make the images of both worlds first: `python -m recipes generated-images`, and again with
    `--world icons`.
    """
    from recipes.vlm.last_phase import FURTHER, LastPhaseSettings, train

    known = FURTHER if further else LastPhaseSettings()
    print(train(_given(known, steps, start=begin_with, run=run)))


@app.command()
def clip(run: Run = None, steps: Steps = None) -> None:
    """Train the CLIP. 20 minutes."""
    from recipes.clip import ClipSettings, train

    print(train(_given(ClipSettings(), steps, run=run)))


@app.command()
def detector(
    run: Run = None,
    target: Annotated[Path | None, typer.Option(help="Folder to write the detector to.")] = None,
    steps: Steps = None,
) -> None:
    """Train the detector that reads generated images. 40 minutes."""
    from recipes.detector import DetectorSettings, train

    print(train(_given(DetectorSettings(), steps, run=run, target=target)))


@app.command()
def vnli(
    table: Annotated[Path, typer.Option(help="Labelled pairs, a CSV file in SeeTRUE's columns.")],
    images: Annotated[list[Path], typer.Option(help="A folder or .zip of images. Repeatable.")],
    model: Annotated[
        str | None, typer.Option(help="A BLIP-2, PaliGemma or chat model, e.g. qwen3-vl-4b.")
    ] = None,
    rank: Annotated[
        int | None, typer.Option(min=0, help="Of LoRA, by `pip install '.[lora]'`; 0: all weights.")
    ] = None,
    run: Run = None,
    steps: Steps = None,
) -> None:
    """Fine-tune a model of the hub for VNLI; takes a GPU. The folder is printed."""
    from recipes.vnli import VnliSettings, train

    settings = VnliSettings(table, tuple(images))
    print(train(_given(settings, steps, model=model, rank=rank, run=run)))


@app.command()
def t5(begin_with: BeginWith = None, run: Run = None, steps: Steps = None) -> None:
    """Train question generation, answering from text, and contradictions. 4 hours."""
    from recipes.t5.train import T5Settings, train

    print(train(_given(T5Settings(), steps, start=begin_with, run=run)))


@app.command()
def parser(
    treebank: Annotated[Path, typer.Option(help="Folder of UD English EWT, .conllu.xz.")],
) -> None:
    """Train the prompt parser. 80 minutes."""
    from recipes.parser.train import ParserSettings, train

    print(train(ParserSettings(treebank)))


app.add_typer(data_commands.commands)
app.add_typer(measure_commands.commands)


@app.command()
def publish(
    runs: Annotated[Path, typer.Option(help="Folder of the finished trainings.")] = Path("runs"),
    only: Annotated[
        list[str] | None, typer.Option(help="A checkpoint, e.g. icon-vlm; all by default.")
    ] = None,
    further: Annotated[
        bool, typer.Option("--further", help="The last run began with the checkpoint itself.")
    ] = False,
) -> None:
    """Copy finished trainings to assets/checkpoints, each with a card for `figures` to fill."""
    from recipes.publish import RUNS
    from recipes.publish import publish as publish_run

    for name in only or RUNS:
        print(publish_run(name, runs, further=further))


if __name__ == "__main__":
    app()
