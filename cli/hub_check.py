"""`hub-check`: is every model of the hub there, and as large as its entry says?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from alignment.models.catalogue import MODELS as SCORING_MODELS
from alignment.models.files import scoring_files
from alignment.models.spec import ScoringModel
from generation import MODELS as TEXT_TO_IMAGE_MODELS
from generation import ModelSpec
from generation.loading import pipeline_files
from hub import hub_in_use

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import ModelInfo

HubModel: TypeAlias = ScoringModel | ModelSpec
"""A model that can be chosen."""
TOLERANCE = 0.2
"""How far a size may be off, as a share of what the hub says."""


@dataclass(frozen=True)
class Listing:
    """What the hub says of it."""

    name: str
    source: str
    licence: str = ""
    size_gb: float = 0.0
    """Of the files that would be downloaded, in units of 10^9 bytes."""
    consent: bool = False
    """True when its terms have to be accepted first."""
    problem: str = ""
    """What is wrong; empty when it is as expected."""


def wanted() -> list[HubModel]:
    """Every model of a bundle or a text-to-image model that is on the hub."""
    every: list[HubModel] = [*SCORING_MODELS.values(), *TEXT_TO_IMAGE_MODELS.values()]
    return [each for each in every if isinstance(each.source, str) and "/" in each.source]


def said_gb(model: HubModel) -> float:
    """The size of what would be downloaded, as said here."""
    return model.size_gb if isinstance(model, ScoringModel) else model.download


def _look_up(model: HubModel, api: HfApi) -> Listing:
    """What the hub says of a model."""
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return checked(model, api.model_info(str(model.source), files_metadata=True))
    except HfHubHTTPError as error:
        return Listing(model.name, str(model.source), problem=str(error).splitlines()[0])


def checked(model: HubModel, info: ModelInfo) -> Listing:
    """A model held against its listing."""
    sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
    there, said = sum(sizes[name] for name in wanted_files(model, [*sizes])) / 1e9, said_gb(model)
    off = abs(said - there) > TOLERANCE * there
    return Listing(
        model.name,
        str(model.source),
        str(getattr(info.card_data, "license", None) or "not stated"),
        there,
        bool(info.gated),
        f"it weighs {there:.1f} GB; {said:.1f} GB are said here" if off else "",
    )


def wanted_files(model: HubModel, names: Sequence[str]) -> list[str]:
    """Those of a repository that would be downloaded, were every folder a component."""
    if isinstance(model, ScoringModel):
        return scoring_files(model, names)
    folders = {name.partition("/")[0]: ["diffusers"] for name in names if "/" in name}
    return [name for name in pipeline_files(names, folders, model.variant) if name in names]


def table(models: Sequence[HubModel], found: Sequence[Listing]) -> Table:
    """One row for each model."""
    rows = Table("model", "on the hub", "licence", "GB there (here)", "")
    for model, each in zip(models, found, strict=True):
        note = each.problem or ("wants your consent" if each.consent else "")
        size = f"{each.size_gb:.1f} ({said_gb(model):.1f})"
        rows.add_row(each.name, each.source, each.licence, size, note)
    return rows


def hub_check(
    names: Annotated[
        list[str] | None, typer.Argument(help="Models to look up; all of them without a name.")
    ] = None,
) -> None:
    """Compare every model that can be chosen with its listing on the hub; needs a network.

    Only listings are downloaded. Each line names a model, its hub id, its licence, and the size of
    what would be downloaded with ours in brackets:

        blip2-flan-t5-xl  Salesforce/blip2-flan-t5-xl  mit  15.8 (15.8)

    A model that is not there, or whose size is more than a fifth off, is named with the reason, and
    the exit code is 1. "wants your consent" is no fault: accept the terms on the model's page, then
    log in with `hf auth login`. A JSON line comes last.
    """
    if not hub_in_use():
        sys.exit("the hub does not answer (or HF_HUB_OFFLINE is set); connect to the internet")
    from huggingface_hub import HfApi

    models = [model for model in wanted() if not names or model.name in names]
    if unknown := {*(names or ())} - {model.name for model in models}:
        said = f"no model of the hub is called {', '.join(sorted(unknown))}"
        raise typer.BadParameter(f"{said}; without a name all are looked up, and named")
    api = HfApi()
    asking = track(models, "asking the hub", console=Console(stderr=True))
    found = [_look_up(model, api) for model in asking]
    Console().print(table(models, found))
    problems = {each.name: each.problem for each in found if each.problem}
    print(json.dumps({"models": [asdict(each) for each in found], "problems": problems}))
    sys.exit(bool(problems))
