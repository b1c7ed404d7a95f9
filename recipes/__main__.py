"""`python -m recipes NAME`: how each embedded checkpoint is trained, measured and published."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from recipes.data_commands import DATA_COMMANDS
from recipes.measure_commands import MEASURE_COMMANDS, read_right

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="""Train the embedded checkpoints from nothing.

    Install what drawing and the parser need first: `cd recipes && npm install && pip install -r
    requirements.txt`. Every training writes its state every two minutes and goes on from there when
    it is started again; `--steps` makes a short first look. Times are for one thread
    (`OMP_NUM_THREADS=1`) of a server CPU with bf16. On a GPU, or several, start the same command
    with accelerate: `accelerate launch -m recipes text-to-image --world icons`.
    """,
)


class WorldName(str, Enum):
    """The worlds that can be trained on."""

    stickers = "stickers"
    icons = "icons"


World = Annotated[
    WorldName,
    typer.Option(help="`stickers`: 48 things, as published. `icons`: GenEval's 80 and 76 more."),
]
Run = Annotated[Path | None, typer.Option(help="Folder of the training's state and log.")]
Steps = Annotated[
    int | None, typer.Option(min=1, help="Steps of the last phase, instead of the recipe's own.")
]


@app.command()
def autoencoder(world: World = WorldName.stickers, run: Run = None, steps: Steps = None) -> None:
    """Train the autoencoder of the diffusion model. 40 minutes."""
    from recipes.diffusion.autoencoder import SETTINGS, train

    settings = SETTINGS[world.value]
    alone = replace(settings.alone, steps=steps or settings.alone.steps)
    _announce("40 minutes")
    print(train(replace(settings, run=run or settings.run, alone=alone)))


@app.command()
def text_to_image(
    world: World = WorldName.stickers,
    run: Run = None,
    encoder: Annotated[Path | None, typer.Option(help="Folder of the frozen encoder.")] = None,
    steps: Steps = None,
) -> None:
    """Train the text encoder and the UNet. 3 hours for stickers, a night for icons."""
    from recipes.diffusion.text_to_image import SETTINGS, train

    settings = SETTINGS[world.value]
    schedule = replace(settings.schedule, steps=steps or settings.schedule.steps)
    settings = replace(settings, run=run or settings.run, encoder=encoder or settings.encoder)
    _announce("3 hours for stickers, a night for icons")
    print(train(replace(settings, schedule=schedule)))


@app.command()
def distil(
    teacher: Annotated[Path | None, typer.Option(help="Folder of the pipeline to distil.")] = None,
    run: Run = None,
    trajectories: Annotated[
        int | None, typer.Option(min=1, help="Pictures of the teacher to learn from.")
    ] = None,
    steps: Steps = None,
) -> None:
    """Distil the pipeline to four steps without guidance. 50 minutes in fp32.

    Make the teacher first: `python -m recipes pipeline`.
    """
    from recipes.diffusion.distillation import DistillationSettings
    from recipes.diffusion.distillation import distil as distil_pipeline

    usual = DistillationSettings()
    schedule = replace(usual.schedule, steps=steps or usual.schedule.steps)
    settings = replace(usual, teacher=teacher or usual.teacher, run=run or usual.run)
    settings = replace(settings, trajectories=trajectories or usual.trajectories)
    _announce("50 minutes")
    print(distil_pipeline(replace(settings, schedule=schedule)))


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
    """Assemble autoencoder, text encoder and UNet as a Stable Diffusion pipeline: the teacher."""
    from recipes.diffusion.pipeline import PipelineParts, assemble

    print(assemble(PipelineParts(autoencoder, text_to_image, target)))


@app.command()
def vlm(world: World = WorldName.stickers, run: Run = None, steps: Steps = None) -> None:
    """Train the vision-language model. 6 hours for stickers."""
    from recipes.vlm.train import SETTINGS, train

    settings = SETTINGS[world.value]
    answer = replace(settings.answer, steps=steps or settings.answer.steps)
    _announce("6 hours for stickers")
    print(train(replace(settings, run=run or settings.run, answer=answer)))


@app.command()
def vlm_last_phase(
    start: Annotated[Path | None, typer.Option(help="Folder of the held-out model.")] = None,
    generated: Annotated[Path | None, typer.Option(help="Folder of generated pictures.")] = None,
    run: Run = None,
    steps: Steps = None,
) -> None:
    """Make the VLM that ships: it sees every composition, and generated pictures. 45 minutes.

    Make the pictures first: `python -m recipes generated-pictures`.
    """
    from recipes.vlm.last_phase import LastPhaseSettings, train

    usual = LastPhaseSettings()
    schedule = replace(usual.schedule, steps=steps or usual.schedule.steps)
    settings = replace(usual, start=start or usual.start, generated=generated or usual.generated)
    _announce("45 minutes")
    print(train(replace(settings, run=run or settings.run, schedule=schedule)))


@app.command()
def clip(world: World = WorldName.stickers, run: Run = None, steps: Steps = None) -> None:
    """Train the CLIP. 20 minutes."""
    from recipes.clip.train import SETTINGS, train

    settings = SETTINGS[world.value]
    schedule = replace(settings.schedule, steps=steps or settings.schedule.steps)
    _announce("20 minutes")
    print(train(replace(settings, run=run or settings.run, schedule=schedule)))


@app.command()
def detector(
    world: World = WorldName.stickers,
    run: Run = None,
    target: Annotated[Path | None, typer.Option(help="Folder to write the detector to.")] = None,
    generated: Annotated[
        Path | None, typer.Option(help="Folder of generated pictures, to learn smears from, too.")
    ] = None,
    start: Annotated[Path | None, typer.Option(help="Folder of a detector to train on.")] = None,
    steps: Steps = None,
    test_scenes: Annotated[int, typer.Option(min=1, help="Drawn scenes it is tested on.")] = 1000,
) -> None:
    """Train the detector that reads generated pictures, and measure it. 40 minutes."""
    from benchmarks.stickers.detector import load_detector
    from recipes.detector.train import SETTINGS, accuracy, train

    settings = SETTINGS[world.value]
    schedule = replace(settings.schedule, steps=steps or settings.schedule.steps)
    settings = replace(settings, run=run or settings.run, target=target or settings.target)
    settings = replace(settings, generated=generated, start=start)
    _announce("40 minutes")
    trained = load_detector(train(replace(settings, schedule=schedule)))
    print(read_right(accuracy(trained, settings.domain, count=test_scenes), test_scenes))


@app.command()
def t5(
    output: Annotated[Path | None, typer.Option(help="Folder of the checkpoint.")] = None,
    run: Run = None,
    steps: Steps = None,
    seed: Annotated[int, typer.Option(help="Of weights and data.")] = 0,
) -> None:
    """Train question generation, answering from text, and contradictions. 4 hours."""
    from recipes.t5.train import T5Settings, train

    settings = T5Settings()
    schedule = replace(settings.schedule, steps=steps or settings.schedule.steps, seed=seed)
    settings = replace(settings, output=output or settings.output, run=run or settings.run)
    _announce("4 hours")
    print(train(replace(settings, schedule=schedule)))


@app.command()
def parser(
    treebank: Annotated[Path, typer.Option(help="Folder of UD English EWT, .conllu.xz.")],
    output: Annotated[Path | None, typer.Option(help="Folder of the checkpoint.")] = None,
    work: Annotated[Path | None, typer.Option(help="Folder of corpora and pipelines.")] = None,
    start_from: Annotated[
        Path | None, typer.Option(help="A pipeline to train further, such as WORK/model-last.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of weights and order.")] = 0,
    steps: Annotated[int, typer.Option(min=1, help="Batches.")] = 3200,
    learn_rate: Annotated[float, typer.Option(help="The peak.")] = 0.002,
    dropout: Annotated[float, typer.Option(min=0, max=1, help="In training.")] = 0.2,
) -> None:
    """Train the prompt parser. 80 minutes."""
    from recipes.parser.train import ParserSettings, train

    usual = ParserSettings()
    where = treebank, output or usual.output, work or usual.work, start_from
    _announce("80 minutes")
    print(train(ParserSettings(*where, seed, steps, learn_rate, dropout)))


for name, command in {**DATA_COMMANDS, **MEASURE_COMMANDS}.items():
    app.command(name)(command)


@app.command()
def publish(
    runs: Annotated[Path, typer.Option(help="Folder of the finished trainings.")] = Path("runs"),
    only: Annotated[
        list[str] | None, typer.Option(help="A checkpoint, e.g. sticker-vlm; all by default.")
    ] = None,
) -> None:
    """Copy finished trainings to assets/checkpoints, each with a card; `figures` fills it."""
    from recipes.publish import CHECKPOINT_METADATA, certify
    from recipes.publish import publish as publish_run

    for name in only or CHECKPOINT_METADATA:
        print(publish_run(name, runs), certify(name, runs))


def _announce(duration: str) -> None:
    Console(stderr=True).print(f"About {duration} on one thread; the state is saved as it goes.")


if __name__ == "__main__":
    app()
