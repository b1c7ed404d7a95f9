"""Is every hub model that can be chosen there, readable here, and as large as it is said to be?

    make hub-check        or        python -m benchmarks hub_check [NAME ...]

For those with a network; nothing is downloaded but the listing of each model. Each line names a
model, where it is, who reads it (diffusers, open_clip, transformers), its licence on the hub, and
the size of its weights there beside ours. As expected looks like this:

    blip2-flan-t5-xl  Salesforce/blip2-flan-t5-xl  transformers  mit  15.8 (15.8 GB)

A model that is not there, that no library here can read, or whose size is more than a fifth off is
named with what is wrong; the command then ends with 1. "wants your consent" is no mistake: accept
the terms on the model's page, then log in with `hf auth login`. A JSON line comes last.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from rich.table import Table

from alignment.models.catalogue import MODELS as JUDGES
from generation import MODELS as PAINTERS
from hub import hub_in_use

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
ROOM = 0.2
"""How far a size may be off, as a share of what the hub says."""


@dataclass(frozen=True)
class Wanted:
    """A model that can be chosen."""

    name: str
    source: str
    size_gb: float = 0.0
    """As said here; 0 where nothing is said."""


@dataclass(frozen=True)
class Found:
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


def wanted() -> list[Wanted]:
    """Every model of a bundle or a text-to-image model that is on the hub."""
    judges = [
        Wanted(model.name, model.source, model.size_gb)
        for model in JUDGES.values()
        if isinstance(model.source, str) and "/" in model.source
    ]
    pipelines = [
        Wanted(model.name, model.source)
        for model in PAINTERS.values()
        if isinstance(model.source, str)
    ]
    return judges + pipelines


def look_up(model: Wanted, api: HfApi) -> Found:
    """What the hub says of a model."""
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return checked(model, api.model_info(model.source, files_metadata=True))
    except HfHubHTTPError as error:
        return Found(model.name, model.source, problem=str(error).splitlines()[0])


def checked(model: Wanted, info: ModelInfo) -> Found:
    """A model held against its listing."""
    found = Found(
        model.name,
        model.source,
        library_of(info),
        str(getattr(info.card_data, "license", None) or "not stated"),
        weights_gb(info),
        bool(info.gated),
    )
    return Found(**{**asdict(found), "problem": problem_of(model, found)})


def library_of(info: ModelInfo) -> str:
    """Who reads a repository; empty when nobody here does."""
    from transformers import CONFIG_MAPPING

    files = {file.rfilename for file in info.siblings or ()}
    if "model_index.json" in files:
        return "diffusers"
    if "open_clip_config.json" in files:
        return "open_clip"
    return "transformers" if (info.config or {}).get("model_type") in CONFIG_MAPPING else ""


def weights_gb(info: ModelInfo) -> float:
    """The size of the weight files at the top of a repository, in units of 10^9 bytes."""
    files = {Path(file.rfilename): file.size or 0 for file in info.siblings or ()}
    top = {path: size for path, size in files.items() if len(path.parts) == 1}
    for patterns in WEIGHTS:
        sizes = [size for path, size in top.items() if any(map(path.match, patterns))]
        if sizes:
            return sum(sizes) / 1e9
    return 0.0


def problem_of(model: Wanted, found: Found) -> str:
    """What is wrong with a model that was found; empty when nothing is."""
    if not found.library:
        return "no library here reads it"
    if model.size_gb and not found.size_gb:
        return "it has no weights under a name that is known"
    if abs(model.size_gb - found.size_gb) > ROOM * found.size_gb and model.size_gb:
        return f"it weighs {found.size_gb:.1f} GB; {model.size_gb:.1f} GB are said here"
    return ""


def table(models: Sequence[Wanted], found: Sequence[Found]) -> Table:
    """One row for each model."""
    rows = Table("model", "on the hub", "read by", "licence", "GB there (here)", "")
    for model, each in zip(models, found, strict=True):
        said = f" ({model.size_gb:.1f})" if model.size_gb else ""
        note = each.problem or ("wants your consent" if each.consent else "")
        size = f"{each.size_gb:.1f}{said}" if each.size_gb else ""
        rows.add_row(each.name, each.source, each.library, each.licence, size, note)
    return rows


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line; leave with 1 when something is wrong."""
    parser = ArgumentParser(prog="python -m benchmarks hub_check", description=__doc__)
    parser.add_argument("names", nargs="*", help="models to look up; all of them without a name")
    names = parser.parse_args(arguments).names
    if not hub_in_use():
        sys.exit("the hub does not answer (or HF_HUB_OFFLINE is set); connect to the internet")
    from huggingface_hub import HfApi

    api = HfApi()
    models = [model for model in wanted() if not names or model.name in names]
    asking = track(models, "asking the hub", console=Console(stderr=True))
    found = [look_up(model, api) for model in asking]
    Console().print(table(models, found))
    problems = {each.name: each.problem for each in found if each.problem}
    print(json.dumps({"models": [asdict(each) for each in found], "problems": problems}))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main(sys.argv[1:])
