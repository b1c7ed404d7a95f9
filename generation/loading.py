"""A `ModelSpec` comes in, a diffusers pipeline that is ready to generate goes out.

Embedded checkpoints and hub models take the same path; nothing else in the project loads one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from generation.errors import (
    CheckpointMissingError,
    HubRefusedError,
    HubUnreachableError,
    ModelUnavailableError,
)
from hub import hub_in_use

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

    from generation.models import ModelSpec


def load_pipeline(spec: ModelSpec, device: str | None = None) -> DiffusionPipeline:
    """Load a text-to-image model.

    Args:
        spec: which one.
        device: "cpu", "cuda", ...; None takes the accelerator where there is one.

    Raises:
        CheckpointMissingError: an embedded checkpoint is not there.
        HubUnreachableError: the hub does not answer within two seconds and no copy is kept here.
        HubRefusedError: the hub answers but does not give the model.
        ModelUnavailableError: a model that needs a safety checker came without it.
    """
    load = _load_embedded if spec.embedded else _load_from_hub
    pipeline = load(spec, device)
    if spec.safety and pipeline.safety_checker is None:
        raise ModelUnavailableError(
            f"{spec.name} came without its safety checker and is not used without one"
        )
    return pipeline


def best_device() -> str:
    """Where to generate: "cuda", "mps", ... where there is an accelerator, else "cpu"."""
    import torch

    accelerator = torch.accelerator.current_accelerator(check_available=True)
    return accelerator.type if accelerator else "cpu"


def _load_embedded(spec: ModelSpec, device: str | None) -> DiffusionPipeline:
    if not Path(spec.source, "model_index.json").is_file():
        raise CheckpointMissingError(
            f"no checkpoint of {spec.name!r} in {spec.source}; it comes with the repository, "
            f"and `python -m {spec.recipe}` makes it anew"
        )
    return _from_pretrained(spec, device, local_files_only=True)


def _load_from_hub(spec: ModelSpec, device: str | None) -> DiffusionPipeline:
    from huggingface_hub import try_to_load_from_cache

    online = hub_in_use()
    if not online and try_to_load_from_cache(str(spec.source), "model_index.json") is None:
        raise _unreachable(spec)
    try:
        return _from_pretrained(spec, device, local_files_only=not online)
    except OSError as error:
        raise _refused(spec) if online else _unreachable(spec) from error


def _from_pretrained(
    spec: ModelSpec, device: str | None, *, local_files_only: bool
) -> DiffusionPipeline:
    import torch
    from diffusers import AutoPipelineForText2Image

    device = device or best_device()
    pipeline: DiffusionPipeline = AutoPipelineForText2Image.from_pretrained(
        str(spec.source),
        dtype=getattr(torch, spec.cpu_dtype if device == "cpu" else spec.gpu_dtype),
        variant=spec.variant,
        local_files_only=local_files_only,
    )
    pipeline.set_progress_bar_config(disable=True)
    return pipeline.to(device)


def _unreachable(spec: ModelSpec) -> HubUnreachableError:
    return HubUnreachableError(
        f"{spec.name} is on the Hugging Face hub ({spec.source}), which does not answer from here; "
        "connect to it, or choose 'stickers', which needs no network"
    )


def _refused(spec: ModelSpec) -> HubRefusedError:
    return HubRefusedError(
        f"the Hugging Face hub does not give {spec.name}; accept its licence on "
        f"https://huggingface.co/{spec.source} and sign in with `hf auth login`"
    )
