"""`hub-check`: is every model of the hub there, readable, and as large as its entry says?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from alignment.models.catalogue import MODELS as SCORING_MODELS
from alignment.models.loading import load_tokenizer
from alignment.models.spec import ScoringModel
from generation import MODELS as TEXT_TO_IMAGE_MODELS
from generation import ModelSpec
from hub import ConsentNeededError, HubError, hub_in_use

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import ModelInfo

WEIGHTS = (
    ("open_clip_model.safetensors", "open_clip_pytorch_model.safetensors"),
    ("open_clip_pytorch_model.bin",),
    ("model*.safetensors",),
    ("pytorch_model*.bin",),
)
"""Names of weight files; the first kind that a repository has is what would be fetched."""
HubModel: TypeAlias = ScoringModel | ModelSpec
"""A model that can be chosen."""
TOLERANCE = 0.2
"""How far a size may be off, as a share of what the hub says."""


@dataclass(frozen=True)
class Listing:
    """What the hub says of it."""

    name: str
    source: str
    library: str = ""
    """Who reads it: "diffusers", "open_clip" or "transformers"; empty when nobody does."""
    licence: str = ""
    size_gb: float = 0.0
    """Of its weights, in units of 10^9 bytes; 0 when they were not recognised."""
    consent: bool = False
    """True when its terms have to be accepted first."""
    problem: str = ""
    """What is wrong; empty when it is as expected."""


def wanted() -> list[HubModel]:
    """Every model of a bundle or a text-to-image model that is on the hub."""
    scoring = [each for each in SCORING_MODELS.values() if "/" in str(each.source)]
    every: list[HubModel] = [*scoring, *TEXT_TO_IMAGE_MODELS.values()]
    return [model for model in every if isinstance(model.source, str)]


def said_gb(model: HubModel) -> float:
    """The size of its weights as said here, of a scoring model; else 0, as nothing is said."""
    return model.size_gb if isinstance(model, ScoringModel) else 0.0


def _look_up(model: HubModel, api: HfApi) -> Listing:
    """What the hub says of a model."""
    from huggingface_hub.errors import HfHubHTTPError

    try:
        found = checked(model, api.model_info(str(model.source), files_metadata=True))
    except HfHubHTTPError as error:
        return Listing(model.name, str(model.source), problem=str(error).splitlines()[0])
    return replace(found, problem=found.problem or tokenizer_problem(model))


def tokenizer_problem(model: HubModel) -> str:
    """Why a scoring model's tokenizer cannot be read here; empty when it can, or wants consent."""
    if not isinstance(model, ScoringModel):
        return ""
    try:
        load_tokenizer(model)
    except ConsentNeededError:
        return ""
    except HubError as error:
        return f"its tokenizer or processor is not read here: {error}"
    return ""


def checked(model: HubModel, info: ModelInfo) -> Listing:
    """A model held against its listing."""
    found = Listing(
        model.name,
        str(model.source),
        _library_of(info, model),
        str(getattr(info.card_data, "license", None) or "not stated"),
        _weights_gb(info),
        bool(info.gated),
    )
    return replace(found, problem=_problem_of(model, found))


def _library_of(info: ModelInfo, model: HubModel) -> str:
    """Who reads a repository; empty when nobody here does."""
    from transformers import CONFIG_MAPPING

    files = {file.rfilename for file in info.siblings or ()}
    if "model_index.json" in files:
        return "diffusers"
    if "open_clip_config.json" in files or (isinstance(model, ScoringModel) and model.architecture):
        return "open_clip"
    return "transformers" if (info.config or {}).get("model_type") in CONFIG_MAPPING else ""


def _weights_gb(info: ModelInfo) -> float:
    """The size of the weight files at the top of a repository, in units of 10^9 bytes."""
    files = {Path(file.rfilename): file.size or 0 for file in info.siblings or ()}
    top = {path: size for path, size in files.items() if len(path.parts) == 1}
    for patterns in WEIGHTS:
        sizes = [size for path, size in top.items() if any(map(path.match, patterns))]
        if sizes:
            return sum(sizes) / 1e9
    return 0.0


def _problem_of(model: HubModel, found: Listing) -> str:
    """What is wrong with a model that was found; empty when nothing is."""
    if not found.library:
        return "no library here reads it"
    said = said_gb(model)
    if said and not found.size_gb:
        return "it has no weights under a name that is known"
    if abs(said - found.size_gb) > TOLERANCE * found.size_gb and said:
        return f"it weighs {found.size_gb:.1f} GB; {said:.1f} GB are said here"
    return ""


def table(models: Sequence[HubModel], found: Sequence[Listing]) -> Table:
    """One row for each model."""
    rows = Table("model", "on the hub", "read by", "licence", "GB there (here)", "")
    for model, each in zip(models, found, strict=True):
        said = f" ({said_gb(model):.1f})" if said_gb(model) else ""
        note = each.problem or ("wants your consent" if each.consent else "")
        size = f"{each.size_gb:.1f}{said}" if each.size_gb else ""
        rows.add_row(each.name, each.source, each.library, each.licence, size, note)
    return rows


def hub_check(
    names: Annotated[
        list[str] | None, typer.Argument(help="Models to look up; all of them without a name.")
    ] = None,
) -> None:
    """Compare every model that can be chosen with its listing on the hub; needs a network.

    Only listings are downloaded, and of scoring models the tokenizers and processors, which are
    loaded. Each line names a model, its hub id, the library that reads it, its licence, and the
    size of its weights there with ours in brackets:

        blip2-flan-t5-xl  Salesforce/blip2-flan-t5-xl  transformers  mit  15.8 (15.8)

    A model that is not there, that no library here reads, whose tokenizer cannot be loaded, or
    whose size is more than a fifth off is named with the reason, and the exit code is 1. "wants
    your consent" is no fault: accept the terms on the model's page, then log in with
    `hf auth login`. A JSON line comes last.
    """
    if not hub_in_use():
        sys.exit("the hub does not answer (or HF_HUB_OFFLINE is set); connect to the internet")
    from huggingface_hub import HfApi

    api = HfApi()
    models = [model for model in wanted() if not names or model.name in names]
    asking = track(models, "asking the hub", console=Console(stderr=True))
    found = [_look_up(model, api) for model in asking]
    Console().print(table(models, found))
    problems = {each.name: each.problem for each in found if each.problem}
    print(json.dumps({"models": [asdict(each) for each in found], "problems": problems}))
    sys.exit(bool(problems))
